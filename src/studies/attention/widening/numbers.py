"""Learned shares, windows and noise scales with attention and without, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.style import Tables
from learnability.windows.noise import HEAVY
from studies.attention.comparisons import more_and_less
from studies.attention.window_tables import KEEPS, SAME_CELL, WITH


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: comparisons of the same cell and with those that keep a gradient, and longest lags.

    By experiment and model, `shares` are learned shares. `shortest` and `longest` are lags of delayed sums, and `far`
    is N̂ of the longest before training, with attention. By experiment and base, `fewer_up_to` is the longest lag up to
    which the base takes fewer sequences at every lag than all networks with attention.
    """
    lags, reach, contrasts = (tables[f"attention_{name}"] for name in ("windows", "reach", "widens"))
    contrasts = contrasts.assign(model=lambda rows: rows["with"].map(labels))
    same_cell, keepers = (contrasts[contrasts["kind"] == kind] for kind in (SAME_CELL, KEEPS))
    of_sums = same_cell[same_cell["experiment"].str.startswith("delayed_sum")]
    before = lags[(lags["epoch"] == 0) & lags["share"].notna()]
    sums = before[before["experiment"].str.startswith("delayed_sum")]
    sums = sums.assign(model=sums["architecture"].map(labels))
    shortest = sums["lag"].min()
    by_lag = sums.pivot(index=["experiment", "lag"], columns="model", values="needed")
    least = {"RNN": by_lag[["MemRNN", "RelRNN"]].min(axis=1), "LSTM": by_lag["RelLSTM"]}
    fewer = pd.concat({base: (by_lag[base] < other).groupby("experiment").cummin() for base, other in least.items()})
    places = fewer.index[fewer.to_numpy()].set_names(["base", "experiment", "lag"]).to_frame(index=False)
    fewer_up_to = places.groupby(["experiment", "base"])["lag"].max()
    heavy = lags.groupby(["experiment", "architecture", "epoch"])[["heavy", "seeds"]].max().sum()
    return {
        "same": same_cell,
        "shares": reach.assign(model=reach["architecture"].map(labels)).set_index(["experiment", "model"])["share"],
        "shortest": shortest,
        "longest": sums["lag"].max(),
        "far": 10 ** sums.loc[(sums["lag"] == sums["lag"].max()) & sums["architecture"].isin(WITH), "needed"],
        "fewer_up_to": fewer_up_to,
        "trained_on": sums["trained_on"].max(),
        "seeds": same_cell["seeds"].max(),
        "share": same_cell.set_index(["experiment", "model"])["share"],
        "sums": same_cell.loc[same_cell["with"].isin(["mem_rnn", "rel_rnn"]), "share"],
        "more": sorted(same_cell.loc[same_cell["share_low"] > 0, "experiment"]),
        "more_and_less": more_and_less(same_cell),
        "of_sums": more_and_less(of_sums),
        "same_sums": len(of_sums),
        "keeping": keepers,
        "keeping_more_and_less": more_and_less(keepers),
        "quieter": (same_cell["noise_high"] < 0).sum(),
        "ever": reach["ever"],
        "learned": reach["learned"],
        "by_chance": reach["false"].max(),
        "least_index": HEAVY,
        "heavy": heavy["heavy"],
        "measurements": heavy["seeds"],
    }
