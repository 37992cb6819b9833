"""How an interrupt of the host stops the code, also where nothing that is raised can leave."""

import signal
import sys

_PATIENCE = 16  # interrupts from one that the code caught to the next
_set_handler, _SIGINT = signal.signal, signal.SIGINT
_exception, _set_trace = sys.exception, sys.settrace
_tell_not_raised = sys.__unraisablehook__


class _State:
    """What has come of the interrupts of this turn."""

    def __init__(self):
        self.is_code = False
        self.count = 0
        self.was_lost = False
        self.deaf = {}  # code from which none could leave, by its id


_state = _State()


def install():
    """Lets no interrupt be lost unseen."""
    sys.unraisablehook = _not_raised


def begin():
    """The code's own work begins: it is interrupted until it ends."""
    _state.__init__()
    _state.is_code = True
    _set_handler(_SIGINT, _interrupted)


def leave():
    """What comes now is the harness's, which one interrupt is enough for."""
    _state.is_code = False


def _interrupted(number, frame):
    """Stops the code. The host interrupts again and again as long as the turn goes on.

    An interrupt that was lost in a finalizer or a callback is raised again at once, outside of it; one that the code
    caught after a while, since what it does may be to clean up. A handler of it and a `finally` are left alone.
    """
    _state.count += 1
    if _state.count == 1:
        raise KeyboardInterrupt
    if not _state.is_code or not (_state.was_lost or _state.count % _PATIENCE == 0) or _is_handled():
        return
    if _state.was_lost:
        _state.was_lost = False
        outer = _outside(frame)
        if outer is not None:
            outer.f_trace = _raise
            return _set_trace(_ignore)
    raise KeyboardInterrupt


def _is_handled():
    error = _exception()
    for _ in range(_PATIENCE):
        if error is None or isinstance(error, KeyboardInterrupt):
            break
        error = error.__context__
    return error is not None


def _outside(frame):
    """The frame that has called what no interrupt leaves, if such runs."""
    outer = None
    while frame is not None:
        if id(frame.f_code) in _state.deaf:
            outer = frame.f_back
        frame = frame.f_back
    return outer


def _raise(frame, event, arg):
    frame.f_trace = None
    _set_trace(None)
    raise KeyboardInterrupt


def _ignore(frame, event, arg):
    return None


def _not_raised(unraisable):
    """What could not be raised where it happened; an interrupt among these is not the code's to hear of."""
    if unraisable.exc_type is not KeyboardInterrupt or _state.count == 0:
        return _tell_not_raised(unraisable)
    _state.was_lost = True
    if unraisable.exc_traceback is not None:
        code = unraisable.exc_traceback.tb_frame.f_code
        _state.deaf[id(code)] = code
