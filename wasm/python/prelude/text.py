"""Text that may leave the guest: well-formed UTF-8, cut to a cap that is told."""


def well_formed(text):
    """Returns `text` as a plain str in which each lone surrogate is spelled out (``\\udXXX``)."""
    try:
        return text.encode("utf-8").decode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


def cut(text, limit, unit="characters"):
    """Returns `text` cut to about `limit` characters, head and tail kept, the cut counted between."""
    if len(text) <= limit:
        return text
    head = limit * 3 // 4
    tail = limit - head
    return f"{text[:head]}\n… {len(text) - limit:,} more {unit} …\n{text[-tail:]}"


def safe_str(value, limit=20_000):
    """Returns ``str(value)``, or a stand-in when that raises anything but an interrupt."""
    return _guarded(str, value, limit)


def safe_repr(value, limit=100_000):
    """Returns ``repr(value)``, or a stand-in when that raises anything but an interrupt."""
    return _guarded(repr, value, limit)


def _guarded(render, value, limit):
    try:
        text = render(value)
        return cut(well_formed(str.__str__(text)), limit)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return f"<{type_name(value)} whose {render.__name__} raised {type_name(error)}>"


def type_name(value):
    """Returns the plain name of the type of `value`, whatever its metaclass claims."""
    try:
        return cut(well_formed(str.__str__(type.__dict__["__name__"].__get__(type(value)))[:1_000]), 200)
    except Exception:
        return "object"
