"""Waiting: the host sleeps, the guest does not spin."""

import time

pause = time.sleep
now = time.monotonic
