"""One turn: the code comes through the door, runs as `__main__`, and a report goes back."""

import _host
import builtins
import sys
import types

from _belljar import (
    awaiting, display, failure, frames, grants, hooks, integers, interrupts, libraries, limits, locales, network, notebook,
    overflow, pictures, processes, seeds, source, stdio, threads, value, zones,
)
from _belljar.door import ask, field, quote
from _belljar.text import safe_repr

_main = sys.modules["__main__"]
_originals = dict(vars(builtins))
_RESERVE = 1_048_576
_RECURSION_LIMIT = sys.getrecursionlimit()
_MAX_RECURSION = 100_000  # beyond, freeing a traceback overflows the stack
_set_limit, _set_trace, _set_profile = sys.setrecursionlimit, sys.settrace, sys.setprofile
_limit, _frame, _exception = sys.getrecursionlimit, sys._getframe, sys.exception
_ITERATORS = (types.GeneratorType, map, filter, zip, enumerate, reversed, type(iter([])))


class _State:
    """What lasts from turn to turn."""

    def __init__(self):
        self.turns = 0
        self.flags = 0
        self.reserve = None
        self.modules = {}
        self.limit = _RECURSION_LIMIT  # of recursion, as the code has set it


_state = _State()


class _Report:
    """What a turn tells: members of the report, and notes."""

    def __init__(self):
        self.notes = []
        self.truncated = []
        self.result = None
        self.repr = None
        self.error = None
        self.cause = None

    def fields(self):
        members = [field("status", quote("ok" if self.error is None else "error"))]
        if self.result is not None:
            members += [field("result", self.result), field("repr", quote(self.repr))]
        if self.error is not None:
            members.append(field("error", value.to_json(self.error)[0]))
        if self.notes:
            members.append(field("notes", value.to_json(list(dict.fromkeys(self.notes))[:20])[0]))
        if self.truncated:
            members.append(field("truncated", value.to_json(self.truncated)[0]))
        return members


def ready():
    """Tells the host where `turn` is: the last act of the build, before the image is taken."""
    global _originals
    for part in (stdio, threads, processes, network, notebook, zones, grants, hooks, interrupts):
        part.install()
    sys.set_int_max_str_digits(0)
    sys.setrecursionlimit = _set_recursion_limit
    libraries.install()
    _originals = dict(vars(builtins))
    # The host has no more than addresses, so the builtin module of the door holds the functions.
    _host.turn, _host.where, _host.rest = turn, where, rest
    ask("ready", [field("turn", str(id(turn))), field("where", str(id(where)))])


def rest():
    """Makes all as it is before a first turn, and notes the modules that are there: the build calls it before each image is taken."""
    _state.turns = _state.flags = 0
    _state.limit = _RECURSION_LIMIT
    _state.reserve = bytearray(_RESERVE)
    for name in [name for name in vars(_main) if not name.startswith("__")]:
        del vars(_main)[name]
    frames.forget()
    hooks.take_notes()
    stdio.begin()
    _state.modules = dict(sys.modules)


def turn():
    """Runs one turn. Takes nothing, returns None and raises nothing, whatever the code does.

    An interrupt (KeyboardInterrupt) may come at any bytecode, in the code or while its report is made: what could
    not be told in full is then told briefly, with the place where the code was.
    """
    report = _Report()
    try:
        _work(report)
        _send(report)
        return
    except BaseException as error:
        last = report.cause or error
    for describe in (failure.describe, failure.describe_bluntly):
        try:
            libraries.restore()
            report = _Report()
            report.error, report.notes = describe(last)
            _send(report)
            return
        except BaseException:
            continue


def where():
    """Reports where the code is that the host is about to end. Called amid whatever that does, so it asks for little."""
    report = _Report()
    report.error = frames.place_of(_frame(1), _exception())
    _send(report)


def _send(report):
    ask("report", report.fields())


