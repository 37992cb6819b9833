"""numpy's default integer: 32 bits on this platform, 64 where people write their code.

Sums and squares that overflow in silence are the worst of answers, so what the code itself makes (arrays of plain
ints, `dtype=int`, sums of small integers) is int64, as on any desktop. Libraries keep the platform's own integer,
which their compiled parts are built for: only calls from the code's own frames are widened. What overflows in spite of
that is told (`overflow.py`).
"""

import gc
import sys

from _belljar import integer_names
from _belljar.hooks import after_import

_USER_PLACES = ("<code", "/work/", "/tmp/")
_frame = sys._getframe

# Made of plain values: what they return is widened.
_MAKERS = (
    "array asarray asanyarray ascontiguousarray arange full zeros ones empty eye identity linspace fromiter fromstring "
    "fromfunction loadtxt genfromtxt where indices unique diff sort tile repeat append concatenate stack hstack vstack "
    "column_stack atleast_1d atleast_2d full_like zeros_like ones_like pad roll flip reshape iinfo tri diag meshgrid "
    "vander diagflat diagonal triu tril clip rot90 delete insert resize select take squeeze ravel transpose swapaxes "
    "expand_dims trim_zeros ediff1d intersect1d union1d setdiff1d setxor1d split array_split max min amax amin ptp "
    "nanmax nanmin round"
).split()
# Give indices and counts, of the platform's integer whatever they are made from.
_FINDERS = (
    "argsort argmin argmax nanargmin nanargmax searchsorted nonzero flatnonzero argwhere bincount digitize lexsort "
    "argpartition unravel_index ravel_multi_index count_nonzero histogram histogramdd tril_indices triu_indices "
    "diag_indices"
).split()
_UFUNCS = (
    "add subtract multiply square power pow left_shift bitwise_left_shift right_shift floor_divide remainder mod fmod "
    "divmod absolute abs negative positive sign maximum minimum fmax fmin gcd lcm bitwise_and bitwise_or bitwise_xor "
    "invert bitwise_not matmul vecdot"
).split()
# Compute with plain values: what they take is widened first.
_COMPUTERS = (
    "sum prod cumsum cumprod cumulative_sum cumulative_prod dot outer inner vdot kron cross convolve correlate tensordot "
    "einsum nansum nanprod nancumsum nancumprod trace"
).split()
_REDUCERS = frozenset("sum prod cumsum cumprod cumulative_sum cumulative_prod nansum nanprod nancumsum nancumprod trace".split())
# Take counts or indices as the platform's integer only.
_INDEXERS = {"repeat": (1, "repeats"), "choose": (0, "a"), "put": (1, "ind")}
_RANDOM = "randint poisson binomial negative_binomial geometric hypergeometric multinomial choice permutation zipf".split()


def _asked_by_user():
    return _frame(2).f_code.co_filename.startswith(_USER_PLACES)


