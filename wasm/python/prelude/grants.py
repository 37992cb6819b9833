"""What the user has granted: variables, and packages on the path."""

import os
import sys
import zipimport

from _belljar import packages
from _belljar.frames import is_user_file
from _belljar.hooks import note

_archives = zipimport._zip_directory_cache
_finders = sys.path_importer_cache
_frame = sys._getframe
_OS = os.getenv.__code__.co_filename


class _State:
    """What was granted in the turn before, so that what the code itself has changed stays."""

    def __init__(self):
        self.variables = {}
        self.path = []


_state = _State()


class _Environ(type(os.environ)):
    """The variables; it tells how to pass one that the code asks for and that isn't there."""

    def __getitem__(self, key):
        try:
            return super().__getitem__(key)
        except KeyError:
            _tell(key)
            raise

    def get(self, key, default=None):
        """Returns the value of a variable, or `default`."""
        if key in self:
            return super().__getitem__(key)
        if default is None:
            _tell(key)
        return default


_Environ.__name__ = _Environ.__qualname__ = "_Environ"


def _tell(key):
    frame = _frame(2)
    while frame is not None and frame.f_code.co_filename == _OS:
        frame = frame.f_back
    if frame is not None and is_user_file(frame.f_code.co_filename) and isinstance(key, str) and key.isidentifier():
        note(f"The variable {key} is not passed to the code. Whoever starts Belljar can pass it with --allow-env={key}.")


def install():
    """Makes `os.environ` tell what is missing, once."""
    os.environ.__class__ = _Environ


def _forget(places):
    """Has these places looked at anew: what is known of them may be of other folders.

    `importlib.invalidate_caches` would do it for all places, but imports much of the library for it, and reads its index.
    """
    for known in [known for known in _finders if type(known) is str and known.startswith(places)]:
        _finders.pop(known, None)
    for place in places:
        _archives.pop(place, None)


def begin(header):
    """Takes what is granted in this turn."""
    variables, path = header.get("variables") or {}, header.get("packages") or []
    packages.refused = header.get("refused_packages") or {}
    if variables != _state.variables:
        for name in _state.variables.keys() - variables.keys():
            os.environ.pop(name, None)
        for name, value in variables.items():
            os.environ[name] = value
        _state.variables = variables
    if path != _state.path:
        sys.path[:] = [entry for entry in sys.path if entry not in _state.path] + path
        _forget((*_state.path, *path))
        _state.path = path
