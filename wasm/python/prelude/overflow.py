"""numpy's 32-bit integers that overflow: a warning with the line, where numpy itself is silent.

Libraries keep the platform's 32-bit integer, which elsewhere has 64 bits, and what they return may be computed with. The
build has put a check before numpy's computations in that type (`wasm/python/overflow`); it sets off a signal.
"""

import signal
import sys
import warnings

from _belljar.frames import is_user_file

_SIGNAL = 63
_MESSAGE = (
    "int32 array overflowed, and its values wrapped around: compute with array.astype('int64') "
    "(where that is meant: with np.errstate(over='ignore'))"
)
_set_handler, _warn = signal.signal, warnings.warn_explicit


def begin():
    """Called before each turn: the code may have set a handler of its own."""
    _set_handler(_SIGNAL, _overflowed)


def _overflowed(number, frame):
    numpy = sys.modules.get("numpy")
    if numpy is None or numpy.geterr()["over"] == "ignore":
        return
    while frame is not None and not is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return
    names = frame.f_globals
    registry = names.setdefault("__warningregistry__", {})
    _warn(_MESSAGE, RuntimeWarning, frame.f_code.co_filename, frame.f_lineno, names.get("__name__"), registry)
