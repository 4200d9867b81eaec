"""Larger networks, compared with small ones."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables
from studies.ground_truth.answers import interval, n50_cell
from studies.ground_truth.contest import MOST_SEEDS
from studies.ground_truth.growth import compare_sizes
from studies.ground_truth.tables import last_look


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Whether small networks speak for larger ones, at equal units and at equal parameters."""
    last = last_look(tables["half_learned"])
    lags = last.loc[last["grid"] == "larger", "lag"].unique()
    small = last[(last["grid"] == "sparse") & last["lag"].isin(lags)].set_index("architecture")
    large = last[last["grid"] == "larger"].set_index("architecture")
    equal = last[last["grid"] == "equal_parameters"].set_index("architecture")
    units = last[(last["grid"] == "sparse") & last["lag"].isin(equal["lag"])].set_index("architecture")
    of_lags, of_equal = (f"lag {listed(map(str, each))}" for each in (lags, equal["lag"].unique()))
    rows = {
        f"sparse, {of_lags}": small.apply(n50_cell, axis=1).rename(labels),
        f"twice the units and steps, {of_lags}": large.apply(n50_cell, axis=1).rename(labels),
        f"sparse, {of_lags}, N₅₀ (T - ℓ)": small.apply(_n50_steps, axis=1).rename(labels),
        f"twice the units and steps, {of_lags}, N₅₀ (T - ℓ)": large.apply(_n50_steps, axis=1).rename(labels),
        f"equal units, {of_equal}": units.apply(n50_cell, axis=1).rename(labels),
        f"equal parameters, {of_equal}": equal.apply(n50_cell, axis=1).rename(labels),
    }
    known = tables["size_ratios"].dropna()
    return Finding(
        "Do the small networks speak for larger ones?",
        _of_sizes(known),
        f"""
            Units and duration were doubled together, so their effects cannot be told apart. A longer sequence has more
            steps from which a lag can be learned, T - ℓ of T. {_of_each(known, labels)} At another lag, networks have
            as many units as give each architecture the same number of parameters.
        """,
        rows,
        "`grids.larger`: three architectures at one lag, with twice the duration.",
        ("", "phases_larger"),
    )


def _n50_steps(row: "pd.Series[Any]") -> str:
    """N₅₀ in steps at which the lag can be learned; a dash where N₅₀ is beyond the N that were tried."""
    known = row["learned"] >= MOST_SEEDS and row["n50"] > 0 and np.isfinite(row["n50"])
    return number(row["n50_steps"]) if known else "–"


def _of_sizes(ratios: pd.DataFrame) -> str:
    """Whether more sequences, and more usable steps, are needed in the larger networks."""
    if ratios.empty:
        return "Undecided: no architecture has an N₅₀ in both grids."
    verdict = compare_sizes(ratios["ratio"], ratios["steps_ratio"])
    alike = [(ratios[f"{name}_low"] <= 1) & (ratios[f"{name}_high"] >= 1) for name in ("ratio", "steps_ratio")]
    count = int(sum(each.sum() for each in alike))
    return f"""
        {verdict}. Intervals of {count} of {2 * len(ratios)} ratios of N₅₀, in sequences and in usable steps, contain 1.
    """


def _of_each(ratios: pd.DataFrame, labels: Mapping[str, str]) -> str:
    if ratios.empty:
        return ""
    sequences, steps = (
        listed(f"{interval(row, name)} in {labels[row['architecture']]}" for row in ratios.to_dict("records"))
        for name in ("ratio", "steps_ratio")
    )
    return f"""
        In sequences the ratio of N₅₀ is {sequences}. In usable steps, N₅₀ (T - ℓ), it is {steps}. In brackets, 95 %
        intervals that resample the seeds of both.
    """
