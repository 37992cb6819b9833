"""Other processes where there are none: what only computes runs here instead, and the rest says so."""

import errno
import os
import sys

from _belljar.hooks import after_import
from _belljar.packages import PROVIDED
from _belljar.stdio import flush

_NO_PROCESS = "no other process can be started here: there is only this Python"
_NO_INSTALL = f"nothing can be installed here; these packages are: {PROVIDED}"
_ABORTED = 134
_leave = os._exit


def _refuse(command):
    words = command.split() if isinstance(command, str) else [str(word) for word in command or ()]
    installs = any(word.endswith(("pip", "pip3", "conda")) for word in words)
    raise OSError(errno.ENOTSUP, _NO_INSTALL if installs else _NO_PROCESS)


def install():
    """Adapts `os`, once."""

    def system(command):
        """Refuses: there is no shell."""
        _refuse(command)

    def leave(status):
        """Ends the guest, after what was printed has gone out."""
        flush()
        _leave(status)

    def abort():
        """Ends the guest with the exit code that a shell shows for SIGABRT."""
        leave(_ABORTED)

    abort.__name__ = abort.__qualname__ = "abort"
    os.abort = abort
    leave.__name__ = leave.__qualname__ = "_exit"
    os.system = system
    os._exit = leave


@after_import("subprocess")
def _adapt_subprocess(subprocess):
    def init(self, args, *_, **__):
        _refuse(args)

    subprocess.Popen.__init__ = init


@after_import("multiprocessing")
def _adapt_multiprocessing(multiprocessing):
    import queue
    import threading

    pool = _pool_kind()
    process = _process_kind(threading)
    given = {
        "Process": process,
        "Pool": pool,
        "Queue": queue.Queue,
        "JoinableQueue": queue.Queue,
        "SimpleQueue": queue._PySimpleQueue,
        "Lock": threading.Lock,
        "RLock": threading.RLock,
        "Event": threading.Event,
        "Condition": threading.Condition,
        "Semaphore": threading.Semaphore,
        "BoundedSemaphore": threading.BoundedSemaphore,
        "Barrier": threading.Barrier,
        "Manager": _Manager,
        "Value": _value,
        "Array": lambda kind, content, **_: [0] * content if isinstance(content, int) else list(content),
        "current_process": lambda: threading.current_thread(),
        "cpu_count": lambda: 1,
        "freeze_support": lambda: None,
        "set_start_method": lambda method, force=False: None,
        "get_context": lambda method=None: multiprocessing,
    }
    for name, value in given.items():
        setattr(multiprocessing, name, value)


@after_import("multiprocessing.pool")
def _adapt_multiprocessing_pool(module):
    module.Pool = module.ThreadPool = _pool_kind()


@after_import("concurrent.futures.process")
def _adapt_executor(module):
    from concurrent.futures.thread import ThreadPoolExecutor

    class ProcessPoolExecutor(ThreadPoolExecutor):
        """Runs each call here, at once."""

        def __init__(self, max_workers=None, mp_context=None, initializer=None, initargs=(), **_):
            super().__init__(max_workers)
            if initializer is not None:
                initializer(*initargs)

        def map(self, fn, *iterables, timeout=None, chunksize=1, buffersize=None):
            return super().map(fn, *iterables, timeout=timeout)

    module.ProcessPoolExecutor = ProcessPoolExecutor


def _value(kind, start=0, lock=True):
    import threading

    held = threading.RLock()

    class Value:
        value = start

        def get_lock(self):
            return held

    return Value()


def _process_kind(threading):
    class Process(threading.Thread):
        """A process that is a thread of this one, run when it is waited for."""

        pid = property(lambda self: self.ident)
        exitcode = property(lambda self: 0 if self._belljar_done else None)

        def __init__(self, group=None, target=None, name=None, args=(), kwargs={}, *, daemon=None):
            super().__init__(group, target, name, args, kwargs, daemon=daemon)

        def terminate(self):
            self._belljar_done = True

        kill = close = terminate

    return Process


class _Manager:
    """Plain objects stand for shared ones."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def shutdown(self):
        pass

    dict = staticmethod(dict)
    list = staticmethod(list)
    Value = staticmethod(_value)

    def __getattr__(self, name):
        return getattr(sys.modules["multiprocessing"], name)


def _pool_kind():
    class Done:
        """The result of a call that was made at once."""

        def __init__(self, call, callback=None, error_callback=None):
            self._error = self._value = None
            try:
                self._value = call()
            except Exception as error:
                self._error = error
                if error_callback is not None:
                    error_callback(error)
            else:
                if callback is not None:
                    callback(self._value)

        def get(self, timeout=None):
            if self._error is not None:
                raise self._error
            return self._value

        def wait(self, timeout=None):
            pass

        def ready(self):
            return True

        def successful(self):
            return self._error is None

    class Pool:
        """A pool of this one process: each call is made at once, in order."""

        def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
            if initializer is not None:
                initializer(*initargs)

        def apply(self, func, args=(), kwds={}):
            return func(*args, **kwds)

        def map(self, func, iterable, chunksize=None):
            return [func(item) for item in iterable]

        def starmap(self, func, iterable, chunksize=None):
            return [func(*items) for items in iterable]

        def imap(self, func, iterable, chunksize=1):
            return map(func, iterable)

        imap_unordered = imap

        def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
            return Done(lambda: func(*args, **kwds), callback, error_callback)

        def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
            return Done(lambda: self.map(func, iterable), callback, error_callback)

        def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
            return Done(lambda: self.starmap(func, iterable), callback, error_callback)

        def close(self):
            pass

        terminate = join = close

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    return Pool
