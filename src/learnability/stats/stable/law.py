"""The standard symmetric α-stable law, characteristic function exp(-|t|^α) (paper Sec. 5.3.1).

By inversion,

    F(x) = 1/2 + (1/π) ∫_0^∞ sin(tx)/t e^{-t^α} dt,     p(x) = (1/π) ∫_0^∞ cos(tx) e^{-t^α} dt

and beyond |x| = 30 by the tail's series (Bergström 1952), a power law to leading order,

    1 - F(x) ~ (1/π) Σ_k (-1)^{k+1} Γ(kα)/k! sin(kπα/2) x^{-kα} = (1/π) Σ_k Γ(kα)/k! sin(kπ(2-α)/2) x^{-kα}

to k = 8, of whose two forms the second keeps its digits near α = 2. Relative to the integral it is within 2e-12, and
from |x| = 100 on within 1e-14, at every α. At α = 2 the law is normal with variance 2; at α = 1 it is Cauchy.
Supported: α in [0.8, 2].
"""

from functools import lru_cache

import numpy as np
import scipy  # whose parts are loaded where they are used
from jaxtyping import Float

from learnability.core.errors import require

Array = Float[np.ndarray, "..."]

TAIL_INDEX_RANGE = (0.8, 2.0)
LARGEST_X = 30.0
"""Largest x of the quadrature; the series begins there."""
LEAST_TAIL = 1e-9
"""Least probability that has a quantile: near α = 2 the quadrature tells smaller tails less and less well."""
CROSSOVER = 40.0
"""Quantiles at a tail ε are smooth in log(1 + (2 - α)/40ε): near α = 2 the tail turns from normal to a power law."""
PANELS, ORDER = 120, 16
"""Gauss-Legendre panels and their order: errors below 1e-12, for α ≥ 1 below 1e-14."""


@lru_cache(maxsize=2)
def _legendre(order: int) -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(order)


