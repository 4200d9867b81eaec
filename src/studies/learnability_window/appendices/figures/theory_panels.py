"""Common parts of the figures of the appendices: colours of tail indices and of laws, cells and rules."""

from collections.abc import Iterator

import pandas as pd
from matplotlib import colormaps

COLOURS = ("#0173b2", "#de8f05", "#029e73", "#ca9161", "#56b4e9")
"""Colour-blind safe, for what has no colour in the configuration."""


def by_tail_index(table: pd.DataFrame) -> Iterator[tuple[float, pd.DataFrame, tuple[float, ...]]]:
    """Yield each α, its rows and its colour: the darker, the heavier the tail."""
    alphas = sorted(table["alpha"].unique().tolist())
    for place, alpha in enumerate(alphas):
        yield alpha, table[table["alpha"] == alpha], colormaps["viridis"](0.9 * place / max(len(alphas) - 1, 1))


def by_name(table: pd.DataFrame, column: str) -> Iterator[tuple[str, pd.DataFrame, str]]:
    """Yield each name of a column, its rows and its colour, in order of appearance."""
    for (name, rows), colour in zip(table.groupby(column, sort=False), COLOURS, strict=False):
        yield str(name), rows, colour
