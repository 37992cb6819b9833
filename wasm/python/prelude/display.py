"""The last expression as the reader sees it: as Python prints it, but readable and short."""

import pprint
from itertools import islice

from _belljar import tables
from _belljar.text import cut, safe_repr, type_name, well_formed

LIMIT = 100_000
_ONE_LINE = 100
_MAX_LEAVES = 2_000
_MAX_ITEMS = 100
_MAX_SHOWN = 500  # values of a shortened container
_MAX_ROWS = 60
_MAX_BITS = 300_000
_PLAIN = (dict, list, tuple, set, frozenset)
_pformat = pprint.pformat


class _More:
    """Stands for what was left out of a container."""

    def __init__(self, words):
        self.words = words

    def __repr__(self):
        return self.words

    def __lt__(self, other):
        return False


def show(value):
    """Returns ``(text, was_cut)``; never raises but for an interrupt."""
    try:
        text, short = _show(value)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text, short = _show_guarded(value)
    return cut(well_formed(text), LIMIT), short or len(text) > LIMIT


def _show_guarded(value):
    """Shows a container, some item of which can't be shown."""
    if type(value) not in _PLAIN:
        return safe_repr(value, LIMIT), False
    try:
        return repr(_shorten(value, 0, set(), [_MAX_SHOWN], guarded=True)), False
    except RecursionError:
        return safe_repr(value, LIMIT), False


def _show(value):
    if isinstance(value, tables._kind("pandas", "DataFrame")):
        return _frame(value)
    if isinstance(value, tables._kind("pandas", "Series")):
        return _series(value)
    if isinstance(value, tables._kind("numpy", "ndarray")):
        return repr(value), value.size > 1_000
    if type(value) is int and value.bit_length() > _MAX_BITS:
        return f"<int of {value.bit_length():,} bits>", True
    if type(value) is str and len(value) > LIMIT:
        return cut(repr(value[:LIMIT]), LIMIT - 100) + f"… {len(value) - LIMIT:,} more characters", True
    if type(value) in _PLAIN:
        leaves = _count(value, _MAX_LEAVES, 0)
        if leaves > _MAX_LEAVES:
            return _pformat(_shorten(value, 0, set(), [_MAX_SHOWN]), width=_ONE_LINE, compact=True, sort_dicts=False), True
        text = repr(value)
        if len(text) > _ONE_LINE:
            text = _pformat(value, width=_ONE_LINE, compact=True, sort_dicts=False)
        return text, False
    return safe_repr(value, LIMIT), False


def _frame(frame):
    rows, columns = frame.shape
    text = frame.to_string(max_rows=_MAX_ROWS if rows <= _MAX_ROWS else 10, max_cols=20, max_colwidth=60, show_dimensions=False)
    if rows <= _MAX_ROWS and columns <= 20:
        return text, False
    more = f" … {rows - 10:,} more rows" if rows > _MAX_ROWS else ""
    return f"{text}\n[{rows:,} rows × {columns:,} columns]{more}", True


def _series(series):
    rows = len(series)
    text = series.to_string(max_rows=_MAX_ROWS if rows <= _MAX_ROWS else 10, name=True, dtype=True)
    if rows <= _MAX_ROWS:
        return text, False
    return f"{text}\n[{rows:,} rows] … {rows - 10:,} more rows", True


def _count(value, limit, depth):
    """Counts leaves, texts by their length, no further than just past the limit."""
    if type(value) is str or type(value) is bytes:
        return 1 + len(value) // 200
    if type(value) not in _PLAIN:
        return 1
    if depth > 40:
        return limit + 1
    total = 1
    for item in value.items() if type(value) is dict else value:
        total += _count(item, limit - total, depth + 1)
        if total > limit:
            break
    return total


def _shorten(value, depth, above, room, guarded=False):
    """Copies a container with what fits of it; `room` holds the count of values that still do."""
    kind = type(value)
    if kind is str or kind is bytes:
        return value if len(value) <= 2_000 else _More(f"{value[:2_000]!r}… {len(value) - 2_000:,} more")
    if kind not in _PLAIN:
        return _More(safe_repr(value, 2_000)) if guarded else value
    if id(value) in above or depth > 8 or room[0] <= 0:
        return _More("…")
    above = above | {id(value)}
    first = _MAX_ITEMS if depth == 0 else 10
    room[0] -= min(first, len(value))
    parts = [_shorten(item, depth + 1, above, room, guarded) for item in islice(value.values() if kind is dict else value, first)]
    left = len(value) - len(parts)
    if kind is dict:
        keys = [_More(safe_repr(key, 1_000)) for key in islice(value, first)]
        return dict([*zip(keys, parts), *([(_More("…"), _More(f"{left:,} more keys"))] if left else [])])
    if left:
        parts.append(_More(f"… {left:,} more items"))
    if kind in (set, frozenset):
        return _More("{" + ", ".join(map(repr, parts)) + "}")
    return kind(parts)
