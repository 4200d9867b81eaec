"""Reservoirs that are drawn at random, and scaled to a spectral radius."""

import numpy as np
from jaxtyping import Float64
from numpy import ndarray
from scipy.sparse import csr_array, random_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigs

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.reservoirs.reservoir import Reservoir

SMALL = 30
"""Units up to which all eigenvalues are computed: there Arnoldi's method has no room."""
EIGENVALUES = 4
"""That are sought by Arnoldi's method: the largest of a random matrix are close to each other."""


def draw_reservoir(
    units: int,
    input_size: int,
    root_seed: int,
    seed: int,
    *,
    spectral_radius: float = 0.9,
    density: float = 1.0,
    input_scale: float = 1.0,
    bias_scale: float = 0.0,
    leak: float = 1.0,
) -> Reservoir:
    """A reservoir with normal recurrent weights, and inputs and bias uniform between -scale and scale.

    Args:
        spectral_radius: ρ(W), to which W is scaled.
        density: share of recurrent weights that are not 0, at random places; W is sparse below 1.
        leak: a.
        root_seed, seed: name the streams.

    Raises:
        InputError: for a value out of range; or where W, as drawn, is nilpotent, so that its spectral radius is 0 and
            no factor gives it another: with no cycle of connections.
    """
    require(units >= 1, "units", "at least 1", units)
    require(spectral_radius >= 0, "spectral_radius", "at least 0", spectral_radius)
    require(0 < density <= 1, "density", "above 0 and at most 1", density)
    for name, scale in {"input_scale": input_scale, "bias_scale": bias_scale}.items():
        require(scale >= 0, name, "at least 0", scale)
    generators = {name: numpy_generator(root_seed, seed, "reservoir", name) for name in ("W", "W_in", "b")}
    drawn = _draw_normal(units, density, generators["W"])
    radius = spectral_radius_of(drawn)
    requirement = f"that of weights with a cycle of connections; those of density {density} have none"
    require(radius > 0 or spectral_radius == 0, "spectral_radius", requirement, spectral_radius)
    return Reservoir(
        drawn * (spectral_radius / radius if spectral_radius else 0.0),
        generators["W_in"].uniform(-input_scale, input_scale, (units, input_size)),
        generators["b"].uniform(-bias_scale, bias_scale, units),
        leak,
    )


def spectral_radius_of(weights: Float64[ndarray, "unit unit"] | csr_array) -> float:
    """ρ(W), the largest modulus of an eigenvalue, by Arnoldi's method; of `SMALL` matrices from all eigenvalues.

    Exactly 0 where no cycle of connections leads from a unit back to it: then W is nilpotent, and rounding alone would
    say otherwise.
    """
    units = weights.shape[0]
    cycles, _ = connected_components(csr_array(weights), connection="strong")
    if cycles == units and not np.any(weights.diagonal()):
        return 0.0
    if units <= SMALL:
        dense = weights.toarray() if isinstance(weights, csr_array) else weights
        return float(np.abs(np.linalg.eigvals(dense)).max())
    found = eigs(weights, k=EIGENVALUES, ncv=min(units, 20 * EIGENVALUES), v0=np.ones(units), return_eigenvectors=False)
    return float(np.abs(found).max())


def _draw_normal(
    units: int, density: float, generator: np.random.Generator
) -> Float64[ndarray, "unit unit"] | csr_array:
    if density == 1:
        return generator.normal(size=(units, units))
    drawn = random_array((units, units), density=density, rng=generator, data_sampler=generator.normal)
    return csr_array(drawn.tocsr())
