"""What is adapted in a library at the moment when the code imports it, so that none is imported in vain."""

import sys
from importlib.machinery import ModuleSpec

_after = {}
_notes = []


def after_import(name):
    """Decorates a function that takes the freshly imported module `name` and adapts it."""

    def add(adapt):
        _after[name] = adapt
        return adapt

    return add


def note(text):
    """Adds a hint to the report of this turn."""
    if text not in _notes:
        _notes.append(text)


def take_notes():
    """Returns the hints noted since the last call."""
    notes = list(_notes)
    _notes.clear()
    return notes


class _Loader:
    """Runs a module by its own loader, then adapts it."""

    def __init__(self, loader, adapt):
        self._loader = loader
        self._adapt = adapt

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._adapt(module)


class _Finder:
    """Finds what the other finders find, but for modules that are to be adapted, with `_Loader` before theirs."""

    def find_spec(self, name, path=None, target=None):
        adapt = _after.get(name)
        if adapt is None:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if isinstance(spec, ModuleSpec):
                spec.loader = _Loader(spec.loader, adapt)
                return spec
        return None


def install():
    """Puts the finder first, and adapts what is imported already."""
    for name, adapt in _after.items():
        if name in sys.modules:
            adapt(sys.modules[name])
    sys.meta_path.insert(0, _Finder())