@after_import("numpy")
def _adapt_numpy(numpy):
    if numpy.dtype(int).itemsize == 8:
        return
    small, wide, array, ndarray = numpy.dtype(int), numpy.int64, numpy.array, numpy.ndarray

    def is_plain(value):
        return isinstance(value, (int, list, tuple, range)) and not isinstance(value, bool)

    def widened(value):
        if not isinstance(value, (ndarray, numpy.generic)) or value.dtype != small:
            return value
        return value.astype(wide)

    def widened_input(value):
        return widened(array(value)) if isinstance(value, (list, tuple, range)) and not hasattr(value, "_fields") else value

    def is_narrow(value):
        """True for what carries a type of its own, that the caller has chosen."""
        if isinstance(value, (list, tuple)):
            return any(getattr(item, "dtype", None) == small for item in value[:64])
        return getattr(value, "dtype", None) == small

    def widen_type(args, kwargs):
        if kwargs.get("dtype") in (int, "int"):
            kwargs["dtype"] = wide
        return tuple(wide if value is int else value for value in args)

    def narrowed(name, args, kwargs):
        """Indices and counts as the platform's integer, which these functions insist on."""
        position, key = _INDEXERS[name]
        args = list(args)
        if position < len(args) and getattr(args[position], "dtype", None) == wide:
            args[position] = args[position].astype(small)
        if getattr(kwargs.get(key), "dtype", None) == wide:
            kwargs[key] = kwargs[key].astype(small)
        return tuple(args)

    def maker(name, function):
        def made(*args, **kwargs):
            if not _asked_by_user():
                return function(*args, **kwargs)
            if name in _INDEXERS:
                args = narrowed(name, args, kwargs)
            args = widen_type(args, kwargs)
            result = function(*args, **kwargs)
            if kwargs.get("dtype") is not None or any(map(is_narrow, args)) or any(isinstance(a, type) for a in args):
                return result
            return type(result)(map(widened, result)) if type(result) in (tuple, list) else widened(result)

        return made

    def finder(name, function):
        def found(*args, **kwargs):
            result = function(*args, **kwargs)
            if not _asked_by_user():
                return result
            if isinstance(result, tuple):
                return tuple(map(widened, result))
            return wide(result) if type(result) is int else widened(result)

        return found

    def computer(name, function):
        def computed(*args, **kwargs):
            if not _asked_by_user():
                return function(*args, **kwargs)
            args = tuple(map(widened_input, widen_type(args, kwargs)))
            is_small = getattr(args[0] if args else None, "dtype", None) in (small, bool, numpy.int16, numpy.int8)
            if name in _REDUCERS and is_small and len(args) < 3 and "dtype" not in kwargs and "out" not in kwargs:
                kwargs["dtype"] = wide
            return function(*args, **kwargs)

        return computed

    class WideUfunc:
        """A ufunc that computes with plain integers in 64 bits; else as it is, with all its attributes."""

        __class__ = property(lambda self: numpy.ufunc)
        __module__ = "numpy"

        def __init__(self, ufunc):
            self._ufunc = ufunc

        def __call__(self, *args, **kwargs):
            if _asked_by_user() and not kwargs and all(map(is_plain, args)):
                args = [widened(array(value)) for value in args]
            return self._ufunc(*args, **kwargs)

        def __getattr__(self, name):
            value = getattr(self._ufunc, name)
            if name not in ("reduce", "accumulate", "reduceat", "outer"):
                return value
            return lambda *args, **kwargs: value(*map(widened_input, args[:2]), *args[2:], **kwargs)

        def __repr__(self):
            return repr(self._ufunc)

        def __eq__(self, other):
            return self is other or self._ufunc == other

        def __hash__(self):
            return hash(self._ufunc)

        def __reduce__(self):
            return self._ufunc.__name__

    for name in (*_MAKERS, *_INDEXERS):
        _replace(numpy, name, maker)
    for name in _COMPUTERS:
        _replace(numpy, name, computer)
    for name in _FINDERS:
        _replace(numpy, name, finder)
    for name in _UFUNCS:
        setattr(numpy, name, WideUfunc(getattr(numpy, name)))
    _adapt_methods(numpy, small, wide, widened)
    for kind in {base for made in (numpy.r_, numpy.mgrid) for base in type(made).__mro__ if "__getitem__" in vars(base)}:
        _widen_items(kind, widened, is_narrow)
    integer_names.adapt(numpy, small, wide)
    implied = numpy._core.arrayprint._typelessdata  # types that the repr of an array need not tell
    implied[:] = [wide if kind is small.type else kind for kind in implied]


def _replace(module, name, wrap):
    function = getattr(module, name, None)
    if function is None:
        return
    wrapped = wrap(name, function)
    wrapped.__name__ = wrapped.__qualname__ = name
    wrapped.__doc__ = function.__doc__
    wrapped.__module__ = module.__name__
    wrapped.__wrapped__ = function
    setattr(module, name, wrapped)


