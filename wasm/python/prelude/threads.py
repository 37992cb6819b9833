"""Threads where there are none: a started thread runs to its end when someone waits for it.

Starting puts it off, so that what the starter does next (filling a queue, say) is seen by it. Whoever would wait
(join, a queue, an event, a lock, a sleep) runs the threads that were put off instead, one within the other. What can
then never happen is told as a RuntimeError, never waited for.
"""

import sys

_modules = sys.modules


def begin():
    """Starts a turn."""


def finish():
    """Ends the code of a turn: runs the threads that it started and did not wait for."""
