"""Measures of how a reservoir forgets its start: echo states, Lyapunov exponents, products of Jacobians."""

from itertools import pairwise

import numpy as np
from jaxtyping import Float64
from numpy import ndarray

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.reservoirs.reservoir import DeepReservoir, Reservoir


def distances(
    reservoir: Reservoir | DeepReservoir,
    inputs: Float64[ndarray, "time input"],
    initial: Float64[ndarray, "start unit"],
) -> Float64[ndarray, "time"]:
    """The largest distance of states from those of the first start, at each step, all driven by the same inputs.

    A reservoir has echo states if it goes to 0 whatever the starts (Jaeger 2001, Definition 1). At leak 1 it does if
    the largest singular value of W is below 1. A spectral radius below 1 is neither enough nor needed (Yildiz, Jaeger &
    Kiebel 2012): it says what becomes of small states without inputs.
    """
    states = reservoir.states(np.broadcast_to(inputs, (len(initial), *inputs.shape)), initial)
    apart: ndarray = np.linalg.norm(states - states[:1], axis=-1).max(0)
    return apart


def has_echo_states(
    reservoir: Reservoir | DeepReservoir,
    inputs: Float64[ndarray, "time input"],
    starts: int,
    tolerance: float,
    root_seed: int,
    seed: int,
) -> bool:
    """True if states from several starts, driven by the same inputs, end within a tolerance of the first.

    One false answer denies echo states to these inputs; a true one says that these starts gave no example.

    Args:
        starts: how many, each number uniform between -1 and 1, where all states end up.
        tolerance: above 0, of a distance between the last states.
        root_seed, seed: name the stream of the starts.

    Raises:
        InputError: for fewer than two starts, or a tolerance that is not above 0.
    """
    require(starts >= 2, "starts", "at least 2", starts)
    require(tolerance > 0, "tolerance", "above 0", tolerance)
    initial = numpy_generator(root_seed, seed, "echo states").uniform(-1, 1, (starts, reservoir.units))
    return bool(distances(reservoir, inputs, initial)[-1] <= tolerance)


def lyapunov_exponents(
    reservoir: Reservoir | DeepReservoir,
    inputs: Float64[ndarray, "time input"],
    count: int,
    washout: int,
    root_seed: int,
    seed: int,
) -> Float64[ndarray, "exponent"]:
    """The `count` largest Lyapunov exponents of a driven reservoir, in nats a step, largest first.

    Vectors are moved by the Jacobians along the states, and made orthonormal after each step (Benettin et al. 1980): an
    exponent is the mean of the logarithm of what one is stretched by. Where states stay near 0 the largest is log ρ(W).
    Where something is forgotten at once, as by a delay line, an exponent is -∞.

    Args:
        washout: steps at the start that do not count.
        root_seed, seed: name the stream of the vectors at the start.

    Raises:
        InputError: for a washout that leaves no step, or more exponents than units.
    """
    steps = len(inputs)
    require(0 <= washout < steps, "washout", f"at least 0 and below the length of a series ({steps})", washout)
    require(1 <= count <= reservoir.units, "count", f"from 1 to the units ({reservoir.units})", count)
    vectors = np.linalg.qr(numpy_generator(root_seed, seed, "exponents").normal(size=(reservoir.units, count)))[0]
    states = np.concatenate([np.zeros((1, reservoir.units)), reservoir.states(inputs[None])[0]])
    stretch_sums = np.zeros(count)
    for t, (before, after) in enumerate(pairwise(states)):
        vectors, triangle = np.linalg.qr(reservoir.push(before[None], after[None], vectors[None])[0])
        if t >= washout:
            with np.errstate(divide="ignore"):
                stretch_sums += np.log(np.abs(np.diagonal(triangle)))
    return np.sort(stretch_sums / (steps - washout))[::-1]


def largest_stretch(
    reservoir: Reservoir | DeepReservoir,
    inputs: Float64[ndarray, "sequence time input"],
    lags: int,
    initial: Float64[ndarray, "sequence unit"] | None = None,
) -> Float64[ndarray, "sequence lag"]:
    """‖∂h_t/∂h_{t-k}‖, the largest singular value of the product of Jacobians, at the last step t for k = 0, …, `lags`.

    Args:
        initial: h_0; 0 where it is not given.

    Raises:
        InputError: for more lags than steps.
    """
    require(0 <= lags <= inputs.shape[1], "lags", f"from 0 to the steps ({inputs.shape[1]})", lags)
    start = np.zeros((len(inputs), reservoir.units)) if initial is None else initial
    states = np.concatenate([start[:, None], reservoir.states(inputs, start)], 1)
    products = np.broadcast_to(np.eye(reservoir.units), (len(inputs), reservoir.units, reservoir.units))
    stretches = []
    for k in range(lags + 1):
        stretches.append(np.linalg.norm(products, 2, (-2, -1)))
        if k < lags:
            identity = np.broadcast_to(np.eye(reservoir.units), products.shape)
            products = products @ reservoir.push(states[:, -k - 2], states[:, -k - 1], identity)
    return np.stack(stretches, -1)
