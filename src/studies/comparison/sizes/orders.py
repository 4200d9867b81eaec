"""Orders of cells at several sizes, how far they agree, and how far they were expected to."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from studies.comparison.expectations import RHO, Expectation
from studies.comparison.ranks import interval, spearman
from studies.comparison.tasks import words

AGREE = 0.7
"""Spearman's ρ from which on two orders count as nearly the same."""
FIRST = 5
"""Places at the top of an order."""
GAIN = 0.02
"""Score that four times the parameters are expected to gain on average."""
FULL = 0.9
"""Share of the parameters that are allowed, below which a cell counts as smaller than the others."""
SCORE_COLUMNS = [
    "architecture",
    "score",
    "score_low",
    "score_high",
    "rank",
    "rate",
    "edge",
    "diverged",
    "units",
    "parameters",
]
"""Columns of `studies.comparison.tables.performance` that `by_size` has."""
COLUMNS = ["task", "smaller", "larger", "cells", "correlation", "correlation_low", "correlation_high"]
COLUMNS += ["best_smaller", "place_at_larger", "best_larger", "place_at_smaller", "shared", "gain"]
OF_FULL = ["full_cells", "full_correlation", "full_low", "full_high"]
"""Columns of cells that have at least `FULL` of the parameters at both sizes."""
Sizes = Mapping[str, Mapping[int, str]]
"""Contests of each task by their number of parameters, the smallest first."""


def by_size(performance: pd.DataFrame, sizes: Sizes) -> pd.DataFrame:
    """Scores of all cells at each `task` and `size`, the number of parameters that a cell has at most.

    Args:
        performance: of all contests, of `studies.comparison.tables.performance`.
    """
    parts = [
        performance[performance["contest"] == contest].assign(task=task, size=size)
        for task, contests in sizes.items()
        for size, contest in contests.items()
    ]
    return pd.concat(parts)[["family", "task", "size", *SCORE_COLUMNS]].reset_index(drop=True)


def orders(table: pd.DataFrame, generator: np.random.Generator | None) -> pd.DataFrame:
    """Agreement of each two sizes of a task.

    Args:
        table: of `by_size`.
        generator: resamples cells; without one intervals are NaN.

    Returns:
        For each `task` and pair of sizes, `smaller` and `larger`: Spearman's `correlation` of the scores over cells,
        with its 95 % interval; the best cell of each of the two and its place at the other; the number of cells among
        the first `FIRST` of both, `shared`; and the `gain`, the mean score at the larger size less the one at the
        smaller. Of cells that have `FULL` of the parameters at both sizes: their number, `full_cells`, and their
        `full_correlation` with its interval, `full_low` to `full_high`.
    """
    pairs = [
        (of_task, smaller, larger)
        for _, of_task in table.groupby("task", sort=False)
        for smaller, larger in combinations(of_task["size"].unique().tolist(), 2)
    ]
    rows = [
        (of_task["task"].iloc[0], smaller, larger, *_agreement(of_task, smaller, larger, generator))
        for of_task, smaller, larger in pairs
    ]
    of_full = [_correlation(_full(of_task, smaller, larger), generator) for of_task, smaller, larger in pairs]
    return pd.concat([pd.DataFrame(rows, columns=COLUMNS), pd.DataFrame(of_full, columns=OF_FULL)], axis=1)


def _full(table: pd.DataFrame, smaller: int, larger: int) -> pd.DataFrame:
    """Scores at two sizes of the cells that have `FULL` of the parameters at both."""
    scores = table[table["parameters"] >= FULL * table["size"]].pivot(
        index="architecture", columns="size", values="score"
    )
    return scores.reindex(columns=[smaller, larger]).dropna()


def _correlation(scores: pd.DataFrame, generator: np.random.Generator | None) -> tuple[int, float, float, float]:
    """Number of cells, Spearman's ρ of their scores at two sizes, and its interval."""
    pairs = scores.to_numpy()
    return len(pairs), float(spearman(pairs)), *interval(pairs, generator)


def _agreement(
    table: pd.DataFrame, smaller: int, larger: int, generator: np.random.Generator | None
) -> Iterator[object]:
    scores = table.pivot(index="architecture", columns="size", values="score")[[smaller, larger]].dropna()
    places = scores.rank(ascending=False, method="min").astype(int)
    yield from _correlation(scores, generator)
    for size, other_size in ((smaller, larger), (larger, smaller)):
        best = str(scores[size].idxmax())
        yield from (best, int(places[other_size][best]))
    yield int((places <= FIRST).all(axis=1).sum())
    yield float(scores[larger].mean() - scores[smaller].mean())


def expect(table: pd.DataFrame) -> list[Expectation]:
    """Expectations of each two sizes of a task.

    They were written down when the races at 2,000 parameters had been run, and before all races at other sizes. When
    the delayed sum was raced at 500, associative recall had been; the statements stayed as they were.

    Args:
        table: of `orders`, which says of what sizes expectations are.
    """
    return [expectation for row in table.to_dict("records") for expectation in _of_pair(row)]


def _of_pair(row: Mapping[Any, Any]) -> Iterator[Expectation]:
    task, smaller, larger = words(row["task"]), f"{row['smaller']:,}", f"{row['larger']:,}"
    numbers = (float(row["correlation"]), float(FIRST - row["place_at_smaller"]), float(row["gain"]))
    statements = (
        (f"At {task} cells stand at {smaller} parameters nearly in their order at {larger}.", RHO, AGREE),
        (
            f"At {task} the best cell at {larger} parameters is among the first {FIRST} at {smaller}.",
            "places to spare",
            0.0,
        ),
        (f"At {task} cells score more at {larger} parameters than at {smaller}.", "mean gain", GAIN),
    )
    for (statement, quantity, threshold), number in zip(statements, numbers, strict=True):
        yield Expectation(statement, quantity, partial(_constant, number), threshold)


def _constant(number: float, _: Mapping[str, pd.DataFrame]) -> float:
    return number
