"""Engines that drive a reservoir step by step: `states.cpp`, or NumPy."""

import ctypes
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float64
from numpy import ndarray
from scipy.sparse import csr_array

from learnability.core.compiled import find_compiler, load
from learnability.core.errors import InputError, lookup, require

STATES = Path(__file__).with_name("states.cpp")

log = logging.getLogger(__name__)


def drive(
    recurrent: Float64[ndarray, "unit unit"] | csr_array,
    leak: float,
    initial: Float64[ndarray, "sequence unit"],
    driven: Float64[ndarray, "time sequence unit"],
    engine: str,
    threads: int,
) -> None:
    """Make the states h_t, in place, of W_in x_t + b.

    Args:
        engine: `native`, `numpy`, or `auto`: C++ where it can be compiled, else NumPy, on one thread.
        threads: among which the native engine divides sequences.
    """
    require(threads >= 1, "threads", "at least 1", threads)
    name = fastest() if engine == "auto" else engine
    drive_states = lookup(ENGINES, "engine", name)
    if engine == "auto" and name == "numpy":
        threads = 1
    drive_states(recurrent, leak, initial, driven, threads)


@cache
def fastest() -> str:
    """Name of the engine that `auto` means here; found once, as a step takes less time than to look for a compiler."""
    if find_compiler() is None:
        return "numpy"
    try:
        load(STATES)
    except InputError as error:
        log.warning("Reservoirs: numpy (auto: the native engine does not run here: %s)", error)
        return "numpy"
    return "native"


def _drive_natively(
    recurrent: ndarray | csr_array, leak: float, initial: ndarray, driven: ndarray, threads: int
) -> None:
    time, sequences, units = driven.shape
    library, pointer, count = load(STATES), ctypes.c_void_p, ctypes.c_long
    if isinstance(recurrent, csr_array):
        require(recurrent.nnz < 2**31, "recurrent weights", "below 2³¹ that are not 0", recurrent.nnz)
        run, indices = library.drive_sparse, (recurrent.indices, recurrent.indptr)
        weights = [
            np.ascontiguousarray(recurrent.data, float),
            *(np.ascontiguousarray(array, np.int32) for array in indices),
        ]
    else:
        run, weights = library.drive_dense, [np.ascontiguousarray(recurrent, float)]
    run.argtypes = [*[pointer] * len(weights), count, ctypes.c_double, pointer, pointer, count, count, count]
    start = np.ascontiguousarray(initial, float)

    def drive_part(first: int, last: int) -> None:
        places = (array.ctypes.data + first * units * array.itemsize for array in (start, driven))
        run(*(array.ctypes.data for array in weights), units, leak, *places, last - first, time, sequences * units)

    if threads == 1:
        drive_part(0, sequences)
        return
    bounds = [sequences * part // threads for part in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(drive_part, bounds[:-1], bounds[1:]))


def _drive_by_numpy(
    recurrent: ndarray | csr_array, leak: float, initial: ndarray, driven: ndarray, threads: int
) -> None:
    require(threads == 1, "threads", "1 for engine 'numpy'", threads)
    state = initial
    for row in driven:
        row += (recurrent @ state[0])[None] if len(state) == 1 else (recurrent @ state.T).T
        np.tanh(row, out=row)
        row *= leak
        row += (1 - leak) * state
        state = row


ENGINES = {"native": _drive_natively, "numpy": _drive_by_numpy}
