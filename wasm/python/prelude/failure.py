"""What went wrong in a turn, in terms of the code as it was given."""

import linecache
import re
import traceback

from _belljar import foreign, frames, limits
from _belljar.frames import is_user_file
from _belljar.packages import adding, hint, hints_in
from _belljar.text import cut, safe_str, type_name, well_formed

TRACEBACK_LIMIT = 20_000
MESSAGE_LIMIT = 8_000
_MAX_GROUP = 15
_NO_SITE = ". Site initialization is disabled"  # advice of CPython's that is of no use here
_NO_CODER = re.compile(r"(?:en|de)coder \w+ not available")
_FORMATS = "Pillow here reads and writes PNG, GIF, BMP, TIFF and PPM, not JPEG or WebP."
_RETURN_HINT = "Code runs at top level, as in a notebook: end with the expression itself instead of `return`."


def describe(error, shift=0):
    """Returns ``(failure, notes)``: a dict as the outcome's `error`, and hints for the reader.

    `shift` is the number of columns that were taken off the lines of the code.
    """
    if isinstance(error, SyntaxError) and error.text is None and is_user_file(str(error.filename)):
        error.text = linecache.getline(error.filename, error.lineno or 0) or None
    marks = _select(error, {})
    told = traceback.TracebackException(
        type(error), error, error.__traceback__, max_group_width=_MAX_GROUP, max_group_depth=8
    )
    _mark(told, error, marks)
    place = _place(error, told)
    failure = {"type": type_name(error), "message": cut(_message(error, told), MESSAGE_LIMIT)}
    # CPython's parser calls it a lack of memory when code nests deeper than it goes.
    if isinstance(error, MemoryError) and "too complex to parse" in failure["message"]:
        failure["type"] = "SyntaxError"
    if isinstance(error, SystemExit):
        failure["exit_code"], failure["message"] = exit_code(error)
    if place is not None:
        failure["line"], failure["column"] = place[0], place[1] + shift
    if not isinstance(error, SystemExit):
        failure["traceback"] = cut(well_formed("".join(told.format())).rstrip("\n"), TRACEBACK_LIMIT)
    return failure, _notes(error)


def exit_code(error):
    """Returns ``(code, message)`` of a SystemExit, as CPython itself would end: a text is exit code 1."""
    code = error.code
    if code is None:
        return 0, "exit code 0"
    if isinstance(code, int):
        code = int.__int__(code)
        return code & 0xFFFFFFFF if abs(code) > 2**31 else code, f"exit code {code}"
    return 1, safe_str(code, MESSAGE_LIMIT)


def describe_bluntly(error):
    """As `describe`, for when that itself failed: asks little of the interpreter and of memory."""
    failure = {"type": type_name(error), "message": "the details could not be told"}
    place = error.__traceback__
    while place is not None:
        if is_user_file(place.tb_frame.f_code.co_filename):
            failure["line"] = place.tb_lineno
        place = place.tb_next
    return failure, []


def _message(error, told):
    if isinstance(error, SyntaxError):
        return safe_str(told.msg)
    return safe_str(told)


def _place(error, told):
    if isinstance(error, SyntaxError) and is_user_file(str(error.filename)) and error.lineno:
        return error.lineno, max(1, error.offset or 1)
    own = [frame for frame in told.stack if is_user_file(frame.filename)]
    if not own or not own[-1].lineno:
        return None
    frame = own[-1]
    line = linecache.getline(frame.filename, frame.lineno)
    return frame.lineno, len(line.encode()[: frame.colno or 0].decode("utf-8", "replace")) + 1


def _select(error, seen):
    """Chooses the frames of an exception and of those behind it; returns the marks of each by its id."""
    if error is None or id(error) in seen:
        return seen
    seen[id(error)] = frames.select(error, is_root=not seen)
    if error.__cause__ is not None and _is_same(error, error.__cause__):
        error.__cause__ = None
    if error.__cause__ is None and error.__context__ is not None and not frames.reaches_user(error.__context__):
        error.__context__ = None  # raised and handled within a library
    group = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    for other in (error.__cause__, error.__context__, *group[:_MAX_GROUP]):
        _select(other, seen)
    return seen


def _is_same(error, cause):
    """True when a library raised an error again that it had raised itself, as pandas does of a missing key."""
    return type(error) is type(cause) and not frames.reaches_user(cause) and safe_str(error) == safe_str(cause)


def _mark(told, error, marks):
    if told is None or error is None:
        return
    stack = frames.Shown(told.stack or ())
    stack.marks = marks.get(id(error), {})
    told.stack = stack
    if isinstance(told._str, str):
        told._str = told._str.partition(_NO_SITE)[0]
    _mark(told.__cause__, error.__cause__, marks)
    _mark(told.__context__, error.__context__, marks)
    for inner, other in zip(told.exceptions or (), getattr(error, "exceptions", ())):
        _mark(inner, other, marks)


def _notes(error):
    if isinstance(error, ModuleNotFoundError) and isinstance(error.name, str):
        return [hint(error.name), *adding(error.name)]
    if isinstance(error, ImportError):
        return hints_in(safe_str(error))
    if isinstance(error, SyntaxError):
        if error.msg == "'return' outside function":
            return [_RETURN_HINT]
        return foreign.in_source(linecache.getlines(str(error.filename)))
    if isinstance(error, NameError):
        return foreign.in_name(error.name)
    if isinstance(error, OSError):
        return [_FORMATS] if _NO_CODER.fullmatch(safe_str(error)) else limits.hints(error)
    return []


def release(error):
    """Gives back the memory that the code's frames hold, so that there is room to tell of the error."""
    traceback.clear_frames(error.__traceback__)
