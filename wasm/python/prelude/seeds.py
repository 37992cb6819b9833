"""Random state that an image would share with every sandbox made from it."""

import random
import sys
from os import urandom

_SEED_BYTES = 32
_modules = sys.modules
_seed = random.seed


def reseed():
    """Seeds anew, from the host's entropy, each generator that keeps state of its own.

    The secret behind `hash(str)` can't change: tables in the image are laid out by it.
    """
    _seed()
    numpy_random = _modules.get("numpy.random")
    if numpy_random is not None:
        # Numpy's own way to entropy is long, and takes longer for one seed than for another: fuel would differ.
        try:
            numpy_random.seed(_modules["numpy"].frombuffer(urandom(_SEED_BYTES), "uint32"))
        except Exception:  # it asks much of numpy, which the code may have changed; for a number less
            _reseed_briefly(numpy_random)
    sympy_random = _modules.get("sympy.core.random")
    if sympy_random is not None:
        sympy_random.rng.seed()
    tempfile = _modules.get("tempfile")
    if tempfile is not None:
        tempfile._name_sequence = None
    uuid = _modules.get("uuid")
    if uuid is not None:
        uuid._node = uuid._last_timestamp = None


def _reseed_briefly(numpy_random):
    try:
        numpy_random.seed(int.from_bytes(urandom(4)))
    except Exception:  # then nothing of numpy's random numbers is left to seed
        pass
