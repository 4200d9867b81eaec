"""Named random streams: every draw comes from `(root seed, seed, names)` and from nowhere else."""

import hashlib
from numbers import Integral

import numpy as np

from learnability.core.errors import require


def check_seed(name: str, seed: object) -> None:
    """Raise `InputError` unless a seed is an integer from 0 on."""
    require(isinstance(seed, Integral) and int(seed) >= 0, name, "an integer, at least 0", seed)


def seed_sequence(root_seed: int, seed: int, *names: str | int) -> np.random.SeedSequence:
    """The stream of `names` (for instance `"training", "inputs"`) of a root seed and a seed.

    The spawn key is `(seed, h(name_1), h(name_2), …)`, h the first 64 bits of SHA-256, so that streams
    of different names are independent and adding a name never moves another stream.

    Raises:
        InputError: for a seed that is not an integer from 0 on: without one, numbers would differ from run to run.
    """
    check_seed("root_seed", root_seed)
    check_seed("seed", seed)
    words = (hashlib.sha256(str(name).encode()).digest()[:8] for name in names)
    return np.random.SeedSequence(root_seed, spawn_key=(seed, *(int.from_bytes(word) for word in words)))


def numpy_generator(root_seed: int, seed: int, *names: str | int) -> np.random.Generator:
    """A NumPy generator on the stream of `names`."""
    return np.random.default_rng(seed_sequence(root_seed, seed, *names))
