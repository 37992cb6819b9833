"""The standard streams: output goes out line by line, and there is no input."""

import builtins
import io
import sys

_NO_INPUT = "there is no terminal and no stdin here: pass the value in the code instead of asking for it"


class _Stream(io.TextIOWrapper):
    """An output stream whose descriptor the code can't close for the next turn."""

    def __repr__(self):
        return f"<{self.name}>"


def _open(descriptor, name):
    raw = io.FileIO(descriptor, "w", closefd=False)
    raw.name = name
    return _Stream(io.BufferedWriter(raw, 32_768), "utf-8", "backslashreplace", newline="\n", line_buffering=True)


def _usable(stream):
    try:
        _flush(stream)
        if _is_closed(stream) or not _is_writable(stream):
            return False
        buffer = _buffer_of(stream)
        return not vars(stream) and not vars(buffer) and vars(_raw_of(buffer)).keys() == {"name"}
    except (ValueError, OSError, AttributeError, TypeError):
        return False


class _Input(io.TextIOWrapper):
    def isatty(self):
        return False


def _empty_input():
    return _Input(io.BytesIO(), "utf-8")


# Of the class that code can't change, whatever it has put on the streams.
_flush, _is_writable = io.TextIOWrapper.flush, io.TextIOWrapper.writable
_is_closed, _buffer_of = io.TextIOWrapper.closed.__get__, io.TextIOWrapper.buffer.__get__
_raw_of = io.BufferedWriter.raw.__get__
_OWN = frozenset(vars(_Stream))
_streams = {"stdout": _open(1, "<stdout>"), "stderr": _open(2, "<stderr>")}


def _input(prompt="", /):
    """Stands for `input`: prints the prompt and fails at once, as there is no one to answer."""
    text = str(prompt)
    if sys.stdout is not None:
        sys.stdout.write(text)
        sys.stdout.flush()
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError(_NO_INPUT)
    return line.removesuffix("\n")


_input.__name__ = _input.__qualname__ = "input"


def begin():
    """Puts the sandbox's own streams in place for a turn, whatever the last one left."""
    for name in vars(_Stream).keys() - _OWN:
        delattr(_Stream, name)
    for name in ("stdout", "stderr"):
        if not _usable(_streams[name]):
            _streams[name] = _open(1 if name == "stdout" else 2, f"<{name}>")
        setattr(sys, name, _streams[name])
        setattr(sys, f"__{name}__", _streams[name])
    sys.stdin = sys.__stdin__ = _empty_input()


def install():
    """Replaces `builtins.input`, once."""
    builtins.input = _input


def flush():
    """Writes out what is buffered, of our streams and of those that the code put in their place."""
    for stream in (getattr(sys, "stdout", None), getattr(sys, "stderr", None)):
        try:
            stream.flush()
        except Exception:
            pass
    for stream in _streams.values():
        try:
            _flush(stream)
        except Exception:
            pass
