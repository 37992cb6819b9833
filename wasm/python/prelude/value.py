"""The last expression as JSON: any Python value, bounded in depth, breadth and bytes, never a failure."""

import array
import base64
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import types

from _json import encode_basestring as _quote

from _belljar import tables
from _belljar.text import safe_repr, type_name, well_formed

MAX_DEPTH = 48
MAX_ITEMS = 10_000  # of one container
MAX_NODES = 50_000  # of the whole value
MAX_CHARACTERS = 900_000  # of the JSON text
MAX_STRING = 100_000
MAX_BYTES = 262_144
_SAFE_INTEGER = 2**53
_MAX_BITS = 400_000  # a longer integer takes seconds to print

_DATES = {datetime.datetime: datetime.datetime.isoformat, datetime.date: datetime.date.isoformat, datetime.time: datetime.time.isoformat}
_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
_ARRAYS = (list, tuple, collections.deque, range, collections.UserList, array.array, *_VIEWS)
_MAPPINGS = (collections.ChainMap, types.MappingProxyType, collections.UserDict)
_FIELDS = dataclasses.fields


class Cut(Exception):
    """Nothing more fits."""


class Writer:
    """Writes JSON into `parts` under one budget; `cuts` says what was left out."""

    def __init__(self):
        self.parts = []
        self.cuts = []
        self._characters = MAX_CHARACTERS
        self._nodes = MAX_NODES
        self._open = set()

    def write(self, value, depth=0):
        """Writes any value. Raises nothing but what the interpreter throws at it from outside (an interrupt)."""
        self._nodes -= 1
        plain = self._guard(_scalar, value, self)
        if plain is not None:
            self._put(plain)
        elif id(value) in self._open:
            self._put('"<cycle>"')
        elif depth >= MAX_DEPTH:
            self._cut(f"nested deeper than {MAX_DEPTH}")
            self._put(_quote(f"<{type_name(value)}, nested too deep>"))
        else:
            self._open.add(id(value))
            try:
                self._container(value, depth)
            finally:
                self._open.discard(id(value))

    def array(self, values, length, depth):
        """Writes an array of `length` values, as many of them as fit."""
        self._put("[")
        for number, value in enumerate(values):
            separator = "," if number else ""
            if number >= MAX_ITEMS or self.is_full():
                self._cut("long")
                self._put(f"{separator}{_quote(f'… {length - number:,} more items')}")
                break
            self._put(separator)
            self.write(value, depth + 1)
        self._put("]")

    def object(self, pairs, length, depth):
        """Writes an object of `length` pairs; a key that is not a string is told by its repr."""
        self._put("{")
        used = set()
        for number, (key, value) in enumerate(pairs):
            separator = "," if number else ""
            if number >= MAX_ITEMS or self.is_full():
                self._cut("long")
                self._put(f"{separator}\"…\":{_quote(f'{length - number:,} more keys')}")
                break
            name = _key(key)
            if name in used:
                name = f"{safe_repr(key, 1_000)} ({number})"
            used.add(name)
            self._put(f"{separator}{_quote(name)}:")
            self.write(value, depth + 1)
        self._put("}")

    def is_full(self):
        """True when no more values are to be written."""
        return self._characters <= 0 or self._nodes <= 0

    def note_cut(self, words):
        """Remembers that something was left out."""
        self._cut(words)

    def _put(self, text):
        self._characters -= len(text)
        self.parts.append(text)

    def _cut(self, words):
        if words not in self.cuts:
            self.cuts.append(words)

    def _guard(self, ask, *values):
        """What a function says of a value, None when the value doesn't bear being asked."""
        try:
            return ask(*values)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return None

    def _container(self, value, depth):
        shape = self._guard(_shape, value)
        if shape is None:
            self._put(_quote(safe_repr(value, 10_000)))
            return
        kind, items, length, was_cut = shape
        if was_cut:
            self._cut("long")
        if kind == "array":
            self.array(items, length, depth)
        else:
            self.object(items, length, depth)


