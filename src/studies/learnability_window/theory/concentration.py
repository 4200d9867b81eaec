"""Appendix C: how fast means of N draws concentrate.

    width of (X_1 + … + X_N)/N ∝ N^{-(1-1/α)}      for X SαS; for X in its domain of attraction, as N → ∞

α is that of the tail. What an estimator reads off single draws is another number where the law is not stable: of a
product of two normals, whose means concentrate as N^{-1/2}, McCulloch's says 1.2.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from learnability.stats.fits import fit_line
from learnability.stats.stable import fit_stable
from learnability.stats.stable.draws import draw
from learnability.stats.stable.recovery import REFERENCES

ALPHAS = (1.1, 1.3, 1.5, 1.7, 1.9, 2.0)
SIZES = tuple(4**power for power in range(6))
REPETITIONS = 4000
FITTED_DRAWS = 20_000

Sampler = Callable[[int, np.random.Generator], np.ndarray]


class Law(NamedTuple):
    """Draws, given their number, and the index of the stable law that their means approach."""

    sampler: Sampler
    tail_index: float


OTHERS = {
    "Student t, 1.5 degrees": Law(lambda draws, generator: generator.standard_t(1.5, draws), 1.5),
    "product of two normals": Law(REFERENCES["product of two normals"], 2.0),
}
"""Laws that are not stable."""


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
    laws: Mapping[str, Law], sizes: Sequence[int], repetitions: int, generator: np.random.Generator
) -> pd.DataFrame:
    """`width_of_means` of each law, and its slope in log-log beside those that tail and estimator predict.

    Returns:
        A row for each law and N: `law`, `sample_size`, `width`; `alpha` of the tail, `slope` over all N, `last_slope`
        over the three largest, `predicted`, -(1 - 1/α), and `by_estimate`, that with McCulloch's α̂ of single draws.
    """
    tables = []
    for name, law in laws.items():
        estimate = float(fit_stable(law.sampler(FITTED_DRAWS, generator)).alpha)
        table = width_of_means(law.sampler, sizes, repetitions, generator)
        n, width = np.log(table["sample_size"].to_numpy()), np.log(table["width"].to_numpy())
        slopes = {
            "slope": fit_line(n, width).slope,
            "last_slope": fit_line(n[-3:], width[-3:]).slope,
            "predicted": 1 / law.tail_index - 1,
            "by_estimate": 1 / estimate - 1,
        }
        tables.append(table.assign(law=name, alpha=law.tail_index, **slopes))
    return pd.concat(tables, ignore_index=True)


def stable_laws(alphas: Sequence[float]) -> dict[str, Law]:
    """SαS laws by name."""

    def law(alpha: float) -> Law:
        return Law(lambda draws, generator: draw(alpha, draws, generator), alpha)

    return {f"stable, α = {alpha:g}": law(alpha) for alpha in alphas}


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Table `widths`."""
    laws = stable_laws(ALPHAS) | OTHERS
    return {"widths": concentration_table(laws, SIZES, REPETITIONS, generator)}
