"""Reservoirs that are drawn at random, and scaled to a spectral radius."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from jaxtyping import Float64
from numpy import ndarray
from scipy.sparse import coo_array, csr_array, diags_array, random_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackError, LinearOperator, cg, eigs, svds

from learnability.core.errors import InputError, lookup, require
from learnability.core.streams import numpy_generator
from learnability.reservoirs.reservoir import DeepReservoir, Reservoir

SMALL = 30
"""Units up to which all eigenvalues are computed: there Arnoldi's method has no room."""
CHECK_UNITS = 500
"""Units up to which all are computed to check Arnoldi's method, in a fraction of a second."""
DENSE = 4000
"""Units up to which all are computed where Arnoldi's method fails, in minutes at most; beyond, norms are followed."""
CLOSE = 1e-3
"""Relative difference of eigenvalues' moduli below which Arnoldi's method may have missed a larger one."""
AGREEMENT = 1e-9
"""Relative difference of two values of a spectral radius that counts as none."""
UNEVEN = 1e4
"""Ratio of the scales of two units from which a matrix is balanced; below, rounding does no harm."""
STEPS = 100
"""Largest number of steps of Newton's method that balances."""
LEAST_GAIN = 1e-4
"""Logarithm of the factor by which a step of it has to lower the sum of squares."""
FLOOR = 1e-12
"""Least share of a weight in the matrix that the method solves for, lest that be singular."""
PRODUCTS = 2**14
"""Products of W with a vector after which norms are given up."""
STEADY = 1e-4
"""Relative difference between two estimates of a spectral radius, of twice as many products, that counts as none."""
ROUNDING = 1e-12
"""Relative difference of norms that counts as none."""
TOLERANCE = 1e-8
"""Tolerance of Lanczos' method; its error in a singular value is of the order of the square."""
EIGENVALUES = 4
"""Number of eigenvalues that Arnoldi's method seeks: the largest of a random matrix are close to each other."""
RESTARTS = 300
"""Restarts of that method until it has failed, as for one long cycle, whose eigenvalues all have the same modulus."""
DISTRIBUTIONS: dict[str, Callable[[np.random.Generator, Any], ndarray]] = {
    "normal": lambda generator, size: generator.normal(size=size),
    "uniform": lambda generator, size: generator.uniform(-1, 1, size),
}
"""Distributions of weights, of standard deviation 1, or between -1 and 1."""


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
        input_distribution: of W_in and of b.
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
    draw_inputs = lookup(DISTRIBUTIONS, "input_distribution", input_distribution)
    generators = {name: numpy_generator(root_seed, seed, "reservoir", layer, name) for name in ("W", "W_in", "b")}
    weights = _draw_weights(units, density, recurrent, generators["W"])
    radius = spectral_radius_of(weights, root_seed, seed)
    requirement = f"that of weights with a cycle of connections; those of density {density} have none"
    require(radius > 0 or spectral_radius == 0, "spectral_radius", requirement, spectral_radius)
    return Reservoir(
        weights * (spectral_radius / radius if spectral_radius else 0.0),
        input_scale * draw_inputs(generators["W_in"], (units, input_size)),
        bias_scale * draw_inputs(generators["b"], units),
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
    lies between blocks does not count, but would let rounding make large ones of small ones. Without a cycle of
    connections W is nilpotent and the radius exactly 0. Of a block

    * that is one cycle it is the geometric mean of its weights' moduli, ρ = (Π |w|)^{1/n};
    * that is a multiple of an orthogonal matrix it is ‖W v‖ / ‖v‖ of any v;
    * of up to `SMALL` units all eigenvalues are computed, of others the largest by Arnoldi's method. This may miss some
      that are nearly as large: up to `CHECK_UNITS` units, and up to `DENSE` where the largest are within `CLOSE` of
      each other, all are computed to check it.

    Before, a block whose units have very different scales is balanced. D^{-1} W D has the same eigenvalues; a diagonal
    D of powers of 2 that makes the sum of squares of its weights least keeps rounding from moving them.

    Where Arnoldi's method does not converge, as where very many have nearly the same modulus, the radius of a normal
    matrix is its largest singular value, by Lanczos' method; of others all eigenvalues are computed up to `DENSE`
    units; and beyond, the norm of W^m v is followed: the factor r_m by which it grows a step, fitted from m to 2m, goes
    to ρ by 1/m, so that r_{2m}²/r_m is a better estimate. m is doubled until that changes by less than `STEADY`, about
    its error then. Far from normal, these norms may settle before they are at ρ.

    No method in float64 finds eigenvalues that move with the last digit of W although it is balanced, as those of some
    large Toeplitz matrices with several diagonals do.

    Args:
        root_seed, seed: name the stream of the vector that Arnoldi's method starts from.

    Raises:
        InputError: for weights that are no finite square matrix, or where nothing of this converges.
    """
    square = np.ndim(weights) == 2 and weights.shape[0] == weights.shape[1]
    require(square, "weights", "a square matrix", np.shape(weights))
    require(bool(np.isfinite(weights.sum())), "weights", "finite", "numbers that are not")
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
    values = weights[weights.nonzero()]
    if len(values) == units > SMALL:  # every unit leads to one other, and all of them back: one cycle
        return float(np.exp(np.log(np.abs(values)).mean()))
    similar = _balance(weights)
    if units <= SMALL or (units <= CHECK_UNITS and similar is not weights):
        return _largest_of_all(similar)
    weights = similar
    generator = numpy_generator(root_seed, seed, "spectral radius", "start")
    start = np.asarray(generator.normal(size=units))
    factor = _orthogonal_factor(weights, start)
    if factor is not None:
        return factor
    settings = {"v0": start, "ncv": min(units, 20 * EIGENVALUES), "rng": generator}
    with suppress(ArpackError):
        moduli = np.abs(eigs(weights, k=EIGENVALUES, maxiter=RESTARTS, return_eigenvectors=False, **settings))
        radius = float(moduli.max())
        if units <= CHECK_UNITS or (units <= DENSE and np.ptp(moduli) <= CLOSE * radius):
            largest = _largest_of_all(weights)
            return radius if abs(radius - largest) <= AGREEMENT * largest else largest
        return radius
    with suppress(ArpackError):
        if _is_normal(weights, start):
            return float(svds(weights, k=1, v0=start, tol=TOLERANCE, rng=generator, return_singular_vectors=False)[0])
    return _largest_of_all(weights) if units <= DENSE else _growth_of_norms(weights, start)


def _balance(weights: ndarray | csr_array) -> ndarray | csr_array:
    """D^{-1} W D with a diagonal D of powers of 2, or W itself where the scales of its units differ little."""
    connections = coo_array(weights)
    connections.eliminate_zeros()
    scales = _scales(connections)
    if np.ptp(scales) <= np.log2(UNEVEN):
        return weights
    to, of = connections.coords
    powers = np.rint(scales - scales[0]).astype(int)
    similar = csr_array((np.ldexp(connections.data, powers[of] - powers[to]), (to, of)), weights.shape)
    return similar if isinstance(weights, csr_array) else similar.toarray()


def _scales(connections: coo_array) -> Float64[ndarray, "unit"]:
    """d of D = 2^d that makes the sum of squares of D^{-1} W D least, which is convex in d, by Newton's method.

    It starts from the least squares of log |w_ij| + d_j - d_i. Both solve for the Laplacian of the connections: scales
    go along a long cycle at once, where a method that takes one unit at a time needs the square of its length.
    """
    (to, of), units = connections.coords, connections.shape[0]
    apart = to != of
    to, of, logarithms = to[apart], of[apart], np.log2(np.abs(connections.data[apart]))

    def squares(scales: ndarray) -> tuple[ndarray, float]:
        """Squares over the largest, and the logarithm of their sum."""
        exponents = 2 * (logarithms + scales[of] - scales[to])
        shares = np.exp2(exponents - exponents.max())
        return shares, float(exponents.max() + np.log2(shares.sum()))

    def solve(stiffness: ndarray, pulls: ndarray) -> ndarray:
        springs = csr_array((stiffness, (to, of)), connections.shape)
        total = np.bincount(to, stiffness, units) + np.bincount(of, stiffness, units)
        laplacian = LinearOperator(springs.shape, lambda d: total * d - springs @ d - springs.T @ d)
        pull = np.bincount(to, pulls, units) - np.bincount(of, pulls, units)
        return cg(laplacian, pull, rtol=1e-3, maxiter=PRODUCTS, M=diags_array(1 / total))[0]

    scales = solve(np.ones(len(to)), logarithms)
    shares, total = squares(scales)
    for _ in range(STEPS):
        step = solve(np.maximum(shares, FLOOR), shares / (2 * np.log(2)))
        while (after := squares(scales + step))[1] > total and np.ptp(step) > 1:
            step /= 2
        if after[1] > total - LEAST_GAIN:
            break
        scales, (shares, total) = scales + step, after
    return scales


def _largest_of_all(weights: ndarray | csr_array) -> float:
    """ρ from all eigenvalues."""
    return float(np.abs(np.linalg.eigvals(weights.toarray() if isinstance(weights, csr_array) else weights)).max())


def _orthogonal_factor(weights: ndarray | csr_array, probe: Float64[ndarray, "unit"]) -> float | None:
    """c of W = c Q with an orthogonal Q, or None: W^T W v = c² v of a random v shows it up to rounding."""
    image = weights @ probe
    square = np.square(np.linalg.norm(image) / np.linalg.norm(probe))
    difference = np.linalg.norm(weights.T @ image - square * probe)
    return float(np.sqrt(square)) if difference <= ROUNDING * square * np.linalg.norm(probe) else None


def _is_normal(weights: ndarray | csr_array, probe: Float64[ndarray, "unit"]) -> bool:
    """True if W^T W v = W W^T v of a random v, up to rounding."""
    first, second = weights.T @ (weights @ probe), weights @ (weights.T @ probe)
    return bool(np.linalg.norm(first - second) <= ROUNDING * np.linalg.norm(first))


def _growth_of_norms(weights: ndarray | csr_array, start: Float64[ndarray, "unit"]) -> float:
    """ρ as the mean factor by which the norm of W^m v grows a step, of half as many products to all."""
    vector, logarithms = start / np.linalg.norm(start), [0.0]
    before = estimate = np.nan
    while len(logarithms) <= PRODUCTS:
        vector = weights @ vector
        norm = np.linalg.norm(vector)
        vector /= norm
        logarithms.append(logarithms[-1] + np.log(norm))
        products = len(logarithms) - 1
        if products >= 4 and products & (products - 1) == 0:  # a power of 2
            half = np.arange(products // 2, products + 1)
            now = float(np.polyfit(half, np.array(logarithms)[half], 1)[0])
            better = 2 * now - before
            if abs(better - estimate) <= STEADY:
                return float(np.exp(better))
            before, estimate = now, better
    raise InputError(
        f"'weights' must be such that norms of their powers settle within {PRODUCTS} products, "
        f"beyond {DENSE} units. Got {weights.shape[0]} units, and about {np.exp(estimate):.4g}."
    )


def _draw_weights(
    units: int,
    density: float,
    distribution: Callable[[np.random.Generator, Any], ndarray],
    generator: np.random.Generator,
) -> Float64[ndarray, "unit unit"] | csr_array:
    if density == 1:
        return distribution(generator, (units, units))
    matrix = random_array(
        (units, units), density=density, rng=generator, data_sampler=lambda size: distribution(generator, size)
    )
    return csr_array(matrix.tocsr())