@lru_cache(maxsize=512)
def _nodes(alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes t and weights e^{-t^α} dt up to where the weight is 1e-17.

    Panels grow from 0 as cubes: t^α is not smooth at 0.
    """
    edges = 39.2 ** (1 / alpha) * np.linspace(0, 1, PANELS + 1) ** 3
    x, w = _legendre(ORDER)
    half = np.diff(edges)[:, None] / 2
    t = (edges[:-1, None] + half * (x + 1)).ravel()
    return t, (half * w).ravel() * np.exp(-(t**alpha))


def _check(alpha: float, x: Array) -> Array:
    low, high = TAIL_INDEX_RANGE
    require(bool(low <= alpha <= high), "alpha", f"in [{low}, {high}]", alpha)
    x = np.asarray(x, dtype=np.float64)
    require(bool(np.all(np.abs(x) <= LARGEST_X)), "x", f"within ±{LARGEST_X:g} scales", float(np.abs(x).max()))
    return x


def cumulative(x: Array, alpha: float) -> Array:
    """F(x) of the standard law; raises `InputError` outside α in [0.8, 2], |x| ≤ 30."""
    x = _check(alpha, x)
    t, weight = _nodes(alpha)
    return np.asarray(0.5 + _in_place(np.sin, x[..., None] * t) @ (weight / t) / np.pi)


def density(x: Array, alpha: float) -> Array:
    """p(x) of the standard law; raises `InputError` outside α in [0.8, 2], |x| ≤ 30."""
    x = _check(alpha, x)
    t, weight = _nodes(alpha)
    return np.asarray(_in_place(np.cos, x[..., None] * t) @ weight / np.pi)


def density_slope(x: Array, alpha: float) -> Array:
    """p'(x) of the standard law; raises `InputError` outside α in [0.8, 2], |x| ≤ 30."""
    x = _check(alpha, x)
    t, weight = _nodes(alpha)
    return np.asarray(-_in_place(np.sin, x[..., None] * t) @ (weight * t) / np.pi)


def _in_place(function: np.ufunc, values: Array) -> Array:
    """Values of a function, written over its arguments: another array of that size would take as long to make."""
    return function(values, out=values)


def quantile(probability: float, alpha: float) -> float:
    """F⁻¹(probability) of the standard law, within 1e-7 of its value; raises `InputError` for tails below 1e-9."""
    _check_tails(probability)
    if probability > 0.5:
        return -quantile(1 - probability, alpha)

    def excess(u: float) -> float:
        x = np.array(np.sinh(u))
        above = 1 - cumulative(x, alpha) if x <= LARGEST_X else _far_tail(x, np.array(alpha))
        return float(above) - probability

    farthest = np.arcsinh(probability ** (-1 / alpha))  # 1 - F(x) < x^-α
    return -float(np.sinh(scipy.optimize.brentq(excess, 0.0, farthest, xtol=1e-14)))


def _check_tails(probability: float) -> None:
    is_within = min(probability, 1 - probability) >= LEAST_TAIL
    require(is_within, "probability", f"at least {LEAST_TAIL:g} from 0 and 1", probability)


def _far_tail(x: Array, alpha: Array) -> Array:
    """1 - F(x) for x > 30, by its series; 0 at α = 2, where it is below 1e-99."""
    k, power = np.arange(1, 9), alpha[..., None]
    terms = scipy.special.gamma(k * power) / scipy.special.gamma(k + 1) * np.sin(k * np.pi * (2 - power) / 2)
    return np.asarray((terms * x[..., None] ** (-k * power)).sum(-1) / np.pi)


@lru_cache(maxsize=16)
def _quantile_interpolant(tail: float) -> "scipy.interpolate.BarycentricInterpolator":
    """arsinh F⁻¹(tail) as a polynomial in w = log(1 + (2 - α)/40 tail), α in [1, 2], the longer w the more nodes."""
    longest = np.log1p(1 / (CROSSOVER * tail))
    w = longest * _chebyshev(24 + round(12 * longest))
    alphas = np.clip(2 - CROSSOVER * tail * np.expm1(w), 1, 2)
    return _polynomial(w, [np.arcsinh(quantile(tail, alpha)) for alpha in alphas])


def quantiles(probability: float, alpha: Array) -> Array:
    """F⁻¹(probability) of the standard law for many α in [1, 2]; NaN elsewhere.

    Relative to `quantile` within 1e-7 for tails from 1e-4 on, 1e-5 for smaller ones; raises `InputError` below 1e-9.
    """
    _check_tails(probability)
    if probability > 0.5:
        return -quantiles(1 - probability, alpha)
    distance = 2 - np.asarray(alpha, dtype=np.float64)
    inside = (distance >= 0) & (distance <= 1)
    w = np.log1p(np.where(inside, distance, 0) / (CROSSOVER * probability))
    return np.where(inside, np.sinh(_quantile_interpolant(probability)(w)), np.nan)


@lru_cache(maxsize=1)
def _cumulative_interpolant() -> "scipy.interpolate.RectBivariateSpline":
    """F over α and arsinh x, in which both core and tail are smooth; x in [0, 30]."""
    alphas, u = np.linspace(*TAIL_INDEX_RANGE, 41), np.linspace(0, np.arcsinh(LARGEST_X), 201)
    x = np.minimum(np.sinh(u), LARGEST_X)
    return scipy.interpolate.RectBivariateSpline(
        alphas, u, np.stack([cumulative(x, alpha) for alpha in alphas]), kx=5, ky=5
    )


def cumulatives(x: Array, alpha: Array) -> Array:
    """F(x; α) for many pairs, α in [0.8, 2], any x; within 1e-8 of `cumulative`. NaN at NaN.

    An interpolant to |x| = 30; beyond, the tail's series, whose digits the far lower tail keeps: F(-x) is no difference
    from 1.

    Raises:
        InputError: for α out of range.
    """
    low, high = TAIL_INDEX_RANGE
    is_row_by_row = np.shape(alpha)[-1:] == (1,) and np.shape(x)[-1:] > (1,)
    x, alpha = np.broadcast_arrays(np.asarray(x, dtype=np.float64), alpha)
    wrong = alpha[(alpha < low) | (alpha > high)]
    require(wrong.size == 0, "alpha", f"in [{low}, {high}]", wrong[:1].tolist())
    distance = np.asarray(np.abs(x))
    u = np.arcsinh(np.minimum(distance, LARGEST_X))
    above = _row_by_row(u, alpha[..., 0]) if is_row_by_row else np.asarray(_cumulative_interpolant().ev(alpha, u))
    below, far = np.asarray(1 - above), distance > LARGEST_X
    below[far] = _far_tail(distance[far], alpha[far])
    above[far] = 1 - below[far]
    return np.where(x < 0, below, above)


def _row_by_row(u: Array, alpha: Array) -> Array:
    """F at sinh u of rows of one α each: the interpolant at that α is a curve, which takes a third of the time."""
    knots_of_alpha, knots, coefficients = _cumulative_interpolant().tck
    surface = coefficients.reshape(len(knots_of_alpha) - 6, len(knots) - 6)
    curves = scipy.interpolate.BSpline(knots_of_alpha, surface, 5)(alpha.ravel())
    rows = u.reshape(len(curves), -1)
    curve_of = scipy.interpolate.BSpline.construct_fast
    values = [curve_of(knots, curve, 5)(row) for curve, row in zip(curves, rows, strict=True)]
    return np.reshape(values, u.shape)


@lru_cache(maxsize=64)
def _log_density_interpolant(alpha: float) -> "scipy.interpolate.BSpline":
    """log p over arsinh x, in which both core and tail are smooth; x in [0, 30]."""
    u = np.linspace(0, np.arcsinh(LARGEST_X), 401)
    return scipy.interpolate.make_interp_spline(u, np.log(density(np.minimum(np.sinh(u), LARGEST_X), alpha)), k=5)


def log_densities(x: Array, alpha: float) -> Array:
    """log p(x) of the standard law at any x, for α in [1, 1.99] or 2; p within 1e-6 of its value.

    An interpolant of `density` to |x| = 30; beyond, the derivative of the tail's series. Between 1.99 and 2 the tail at
    30 is too small for the quadrature.

    Raises:
        InputError: for another α.
    """
    require(1 <= alpha <= 1.99 or alpha == 2, "alpha", "in [1, 1.99] or 2", alpha)
    distance = np.abs(np.asarray(x, dtype=np.float64))
    if alpha == 2:
        return np.asarray(-(distance**2) / 4 - np.log(4 * np.pi) / 2)
    inner = _log_density_interpolant(alpha)(np.arcsinh(np.minimum(distance, LARGEST_X)))
    far = np.maximum(distance, LARGEST_X)
    k = np.arange(1, 9)
    terms = scipy.special.gamma(k * alpha + 1) / scipy.special.gamma(k + 1)
    terms = terms * np.sin(k * np.pi * (2 - alpha) / 2) / np.pi
    outer = np.log((terms * far[..., None] ** (-(k - 1) * alpha)).sum(-1)) - (1 + alpha) * np.log(far)
    return np.where(distance > LARGEST_X, outer, inner)


@lru_cache(maxsize=512)
def location_information(alpha: float) -> float:
    """Fisher information of the location of the standard law, I_α = ∫ p'(x)²/p(x) dx; 1/2 at α = 1 and 2.

    Quadrature to |x| = 30; beyond, p ∝ x^{-1-α} gives 2 C (1+α)² X^{-2-α} / (2+α), C = p(X) X^{1+α}
    (nothing at α = 2).
    """
    edges = np.linspace(0, 1, 21) ** 2 * LARGEST_X  # 13 digits; a job that needs a window makes 24 of these
    nodes, weights = _legendre(8)
    half = np.diff(edges)[:, None] / 2
    x, w = (edges[:-1, None] + half * (nodes + 1)).ravel(), (half * weights).ravel()
    if alpha == 2:
        return 0.5
    inner = float(w @ (density_slope(x, alpha) ** 2 / density(x, alpha)))
    constant = float(density(np.array(LARGEST_X), alpha)) * LARGEST_X ** (1 + alpha)
    return 2 * (inner + constant * (1 + alpha) ** 2 * LARGEST_X ** (-2 - alpha) / (2 + alpha))


@lru_cache(maxsize=1)
def _information_interpolant() -> "scipy.interpolate.BarycentricInterpolator":
    """I_α for α in [1, 2] as a polynomial in sqrt(2 - α), where it is smooth."""
    u = _chebyshev(24)
    return _polynomial(u, [location_information(alpha) for alpha in 2 - u**2])


def location_informations(alpha: Array) -> Array:
    """I_α for many α in [1, 2], within 1e-6 of `location_information`; NaN elsewhere."""
    alpha = np.asarray(alpha, dtype=np.float64)
    inside = (alpha >= 1) & (alpha <= 2)
    return np.where(inside, _information_interpolant()(np.sqrt(2 - np.where(inside, alpha, 2))), np.nan)


def _chebyshev(count: int) -> Float[np.ndarray, "node"]:
    """Chebyshev points of [0, 1], both ends among them."""
    return (1 - np.cos(np.pi * np.arange(count) / (count - 1))) / 2


def _polynomial(nodes: Float[np.ndarray, "node"], values: list[float]) -> "scipy.interpolate.BarycentricInterpolator":
    # Unseeded, its last digits change from process to process.
    return scipy.interpolate.BarycentricInterpolator(nodes, values, rng=0)
