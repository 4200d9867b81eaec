"""Appendix D: Kullback-Leibler divergence of two SαS laws, h scales apart, beside c_α h² with c_α = I_α/2.

The paper has KL ≥ c_α h² (Eqs. 34, 62, 63). The other inequality holds: both agree as h → 0, but for α < 2

    KL(h) = (1 + α) log h + O(1)      as h → ∞

for log p falls like -(1 + α) log |x|. So no constant c makes KL ≥ c h² for all h; c = KL(h₀)/h₀² does for h ≤ h₀.
h = N^{1-1/α} Δ/σ grows with N, and a law of location and scale has the same KL(h) at every N: Eqs. 60-61 take no limit.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from jaxtyping import Float

from learnability.core.errors import require
from learnability.stats.stable import location_information, log_densities

Array = Float[np.ndarray, "..."]

ALPHAS = (1.1, 1.3, 1.5, 1.7, 1.9, 2.0)
SHIFTS = np.geomspace(0.1, 100, 25)
FAR = 1e9
"""Scales beyond which no more than 1e-9 of any law lies."""
PANELS, ORDER = 64, 16


def kl_divergence(h: float, alpha: float) -> float:
    """∫ p(x) log(p(x)/p(x-h)) dx for the standard SαS density p; h²/4 at α = 2.

    Args:
        h: separation in scales, positive.
        alpha: α in [1, 1.99] or 2.

    Raises:
        InputError: for h or α out of range.
    """
    return integral(lambda log_p, log_q: np.exp(log_p) * (log_p - log_q), h, alpha)


def integral(integrand: Callable[[Array, Array], Array], h: float, alpha: float) -> float:
    """∫ g(log p(x), log p(x-h)) dx, by quadrature in arsinh of the distance to the nearer of both modes."""
    require(h > 0, "h", "positive", h)
    x, weight = _nodes(float(h), alpha)
    values = integrand(log_densities(x, alpha), log_densities(x - h, alpha))
    return float(weight @ values)


@lru_cache(maxsize=8)
def _nodes(h: float, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights over the line: left of h/2 about 0, right of it about h."""
    reach = 40.0 + h if alpha == 2 else FAR  # a normal law holds nothing beyond
    edges = np.linspace(-np.arcsinh(reach), np.arcsinh(h / 2), PANELS + 1)
    y, w = np.polynomial.legendre.leggauss(ORDER)
    half = np.diff(edges)[:, None] / 2
    u, weight = (edges[:-1, None] + half * (y + 1)).ravel(), (half * w).ravel()
    offsets, weight = np.sinh(u), weight * np.cosh(u)
    return np.concatenate([offsets, h - offsets]), np.concatenate([weight, weight])


def divergence_table(alphas: Sequence[float], shifts: Sequence[float]) -> pd.DataFrame:
    """KL against the paper's bound.

    Returns:
        A row for each α and h: `alpha`, `shift` h, `divergence` KL, `bound` c_α h², `ratio` of both.
    """
    rows = [
        (alpha, h, kl_divergence(h, alpha), location_information(alpha) / 2 * h**2) for alpha in alphas for h in shifts
    ]
    table = pd.DataFrame(rows, columns=["alpha", "shift", "divergence", "bound"])
    return table.assign(ratio=table["divergence"] / table["bound"])


def information_table(alphas: Sequence[float]) -> pd.DataFrame:
    """Columns `alpha` and `information`, I_α of the location of the standard law."""
    return pd.DataFrame({"alpha": alphas, "information": [location_information(alpha) for alpha in alphas]})


def compute(_: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Tables `divergence` and `information`; nothing is random."""
    alphas = np.linspace(1, 2, 41).tolist()
    return {"divergence": divergence_table(ALPHAS, SHIFTS.tolist()), "information": information_table(alphas)}
