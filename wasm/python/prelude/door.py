"""The door to the host: a message is a JSON header line, then raw payload bytes."""

from _host import call as _call
from _json import encode_basestring as _quote
from json import JSONDecoder

from _belljar.text import well_formed

_scan = JSONDecoder().scan_once  # asks nothing of what code can change in `json`


def quote(text):
    """Returns `text` as a JSON string literal, well-formed whatever it holds."""
    return _quote(well_formed(text))


def field(name, literal):
    """Returns one member of a JSON object: `name` quoted, `literal` taken as JSON."""
    return f"{quote(name)}:{literal}"


def ask(op, fields=(), payload=b""):
    """Sends a request and returns the host's answer as ``(header dict, payload bytes)``.

    `fields` are ready members made by `field`. Raises OSError when the host faults.
    """
    header = "{" + ",".join([field("op", quote(op)), *fields]) + "}"
    answer = _call(header.encode("utf-8") + b"\n" + payload)
    line, _, rest = answer.partition(b"\n")
    return (_scan(line.decode("utf-8"), 0)[0] if line else {}), rest