def _widen_items(kind, widened, is_narrow):
    """Widens what `numpy.r_[1, 2]` and the like make."""
    get = kind.__getitem__

    def __getitem__(self, key):
        result = get(self, key)
        if not _asked_by_user() or any(map(is_narrow, key if isinstance(key, tuple) else (key,))):
            return result
        return tuple(map(widened, result)) if isinstance(result, tuple) else widened(result)

    kind.__getitem__ = __getitem__


def _adapt_methods(numpy, small, wide, widened):
    """Widens methods of ndarray. Its type takes no attributes, so the dictionary behind its proxy is changed."""
    methods = gc.get_referents(numpy.ndarray.__dict__)[0]
    astype = methods["astype"]

    def astype_wide(self, dtype, *args, **kwargs):
        if (dtype is int or type(dtype) is str and dtype == "int") and _asked_by_user():
            dtype = wide
        return astype(self, dtype, *args, **kwargs)

    astype_wide.__name__ = astype_wide.__qualname__ = "astype"
    astype_wide.__doc__ = astype.__doc__
    methods["astype"] = astype_wide
    for name in ("sum", "prod", "cumsum", "cumprod"):
        methods[name] = _wide_reducer(name, methods[name], (small, numpy.dtype(bool), numpy.dtype("i2"), numpy.dtype("i1")), wide)
    for name in ("argsort", "argmax", "argmin", "argpartition", "nonzero", "searchsorted"):
        methods[name] = _wide_finder(name, methods[name], widened)
    sys._clear_type_cache()


def _wide_finder(name, find, widened):
    def find_wide(self, *args, **kwargs):
        result = find(self, *args, **kwargs)
        if not _asked_by_user():
            return result
        return tuple(map(widened, result)) if isinstance(result, tuple) else widened(result)

    find_wide.__name__ = find_wide.__qualname__ = name
    find_wide.__doc__ = find.__doc__
    return find_wide


def _wide_reducer(name, reduce, narrow, wide):
    def reduce_wide(self, *args, **kwargs):
        if self.dtype in narrow and len(args) < 2 and "dtype" not in kwargs and "out" not in kwargs and _asked_by_user():
            kwargs["dtype"] = wide
        return reduce(self, *args, **kwargs)

    reduce_wide.__name__ = reduce_wide.__qualname__ = name
    reduce_wide.__doc__ = reduce.__doc__
    return reduce_wide


@after_import("numpy.random")
def _adapt_random(random):
    numpy = sys.modules["numpy"]
    small, wide = numpy.dtype(int), numpy.int64
    if small.itemsize == 8:
        return

    def wrap(name, function):
        def drawn(*args, **kwargs):
            if not _asked_by_user():
                return function(*args, **kwargs)
            if name == "randint" and len(args) < 4 and kwargs.get("dtype", int) in (int, "int"):
                kwargs["dtype"] = wide
            elif name in ("binomial", "negative_binomial", "hypergeometric", "multinomial"):
                args = [value.astype(small) if getattr(value, "dtype", None) == wide else value for value in args]
            result = function(*args, **kwargs)
            if isinstance(result, numpy.ndarray) and result.dtype == small and "dtype" not in kwargs:
                return result.astype(wide)
            return result

        return drawn

    for name in _RANDOM:
        _replace(random, name, wrap)


@after_import("pandas")
def _adapt_pandas(pandas):
    """`astype(int)` and `dtype=int` mean int64, as pandas' own integers do."""
    common = sys.modules["pandas.core.dtypes.common"]
    pandas_dtype = common.pandas_dtype
    if pandas_dtype(int).itemsize == 8:
        return

    def wide_dtype(dtype):
        if dtype is int or type(dtype) is str and dtype == "int":
            dtype = "int64"
        return pandas_dtype(dtype)

    for name, module in list(sys.modules.items()):
        if name.startswith("pandas.") and getattr(module, "pandas_dtype", None) is pandas_dtype:
            module.pandas_dtype = wide_dtype