def _work(report):
    header, payload = ask("turn")
    _state.turns += 1
    _prepare(header)
    filename = "<code>" if _state.turns == 1 else f"<code {_state.turns}>"
    shift = 0
    try:
        try:
            code = source.read(payload)
            shift = code.shift
            frames.remember(filename, code.text)
            body, last, _state.flags = source.compile_turn(code, filename, _state.flags)
            frames.remember(filename, code.text)
            report.notes += code.notes
            result = _run(body, last)
            threads.finish()
        finally:
            _take_back()
        _tell_value(report, result)
        interrupts.leave()
    except BaseException as error:
        interrupts.leave()
        _state.reserve = None
        report.cause = error
        frames.remember(filename, code.text if "code" in locals() else "")
        _tell_failure(report, error, shift)
        if isinstance(error, (KeyboardInterrupt, MemoryError)):
            pictures.drop()
            stdio.flush()
            return
    pictures.send_figures(report.notes)
    report.notes += hooks.take_notes()
    stdio.flush()


def _prepare(header):
    if _state.turns > 1:
        _mend()
    interrupts.begin()
    if header.get("reseed"):
        seeds.reseed()
    if _state.reserve is None:  # filling it costs more than the rest of a small turn
        _state.reserve = bytearray(_RESERVE)
    pictures.begin(header.get("image_max_px"))
    limits.begin(header)
    threads.begin()
    awaiting.begin()
    overflow.begin()
    grants.begin(header)


def _mend():
    """Puts in place again what earlier turns may have put away; before the first all is as `rest` has left it."""
    _restore_builtins()
    _set_limit(_RECURSION_LIMIT)
    sys.modules["__main__"] = _main
    vars(_main).pop("__warningregistry__", None)  # a line of another turn has the same number
    stdio.begin()


def _set_recursion_limit(limit, /):
    """Sets the recursion limit, to no more than this interpreter bears."""
    _set_limit(min(limit, _MAX_RECURSION) if isinstance(limit, int) else limit)


_set_recursion_limit.__name__ = _set_recursion_limit.__qualname__ = "setrecursionlimit"


def _run(body, last):
    _set_limit(_state.limit)
    if body is not None:
        awaiting.finish(eval(body, vars(_main)))
    return awaiting.finish(eval(last, vars(_main))) if last is not None else None


def _take_back():
    """Undoes, before the harness goes on, what the code may have put in its way."""
    _set_trace(None)
    _set_profile(None)
    _state.limit = _limit()
    _set_limit(_RECURSION_LIMIT)
    _restore_builtins()
    # The names alone are looked at, which nobody counts: to touch each module is to write to its page.
    if not _state.modules.keys() <= sys.modules.keys():
        for name, module in _state.modules.items():
            sys.modules.setdefault(name, module)


def _restore_builtins():
    """Gives the names of `builtins` their meaning again; the library's modules, which report, stand on them."""
    now = vars(builtins)
    try:
        if now == _originals:
            return
    except Exception:  # a rebound name may hold anything, and its comparison do anything
        pass
    for name, original in _originals.items():
        if now.get(name, now) is not original:
            now[name] = original


def _tell_value(report, result):
    """Tells the value, whatever it does when looked at: even its class may be a property that raises."""
    try:
        _tell_any_value(report, result)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException:
        report.repr = safe_repr(result)
        report.result = quote(report.repr)


def _tell_any_value(report, result):
    if result is None:
        return
    pictures.take_image(result, report.notes)
    if pictures.is_artist(result):
        return
    report.result, cuts = value.to_json(result)
    report.repr, short = display.show(result)
    if cuts:
        report.truncated.append("result")
        report.notes.append("The result was cut to fit: print or return the part you need.")
    if short:
        report.truncated.append("repr")
    if isinstance(result, _ITERATORS):
        report.notes.append("The value is an iterator, which is not run to show it: wrap it in list(...).")


def _tell_failure(report, error, shift):
    report.result = report.repr = None
    if isinstance(error, SystemExit) and failure.exit_code(error)[0] == 0:
        report.notes.append("The code ended the run itself, with exit code 0.")
        return
    if isinstance(error, MemoryError):
        failure.release(error)
    report.error, notes = failure.describe(error, shift)
    report.notes += notes
