"""The library's modules that an error is told with, as they were: code may have put anything in place of what is in them."""

import sys
import types

_TOLD_WITH = (
    "_colorize", "ast", "codecs", "collections", "contextlib", "functools", "io", "itertools", "keyword", "linecache", "math",
    "operator", "os", "re", "textwrap", "tokenize", "traceback", "types", "warnings",
)
_names_of = types.ModuleType.__dict__["__dict__"].__get__
_class_names_of = type.__dict__["__dict__"].__get__
_originals = []
_HEAP_TYPE = 1 << 9  # of a class's flags: code can change it


def install():
    """Remembers what is in them and in their classes; the last act before the image is taken."""
    for name in _TOLD_WITH:
        module = sys.modules.get(name)
        if module is None:
            continue
        original = dict(_names_of(module))
        _originals.append((module, original))
        for kind in original.values():
            if type(kind) is type and kind.__module__ == name and kind.__flags__ & _HEAP_TYPE:
                _originals.append((kind, dict(_class_names_of(kind))))


def restore():
    """Gives the names in them their meaning again; what the code has added stays.

    Asked for only when an error could not be told: to compare all of these touches as many pages.
    """
    for holder, original in _originals:
        now = _class_names_of(holder) if isinstance(holder, type) else _names_of(holder)
        for name, value in original.items():
            if now.get(name, original) is not value:
                _set(holder, name, value)


def _set(holder, name, value):
    try:
        (type if isinstance(holder, type) else types.ModuleType).__setattr__(holder, name, value)
    except (AttributeError, TypeError):
        pass
