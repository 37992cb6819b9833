"""Threads where there are none: a started thread runs to its end when someone waits for it.

Starting puts it off, so that what its starter does next (filling a queue, say) is seen by it. Whoever would wait
(join, a queue, an event, a lock, a sleep) runs the threads that were put off instead, one within the other. A wait
that can then never end is told as a RuntimeError.
"""

import sys
import time

from _belljar import frames
from _belljar.hooks import after_import, note
from _belljar.sleeping import now, pause

_STUCK = "this would wait for ever: threads run one after another here, and none is left that could end the wait"
_PARKED = "A thread waited for what could not come any more, and was ended: threads run one after another here."
_POLLS = 100  # calls of is_alive after which a loop on it is taken for a wait


class _Parked(BaseException):
    """Ends a thread that can't go on, from the place where it waits."""


class _State:
    pending = []  # started, not yet run
    running = []  # the thread that runs last
    held = 0  # locks
    serial = 0


def begin():
    """Starts a turn: a turn that was stopped may have left threads unfinished."""
    _State.running = []
    _State.held = 0


def finish():
    """Ends the code of a turn: runs the threads that it started and did not wait for, but for daemons."""
    while _run_next(daemons=False):
        pass
    _State.pending.clear()


def _run_next(daemons=True):
    for thread in list(_State.pending):
        if daemons or not thread.daemon:
            _State.pending.remove(thread)
            _run(thread)
            return True
    return False


def _run(thread):
    threading = sys.modules["threading"]
    _State.running.append(thread)
    try:
        thread.run()
    except SystemExit:
        pass
    except _Parked:
        if not thread.daemon:
            note(_PARKED)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        frames.select(error)
        threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, thread)))
    finally:
        thread._belljar_done = True
        if _State.running and _State.running[-1] is thread:
            _State.running.pop()


def wait_until(ready, timeout=None):
    """Runs other threads until `ready()`; returns whether it is. With a timeout (seconds) it sleeps the rest of it.

    Raises RuntimeError when nothing can make it ready any more.
    """
    until = None if timeout is None else now() + timeout
    while not ready():
        if _run_next():
            continue
        if until is not None:
            rest = until - now()
            if rest > 0:
                pause(rest)
            return ready()
        if _State.running:
            raise _Parked
        raise RuntimeError(_STUCK)
    return True


def _sleep(seconds, /):
    """Stands for `time.sleep`: threads that were put off run meanwhile."""
    started = now()
    if _State.pending and not _State.running and not _State.held:
        while _run_next(daemons=False):
            pass
        seconds = max(0, seconds - (now() - started)) if seconds >= 0 else seconds
    pause(seconds)


_sleep.__name__ = _sleep.__qualname__ = "sleep"


class Lock:
    """As `threading.Lock`, without a thread that could let go of it but those put off."""

    def __init__(self):
        self._held = False

    def acquire(self, blocking=True, timeout=-1):
        if self._held:
            if not blocking:
                return False
            if not wait_until(lambda: not self._held, None if timeout is None or timeout < 0 else timeout):
                return False
        self._held = True
        _State.held += 1
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False
        _State.held -= 1

    def locked(self):
        return self._held

    def __enter__(self):
        self.acquire()
        return True

    def __exit__(self, *_):
        self.release()

    def _at_fork_reinit(self):
        self._held = False

    def __reduce__(self):
        raise TypeError("cannot pickle 'lock' object")


def install():
    """Puts `time.sleep` in place, once."""
    time.sleep = _sleep


@after_import("threading")
def _adapt(threading):
    thread = threading.Thread
    local = threading.current_thread

    def start(self):
        """Puts the thread off until someone waits."""
        if self._started.is_set():
            raise RuntimeError("threads can only be started once")
        _State.serial += 1
        self._ident = self._native_id = _State.serial + 1
        self._belljar_done = False
        self._started.set()
        _State.pending.append(self)

    def join(self, timeout=None):
        """Runs the thread, if it has not run yet."""
        if not self._started.is_set():
            raise RuntimeError("cannot join thread before it is started")
        if _State.running and _State.running[-1] is self:
            raise RuntimeError("cannot join current thread")
        if self in _State.pending:
            _State.pending.remove(self)
            _run(self)
        wait_until(lambda: self._belljar_done, timeout)

    def is_alive(self):
        """True until the thread has run; a loop that asks again and again makes it run."""
        if self is threading.main_thread():
            return True
        if not self._started.is_set() or self._belljar_done:
            return False
        self._belljar_polls = getattr(self, "_belljar_polls", 0) + 1
        if self._belljar_polls > _POLLS:
            _run_next()
        return not self._belljar_done

    def current_thread():
        """The thread that runs."""
        return _State.running[-1] if _State.running else local()

    def start_new_thread(function, args, kwargs=None, /):
        made = thread(target=function, args=args, kwargs=kwargs or {}, daemon=True)
        made.start()
        return made.ident

    thread.start, thread.join, thread.is_alive, thread._belljar_done = start, join, is_alive, False
    threading.current_thread = threading.currentThread = current_thread
    threading.Lock = threading._allocate_lock = Lock
    low = sys.modules["_thread"]
    low.allocate_lock = low.allocate = Lock
    low.start_new_thread = low.start_new = threading._start_new_thread = start_new_thread


@after_import("queue")
def _adapt_queue(queue):
    queue.SimpleQueue = queue._PySimpleQueue


@after_import("concurrent.futures.thread")
def _adapt_pool(module):
    import concurrent.futures

    def submit(self, fn, /, *args, **kwargs):
        """Runs the call at once: its future is done when it is returned."""
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = concurrent.futures.Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **kwargs))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            future.set_exception(error)
        return future

    module.ThreadPoolExecutor.submit = submit
