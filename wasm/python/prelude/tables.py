"""Values of numpy and pandas in plain terms. Neither is imported here: they count once the code has imported them."""

import sys

_modules = sys.modules
MAX_CELLS = 10_000
MAX_ROWS = 1_000
_MAX_HEAD = 100  # numbers shown of an array that is too long


class _Missing:
    """Stands for pandas' NA and NaT."""


MISSING = _Missing()


def _kind(library, name):
    kind = getattr(_modules.get(library), name, None)
    return kind if isinstance(kind, type) else ()


def is_missing(value):
    """True for pandas' NaT, which claims to be a datetime."""
    return type(value).__name__ == "NaTType"


def plain(value):
    """Returns the Python scalar that a scalar of numpy or pandas holds, MISSING, or the value itself."""
    pandas = _modules.get("pandas")
    if pandas is not None and (value is pandas.NaT or value is pandas.NA):
        return MISSING
    if isinstance(value, _kind("numpy", "generic")):
        return _plain_numpy(value)
    return value


def _plain_numpy(value):
    kind = value.dtype.kind
    if kind == "M":
        return MISSING if str(value) == "NaT" else str(value)
    if kind == "f":
        return float(value)
    if kind in "biuc":
        return value.item()
    return value


def shape(value):
    """Returns ``(kind, items, length, was_cut)`` as `value` writes an array, a frame, a series or an index, else None."""
    if isinstance(value, _kind("numpy", "ndarray")):
        return _array(value)
    if isinstance(value, _kind("pandas", "DataFrame")):
        return _frame(value)
    if isinstance(value, _kind("pandas", "Series")):
        return _series(value)
    if isinstance(value, (_kind("pandas", "Index"), _kind("pandas", "Categorical"))):
        return "array", _cells(value[:MAX_CELLS]), len(value), False
    return None


def _array(value):
    if value.size > MAX_CELLS:
        head = {"shape": list(value.shape), "dtype": str(value.dtype)}
        width = value.size // value.shape[0]
        first = value[: _MAX_HEAD // width] if width <= _MAX_HEAD else value.reshape(-1)[:_MAX_HEAD]
        head["cut"] = f"… {value.size - first.size:,} more values"
        head["head"] = _lists(first)
        return "object", head.items(), len(head), True
    nested = _lists(value)
    if not isinstance(nested, list):
        nested = [nested]
    return "array", iter(nested), len(nested), False


def _lists(value):
    if value.dtype.kind == "M":
        return value.astype(str).astype(object).tolist() if value.size else []
    return value.tolist()


def _frame(frame):
    rows, columns = frame.shape
    kept = min(rows, MAX_ROWS, max(1, MAX_CELLS // max(1, columns)))
    part = frame.iloc[:kept]
    series = [_cells(part.iloc[:, number]) for number in range(columns)]
    labels = [_label(name) for name in frame.columns]
    told = {"columns": labels, "data": [list(row) for row in zip(*series)]}
    return _indexed(told, frame.index, kept, rows)


def _series(series):
    rows = len(series)
    kept = min(rows, MAX_ROWS)
    told = {"name": None if series.name is None else _label(series.name), "data": _cells(series.iloc[:kept])}
    return _indexed(told, series.index, kept, rows)


def _indexed(told, index, kept, rows):
    if not _is_default(index):
        told["index"] = [_label(label) for label in index[:kept]]
    if kept < rows:
        told["rows"] = rows
    return "object", told.items(), len(told), kept < rows


def _is_default(index):
    kind = _kind("pandas", "RangeIndex")
    return isinstance(index, kind) and index.start == 0 and index.step == 1


def _label(label):
    item = plain(label)
    return item if isinstance(item, (str, int, float, tuple)) or item is MISSING else label


def _cells(values):
    """The cells of a column: what is missing is null, but NaN in a column of floats stays NaN."""
    cells = list(values)
    if str(values.dtype) in ("float64", "float32", "float16", "complex128"):
        return cells
    missing = values.isna()
    return [None if is_gone else cell for cell, is_gone in zip(cells, missing)]
