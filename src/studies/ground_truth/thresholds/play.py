"""Learned share of each lag, by the number of sequences N that a reader chooses."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.pages.play import LEGEND, Play
from studies.ground_truth.played import curves_of_sizes


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Curves from `trials` of the grids of one lag at a time, those that have tried the N of the first one."""
    trials = tables["trials"]
    trials = trials[trials["grid"] != "six_lags"]
    sizes = {grid: set(rows["sample_size"]) for grid, rows in trials.groupby("grid", sort=False)}
    lags = trials.groupby("grid", sort=False)["lag"].nunique()
    several = [grid for grid in sizes if lags[grid] > 1] or list(sizes)
    grids = [str(grid) for grid in several if sizes[grid] == sizes[several[0]]]
    return Play(
        f"Move the slider to train on more sequences, and choose the network that learns from them. {LEGEND}",
        curves_of_sizes(trials, labels, grids),
    )
