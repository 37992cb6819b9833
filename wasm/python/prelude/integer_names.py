"""What the names of numpy's default integer mean to the code: `np.int_`, `int` as an output type of `np.vectorize`."""

import sys

from _belljar.frames import is_user_file

_frame = sys._getframe


def _asked_by_user():
    return is_user_file(_frame(2).f_code.co_filename)


def adapt(numpy, small, wide):
    """Lets the names mean 64 bits where the code uses them; libraries keep the integer that they are compiled for."""
    narrow = numpy.int_
    del numpy.int_
    attribute = numpy.__getattr__

    def __getattr__(name):
        if name == "int_":
            return wide if _asked_by_user() else narrow
        return attribute(name)

    numpy.__getattr__ = __getattr__
    issubdtype = numpy.issubdtype

    def issubdtype_wide(arg1, arg2):
        if _asked_by_user():
            arg1, arg2 = (wide if kind is int else kind for kind in (arg1, arg2))
        return issubdtype(arg1, arg2)

    issubdtype_wide.__name__ = issubdtype_wide.__qualname__ = "issubdtype"
    issubdtype_wide.__module__ = "numpy"
    issubdtype_wide.__doc__ = issubdtype.__doc__
    numpy.issubdtype = issubdtype_wide
    _adapt_vectorize(numpy.vectorize, small.char, wide, numpy.dtype(wide).char)


def _adapt_vectorize(vectorize, narrow, wide, char):
    """The type of the outputs is found from the first one, a plain int as often as not."""
    begin, find = vectorize.__init__, vectorize._get_ufunc_and_otypes

    def __init__(self, *args, **kwargs):
        if _asked_by_user():
            args = (*args[:1], *map(widened, args[1:2]), *args[2:])
            if "otypes" in kwargs:
                kwargs["otypes"] = widened(kwargs["otypes"])
        begin(self, *args, **kwargs)

    def widened(otypes):
        return [wide if kind in (int, "int") else kind for kind in otypes] if isinstance(otypes, (list, tuple)) else otypes

    def _get_ufunc_and_otypes(self, func, args):
        ufunc, otypes = find(self, func, args)
        return ufunc, otypes.replace(narrow, char) if self.otypes is None and isinstance(otypes, str) else otypes

    __init__.__doc__ = begin.__doc__
    vectorize.__init__ = __init__
    vectorize._get_ufunc_and_otypes = _get_ufunc_and_otypes
