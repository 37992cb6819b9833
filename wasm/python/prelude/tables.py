"""Values of numpy and pandas in plain terms. Neither is imported here: they count once the code has imported them."""

import sys

_modules = sys.modules
MAX_CELLS = 10_000
MAX_ROWS = 1_000


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
    """As `value._shape`: how an array, a frame, a series or an index is written, else None."""
    if isinstance(value, _kind("numpy", "ndarray")):
        return _array(value)
    if isinstance(value, _kind("pandas", "DataFrame")):
        return _frame(value)
    if isinstance(value, _kind("pandas", "Series")):
        return _series(value)
    if isinstance(value, (_kind("pandas", "Index"), _kind("pandas", "Categorical"))):
        return "array", _cells(value[:MAX_CELLS]), len(value)
    return None


def _array(value):
    if value.size > MAX_CELLS:
        head = {"shape": list(value.shape), "dtype": str(value.dtype)}
        rows = max(1, min(value.shape[0], 1_000 // max(1, value.size // value.shape[0])))
        first = value[:rows] if value.size // value.shape[0] <= 1_000 else value.reshape(-1)[:1_000]
        head["cut"] = f"… {value.size - first.size:,} more values"
        head["head"] = _lists(first)
        return "object", head.items(), len(head)
    nested = _lists(value)
    if not isinstance(nested, list):
        nested = [nested]
    return "array", iter(nested), len(nested)


def _lists(value):
    if value.dtype.kind == "M":
        return value.astype(str).astype(object).tolist() if value.size else []
    return value.tolist()


def _frame(frame):
    rows, columns = frame.shape
    kept = min(rows, MAX_ROWS, max(1, MAX_CELLS // max(1, columns)))
    part = frame.iloc[:kept]
    series = [_cells(part.iloc[:, number]) for number in range(columns)]
    told = {"columns": [_label(name) for name in frame.columns], "data": [list(row) for row in zip(*series)] if columns else [[] for _ in range(kept)]}
    return _indexed(told, frame.index, kept, rows)


def _series(series):
    rows = len(series)
    kept = min(rows, MAX_CELLS)
    told = {"name": None if series.name is None else _label(series.name), "data": _cells(series.iloc[:kept])}
    return _indexed(told, series.index, kept, rows)


def _indexed(told, index, kept, rows):
    if not _is_default(index):
        told["index"] = [_label(label) for label in index[:kept]]
    if kept < rows:
        told["rows"] = rows
    return "object", told.items(), len(told)


def _is_default(index):
    kind = _kind("pandas", "RangeIndex")
    return isinstance(index, kind) and index.start == 0 and index.step == 1


def _label(label):
    item = plain(label)
    return item if isinstance(item, (str, int, float, tuple)) or item is MISSING else label


def _cells(values):
    """The cells of a column: what is missing is null, but NaN in a column of floats stays NaN."""
    missing = values.isna() if hasattr(values, "isna") else [False] * len(values)
    floats = getattr(values.dtype, "kind", "O") in "fc" and not hasattr(values.dtype, "na_value") or str(values.dtype) in ("float64", "float32")
    cells = list(values)
    if floats:
        return cells
    return [None if gone is True or gone == True else cell for cell, gone in zip(cells, list(missing))]
