"""Appendix C: how fast means of N draws concentrate.

    width of (X_1 + … + X_N)/N ∝ N^{-(1-1/α)}      for X SαS, or in its domain of attraction as N → ∞

Under the law of a finite variance the exponent is 1/2, whatever α̂ an estimator reads off single draws.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from learnability.fits import fit_line
from learnability.stable import fit_stable
from learnability.stable.draws import draw
from learnability.stable.recovery import REFERENCES

ALPHAS = (1.1, 1.3, 1.5, 1.7, 1.9, 2.0)
SIZES = tuple(4**power for power in range(6))
REPETITIONS = 4000
FITTED_DRAWS = 20_000

Sampler = Callable[[int, np.random.Generator], np.ndarray]
OTHERS: dict[str, Sampler] = {
    "Student t, 1.5 degrees": lambda draws, generator: generator.standard_t(1.5, draws),
    "product of two normals": REFERENCES["product of two normals"],
}
"""Laws that are not stable: one in the domain of attraction of α = 1.5, one of finite variance."""


def width_of_means(
    sampler: Sampler, sizes: Sequence[int], repetitions: int, generator: np.random.Generator
) -> pd.DataFrame:
    """Interquartile range of means of N draws.

    Args:
        sampler: draws of the law, given their number.
        sizes: N.
        repetitions: means of each N.

    Returns:
        A row for each N: `sample_size`, `width`.
    """
    widths = []
    for size in sizes:
        means = sampler(repetitions * size, generator).reshape(repetitions, size).mean(1)
        widths.append(float(np.subtract(*np.quantile(means, [0.75, 0.25]))))
    return pd.DataFrame({"sample_size": sizes, "width": widths})


def concentration_table(
    laws: dict[str, Sampler], sizes: Sequence[int], repetitions: int, generator: np.random.Generator
) -> pd.DataFrame:
    """`width_of_means` of each law, and its slope in log-log beside the one that α̂ of single draws predicts.

    Returns:
        A row for each law and N: `law`, `sample_size`, `width`, `alpha` (McCulloch's α̂), `slope`, and `predicted`,
        -(1 - 1/α̂).
    """
    tables = []
    for law, sampler in laws.items():
        alpha = float(fit_stable(sampler(FITTED_DRAWS, generator)).alpha)
        table = width_of_means(sampler, sizes, repetitions, generator)
        slope = fit_line(np.log(table["sample_size"]), np.log(table["width"])).slope
        tables.append(table.assign(law=law, alpha=alpha, slope=slope, predicted=1 / alpha - 1))
    return pd.concat(tables, ignore_index=True)


def stable_laws(alphas: Sequence[float]) -> dict[str, Sampler]:
    """Samplers of SαS laws by name."""

    def sampler(alpha: float) -> Sampler:
        return lambda draws, generator: draw(alpha, draws, generator)

    return {f"stable, α = {alpha:g}": sampler(alpha) for alpha in alphas}


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Table `widths`."""
    laws = stable_laws(ALPHAS) | OTHERS
    return {"widths": concentration_table(laws, SIZES, REPETITIONS, generator)}