def to_json(value):
    """Returns ``(text, cuts)``: the value as JSON, and words for each way in which it was cut."""
    writer = Writer()
    writer.write(value)
    return "".join(writer.parts), writer.cuts


def _key(key):
    if isinstance(key, str):
        name = well_formed(str.__str__(key)[:1_001])
    else:
        item = tables.plain(key)
        date = _date(item)
        name = date if date is not None else safe_repr(item, 1_000)
    return name if len(name) <= 1_000 else f"{name[:1_000]}…"


def _scalar(value, writer):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return _integer(int.__int__(value))
    if isinstance(value, float):
        return _float(float.__float__(value))
    if isinstance(value, str):
        return _string(str.__str__(value), writer)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _bytes(value, writer)
    if isinstance(value, (decimal.Decimal, fractions.Fraction)):
        return _quote(safe_repr(value) if isinstance(value, enum.Enum) else _digits(value))
    date = _date(value)
    if date is not None:
        return _quote(date)
    item = tables.plain(value)
    if item is tables.MISSING:
        return "null"
    return _scalar(item, writer) if item is not value else None


def _digits(value):
    return decimal.Decimal.__str__(value) if isinstance(value, decimal.Decimal) else fractions.Fraction.__str__(value)


def _integer(value):
    if -_SAFE_INTEGER <= value <= _SAFE_INTEGER:
        return int.__repr__(value)
    if value.bit_length() > _MAX_BITS:
        return _quote(f"<int of about {int(value.bit_length() * math.log10(2)):,} digits>")
    return f'"{int.__repr__(value)}"'


def _float(value):
    if math.isfinite(value):
        return float.__repr__(value)
    return '"NaN"' if value != value else '"Infinity"' if value > 0 else '"-Infinity"'


def _string(text, writer):
    if len(text) > MAX_STRING:
        writer.note_cut("long text")
        text = f"{text[:MAX_STRING]}… {len(text) - MAX_STRING:,} more characters"
    return _quote(well_formed(text))


def _bytes(value, writer):
    size = value.nbytes if isinstance(value, memoryview) else len(value)
    head = bytes(value[:MAX_BYTES]) if not isinstance(value, memoryview) else value.tobytes()[:MAX_BYTES]
    rest = ""
    if size > MAX_BYTES:
        writer.note_cut("long bytes")
        rest = f',"cut":{_quote(f"… {size - MAX_BYTES:,} more bytes")}'
    return f'{{"$bytes":"{base64.b64encode(head).decode()}"{rest}}}'


def _date(value):
    for kind, isoformat in _DATES.items():
        if isinstance(value, kind):
            return None if tables.is_missing(value) else isoformat(value)
    return None


def _shape(value):
    """Returns ``("array" | "object", items, length, was_cut)`` for what has parts, else None."""
    kind = type(value)
    if isinstance(value, dict):
        return "object", dict.items(value), dict.__len__(value), False
    if isinstance(value, _MAPPINGS):
        return "object", value.items(), len(value), False
    if isinstance(value, tuple) and isinstance(getattr(kind, "_fields", None), tuple):
        return "object", zip(kind._fields, tuple.__iter__(value)), tuple.__len__(value), False
    if isinstance(value, (set, frozenset)):
        return "array", _ordered(value), len(value), False
    if isinstance(value, list):
        return "array", list.__iter__(value), list.__len__(value), False
    if isinstance(value, _ARRAYS):
        return "array", iter(value), len(value), False
    if not isinstance(value, type) and "__dataclass_fields__" in dir(kind):
        names = [field.name for field in _FIELDS(value)]
        return "object", ((name, getattr(value, name, "<unset>")) for name in names), len(names), False
    return tables.shape(value)


def _ordered(values):
    """A set's items, sorted where that asks no code of the user's."""
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and kinds <= {str, bytes, datetime.date, decimal.Decimal} or kinds <= {int, float, bool}:
        return sorted(values)
    return list(values)
