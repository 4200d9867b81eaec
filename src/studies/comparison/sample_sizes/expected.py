"""Expectations of N₅₀, written down before the trainings on fewer sequences were run.

Known by then were all races, a pilot with three cells (GRU, slow LSTM, orth-RNN) at six N with two other seeds, and N₅₀
of the RNN with larger N, which made us choose smaller ones.
"""

import numpy as np

from studies.comparison.expectations import RHO, Expectation, Tables

EXPECTED = 0.5
"""Spearman's ρ from which on a number counts as an order of cells."""
MOST = 0.9
"""Share that counts as nearly all."""
FEW = 0.1
"""Share of the sequences of a race that counts as few."""


def expect() -> list[Expectation]:
    """Expectations, judged by the tables `half_learned` and `n50_predictions`."""
    return [
        Expectation("At every lag N̂ before training orders cells as N₅₀ does.", RHO, _least_correlation, EXPECTED),
        Expectation(
            "At the longest lag memory capacity before training orders cells as N₅₀ does.",
            RHO,
            _of_capacity,
            EXPECTED,
        ),
        Expectation(
            "Over all cells and lags N̂ before training orders N₅₀ better than the lag alone.",
            "lead in Spearman's ρ",
            _lead_over_lag,
            0.0,
        ),
        Expectation(
            "Nearly all cells need more sequences for the longest lag than for the shortest.",
            "share of cells",
            _share_of_rising,
            MOST,
        ),
        Expectation(
            "Nearly all lags that are learned from all sequences are learned from a tenth of them.",
            "share of pairs of a cell and a lag",
            _share_of_few,
            MOST,
        ),
    ]


def _correlations(tables: Tables, number: str, of: str) -> np.ndarray:
    rows = tables["n50_predictions"]
    return rows[(rows["number"] == number) & (rows["of"] == of)].sort_values("lag")["correlation"].to_numpy(float)


def _least_correlation(tables: Tables) -> float:
    """Least ρ over lags of N̂ with N₅₀, NaN where one is missing."""
    return float(_correlations(tables, "needed", "one lag").min(initial=1.0))


def _of_capacity(tables: Tables) -> float:
    return float(_correlations(tables, "capacity", "one lag")[-1])


def _lead_over_lag(tables: Tables) -> float:
    return float(_correlations(tables, "needed", "all lags")[0] - _correlations(tables, "lag", "all lags")[0])


def _share_of_rising(tables: Tables) -> float:
    """Share of cells whose N₅₀ is larger at the longest lag than at the shortest; ∞ is larger than any number."""
    n50 = tables["half_learned"].pivot(index="architecture", columns="lag", values="n50")
    return float((n50.iloc[:, -1] > n50.iloc[:, 0]).mean())


def _share_of_few(tables: Tables) -> float:
    table = tables["half_learned"]
    learners = table[np.isfinite(table["n50"])]
    return float((learners["n50"] <= FEW * learners["trained_on"]).mean())
