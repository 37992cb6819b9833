"""What went wrong in a turn, in terms of the code as it was given."""

import linecache
import traceback

from _belljar.packages import hint
from _belljar.text import cut, safe_str, type_name, well_formed

TRACEBACK_LIMIT = 20_000
MESSAGE_LIMIT = 8_000
_KEPT = 24  # frames shown at each end of a deep traceback
_USER_PLACES = ("<code", "/work/", "/tmp/")
_NO_SITE = ". Site initialization is disabled"  # advice of CPython's that is of no use here
_RETURN_HINT = "Code runs at top level, as in a notebook: end with the expression itself instead of `return`."


class _Frames(traceback.StackSummary):
    """A stack that shows its two ends and counts what is between."""

    def format(self, **options):
        as_list = traceback.StackSummary.from_list
        if len({(frame.filename, frame.lineno) for frame in self}) <= 2 or len(self) <= 3 * _KEPT:
            return as_list(self[:]).format(**options)
        between = len(self) - 2 * _KEPT
        head, tail = as_list(self[:_KEPT]), as_list(self[-_KEPT:])
        return [*head.format(**options), f"  … {between:,} more frames …\n", *tail.format(**options)]


def remember(filename, text):
    """Lets tracebacks and `inspect` show the source lines of a turn."""
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)


def is_user_file(filename):
    """True for code of a turn, and for modules that the user wrote into the sandbox."""
    return filename.startswith(_USER_PLACES)


def describe(error, shift=0):
    """Returns ``(failure, notes)``: a dict as the outcome's `error`, and hints for the reader.

    `shift` is the number of columns that were taken off the lines of the code.
    """
    if isinstance(error, SyntaxError) and error.text is None and is_user_file(str(error.filename)):
        error.text = linecache.getline(error.filename, error.lineno or 0) or None
    told = traceback.TracebackException(type(error), error, error.__traceback__, max_group_depth=8)
    place = _place(error, told)
    _keep_user_frames(told)
    failure = {"type": type_name(error), "message": cut(_message(error, told), MESSAGE_LIMIT)}
    if isinstance(error, SystemExit):
        failure["exit_code"], failure["message"] = exit_code(error)
    if place is not None:
        failure["line"], failure["column"] = place[0], place[1] + shift
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
    frames = [frame for frame in told.stack if is_user_file(frame.filename)]
    if not frames or not frames[-1].lineno:
        return None
    frame = frames[-1]
    line = linecache.getline(frame.filename, frame.lineno)
    return frame.lineno, len(line.encode()[: frame.colno or 0].decode("utf-8", "replace")) + 1


def _keep_user_frames(told, seen=(), is_root=True):
    """Leaves out the frames of libraries and of the harness, and implicit contexts that have no others."""
    if id(told) in seen:
        return
    seen = {*seen, id(told)}
    own = [frame for frame in told.stack or () if is_user_file(frame.filename)]
    outside = [frame for frame in told.stack or () if not frame.filename.startswith("<belljar>")]
    told.stack = _Frames(own or (outside if is_root else ()))
    if isinstance(told._str, str):
        told._str = told._str.partition(_NO_SITE)[0]
    if told.__context__ is not None and not _reaches_user(told.__context__):
        told.__context__ = None
    for other in (told.__cause__, told.__context__, *(told.exceptions or ())):
        if other is not None:
            _keep_user_frames(other, seen, is_root=False)


def _reaches_user(told):
    return any(is_user_file(frame.filename) for frame in told.stack or ())


def _notes(error):
    if isinstance(error, ModuleNotFoundError) and isinstance(error.name, str):
        return [hint(error.name)]
    if isinstance(error, SyntaxError) and error.msg == "'return' outside function":
        return [_RETURN_HINT]
    return []


def release(error):
    """Gives back the memory that the code's frames hold, so that there is room to tell of the error."""
    traceback.clear_frames(error.__traceback__)


def warm():
    """Describes errors of two kinds, so that what the traceback module imports on first use is in the image."""
    for code in ("warm", "warm ="):
        try:
            eval(compile(code, "<code>", "exec"))
        except Exception as error:
            describe(error)
