"""Reservoirs that are drawn at random, and scaled to a spectral radius."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray
from scipy.sparse import csr_array, random_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, eigs

from learnability.core.errors import InputError, lookup, require
from learnability.core.streams import numpy_generator
from learnability.reservoirs.reservoir import DeepReservoir, Reservoir

SMALL = 30
"""Units up to which all eigenvalues are computed: there Arnoldi's method has no room."""
EIGENVALUES = 4
"""That are sought by Arnoldi's method: the largest of a random matrix are close to each other."""
RESTARTS = 300
"""Of that method until it has failed, as for one long cycle, whose eigenvalues all have the same modulus."""
DISTRIBUTIONS: dict[str, Callable[[np.random.Generator, Any], ndarray]] = {
    "normal": lambda generator, size: generator.normal(size=size),
    "uniform": lambda generator, size: generator.uniform(-1, 1, size),
}
"""Of standard deviation 1, or between -1 and 1."""


def draw_reservoir(
    units: int,
    input_size: int,
    root_seed: int,
    seed: int,
    *,
    spectral_radius: float = 0.9,
    density: float = 1.0,
    distribution: str = "normal",
    input_scale: float = 1.0,
    bias_scale: float = 0.0,
    input_distribution: str = "uniform",
    leak: float = 1.0,
    layer: int = 0,
) -> Reservoir:
    """A reservoir with random weights.

    Args:
        spectral_radius: ρ(W), to which W is scaled.
        density: share of recurrent weights that are not 0, at random places; W is sparse below 1.
        distribution: of the recurrent weights, `normal` or `uniform`.
        input_scale, bias_scale: factors of W_in and of b.
        input_distribution: that of both before.
        leak: a.
        root_seed, seed, layer: name the streams.

    Raises:
        InputError: for a value out of range; or where W, as drawn, is nilpotent, so that its spectral radius is 0 and
            no factor gives it another: with no cycle of connections.
    """
    require(units >= 1, "units", "at least 1", units)
    require(0 <= spectral_radius < np.inf, "spectral_radius", "at least 0 and finite", spectral_radius)
    require(0 < density <= 1, "density", "above 0 and at most 1", density)
    for name, scale in {"input_scale": input_scale, "bias_scale": bias_scale}.items():
        require(0 <= scale < np.inf, name, "at least 0 and finite", scale)
    recurrent = lookup(DISTRIBUTIONS, "distribution", distribution)
    of_inputs = lookup(DISTRIBUTIONS, "input_distribution", input_distribution)
    generators = {name: numpy_generator(root_seed, seed, "reservoir", layer, name) for name in ("W", "W_in", "b")}
    drawn = _draw_weights(units, density, recurrent, generators["W"])
    radius = spectral_radius_of(drawn, root_seed, seed)
    requirement = f"that of weights with a cycle of connections; those of density {density} have none"
    require(radius > 0 or spectral_radius == 0, "spectral_radius", requirement, spectral_radius)
    return Reservoir(
        drawn * (spectral_radius / radius if spectral_radius else 0.0),
        input_scale * of_inputs(generators["W_in"], (units, input_size)),
        bias_scale * of_inputs(generators["b"], units),
        leak,
    )


def draw_deep_reservoir(
    units: Sequence[int], input_size: int, root_seed: int, seed: int, **settings: Any
) -> DeepReservoir:
    """A reservoir upon a reservoir, each drawn from streams of its own.

    Args:
        units: of each layer, the first one first.
        settings: of all layers, as of `draw_reservoir`.
    """
    sizes = zip(units, [input_size, *units], strict=False)
    return DeepReservoir(
        tuple(draw_reservoir(*size, root_seed, seed, layer=layer, **settings) for layer, size in enumerate(sizes))
    )


def spectral_radius_of(weights: Float64[ndarray, "unit unit"] | csr_array, root_seed: int = 0, seed: int = 0) -> float:
    """ρ(W), the largest modulus of an eigenvalue.

    The eigenvalues of W are those of its blocks among units that connections lead from one to the other and back; what
    lies between blocks does not count, but would let rounding make large ones of small ones. Those of a block of up to
    `SMALL` units are all computed, of others the largest by Arnoldi's method. Without a cycle of connections W is
    nilpotent and the radius exactly 0.

    Args:
        root_seed, seed: name the stream of the vector that Arnoldi's method starts from.

    Raises:
        InputError: where that method does not converge.
    """
    connections = csr_array(weights, copy=True)
    connections.eliminate_zeros()
    _, block = connected_components(connections, connection="strong")
    alone = np.bincount(block)[block] == 1
    radii = [0.0, *np.abs(weights.diagonal()[alone])]
    for index in np.unique(block[~alone]):
        members = np.flatnonzero(block == index)
        whole = len(members) == weights.shape[0]
        radii.append(_radius_of_block(weights if whole else weights[members][:, members], root_seed, seed))
    return float(max(radii))


def _radius_of_block(weights: ndarray | csr_array, root_seed: int, seed: int) -> float:
    units = weights.shape[0]
    if units <= SMALL:
        return float(np.abs(np.linalg.eigvals(weights.toarray() if isinstance(weights, csr_array) else weights)).max())
    generator = numpy_generator(root_seed, seed, "spectral radius", "start")
    settings = {"v0": generator.normal(size=units), "ncv": min(units, 20 * EIGENVALUES), "rng": generator}
    try:
        found = eigs(weights, k=EIGENVALUES, maxiter=RESTARTS, return_eigenvectors=False, **settings)
    except ArpackNoConvergence as error:
        raise InputError("'weights' must be such that Arnoldi's method finds their largest eigenvalues.") from error
    return float(np.abs(found).max())


def _draw_weights(
    units: int,
    density: float,
    distribution: Callable[[np.random.Generator, Any], ndarray],
    generator: np.random.Generator,
) -> Float64[ndarray, "unit unit"] | csr_array:
    if density == 1:
        return distribution(generator, (units, units))
    drawn = random_array(
        (units, units), density=density, rng=generator, data_sampler=lambda size: distribution(generator, size)
    )
    return csr_array(drawn.tocsr())
