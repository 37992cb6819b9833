"""Top-level await, and the event loop that works without sockets or threads: it waits by sleeping."""

import collections.abc
import sys
import types

from _belljar.hooks import after_import
from _belljar.sleeping import pause

_modules = sys.modules
#: Rounds of the loop in which a cancelled task may clean up.
_UNWINDING = 8
_STUCK = "every task waits for something that can no longer happen: no task is ready and no timer is set"


class _Stuck(RuntimeError):
    """No task of a loop can ever go on."""


_Stuck.__name__ = _Stuck.__qualname__ = "RuntimeError"
_Stuck.__module__ = "builtins"


class _State:
    """The loop on which top-level awaits run, kept so that tasks live on in the next turn."""

    loop = None
    kind = None


def begin():
    """Makes the loop the current one again, which `asyncio.run` undoes."""
    asyncio = _modules.get("asyncio")
    if asyncio is not None and _State.kind is not None:
        asyncio.set_event_loop(_current(asyncio))


def finish(value):
    """Returns the value, or what it comes to when it is to be awaited."""
    kind = type(value)  # what the value says of its class may be a lie
    if kind is not types.CoroutineType:
        futures = getattr(_modules.get("asyncio"), "Future", None)
        if futures is None or not issubclass(kind, futures) or value.get_loop() is not _State.loop:
            return value
    import asyncio

    loop = _current(asyncio)
    task = asyncio.ensure_future(value, loop=loop)
    try:
        return loop.run_until_complete(task)
    except (KeyboardInterrupt, _Stuck) as stop:
        where = _where(value) or stop.__traceback__
        _abandon(loop, task)
        raise stop.with_traceback(where)


def _abandon(loop, task):
    """Cancels what the turn awaited; tasks of other turns stay on their loop, unless it can't be brought to rest."""
    _State.loop = None
    for _ in range(_UNWINDING):
        if task.done():
            break
        task.cancel()
        loop.call_soon(loop.stop)
        loop.run_forever()
    else:
        return
    if not task.cancelled():
        task.exception()
    _State.loop = loop


def _current(asyncio):
    if _State.loop is None or _State.loop.is_closed():
        _State.loop = asyncio.EventLoop()
        asyncio.set_event_loop(_State.loop)
    return _State.loop


def _where(coroutine):
    """The traceback of a suspended coroutine and of what it awaits."""
    frames = []
    while isinstance(coroutine, collections.abc.Coroutine) and getattr(coroutine, "cr_frame", None):
        frames.append(coroutine.cr_frame)
        coroutine = coroutine.cr_await
    told = None
    for frame in reversed(frames):
        told = types.TracebackType(told, frame, frame.f_lasti, frame.f_lineno)
    return told


class _Waiter:
    """Stands for the selector of a loop without sockets: waiting for the next timer is all it does."""

    def select(self, timeout):
        if timeout is None:
            raise _Stuck(_STUCK)
        if timeout > 0:
            pause(timeout)
        return []

    def close(self):
        pass


@after_import("asyncio")
def _adapt(asyncio):
    base = asyncio.base_events.BaseEventLoop

    class SandboxEventLoop(base):
        """An event loop without sockets, threads or signals; what an executor is asked for is done at once."""

        def __init__(self):
            super().__init__()
            self._selector = _Waiter()

        def _process_events(self, event_list):
            pass

        def _write_to_self(self):
            pass

        def run_in_executor(self, executor, func, *args):
            future = self.create_future()
            try:
                future.set_result(func(*args))
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:
                future.set_exception(error)
            return future

        async def shutdown_default_executor(self, timeout=None):
            pass

    _State.kind = SandboxEventLoop
    asyncio.EventLoop = asyncio.SelectorEventLoop = SandboxEventLoop
    for name in ("unix_events", "events"):
        module = getattr(asyncio, name, None)
        for policy in ("_DefaultEventLoopPolicy", "_UnixDefaultEventLoopPolicy"):
            if hasattr(module, policy):
                getattr(module, policy)._loop_factory = SandboxEventLoop
        if hasattr(module, "SelectorEventLoop"):
            module.SelectorEventLoop = module.EventLoop = SandboxEventLoop
    _allow_nesting(asyncio)
    asyncio.set_event_loop(_current(asyncio))


def _allow_nesting(asyncio):
    """Lets `asyncio.run` be called while top-level code awaits, on a loop of its own: the outer one waits for it."""
    run = asyncio.run
    events = asyncio.events
    tasks = asyncio.tasks

    def run_nested(main, *, debug=None, loop_factory=None):
        outer = events._get_running_loop()
        if outer is None:
            return run(main, debug=debug, loop_factory=loop_factory)
        task = tasks.current_task(outer)
        if task is not None:
            tasks._leave_task(outer, task)
        events._set_running_loop(None)
        try:
            return run(main, debug=debug, loop_factory=loop_factory)
        finally:
            events._set_running_loop(outer)
            events.set_event_loop(outer)
            if task is not None:
                tasks._enter_task(outer, task)

    run_nested.__name__ = run_nested.__qualname__ = "run"
    run_nested.__doc__ = run.__doc__
    asyncio.run = asyncio.runners.run = run_nested
