"""Larger networks beside small ones, for the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import number
from learnability.report.style import Tables
from studies.ground_truth.answers import n50_cell
from studies.ground_truth.contest import MOST_SEEDS
from studies.ground_truth.growth import compare_sizes
from studies.ground_truth.tables import last_look

SPARSE, LARGER = "sparse", "larger"


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: ratios of N₅₀ by architecture, in sequences and in usable `steps`, and what they say."""
    last = last_look(tables["half_learned"]).assign(name=lambda rows: rows["architecture"].map(labels))
    lag, other_lag = (last.loc[last["grid"] == grid, "lag"].iloc[0] for grid in (LARGER, "equal_parameters"))
    groups = {
        (grid, at): last[(last["grid"] == grid) & (last["lag"] == at)].set_index("name")
        for grid, at in ((SPARSE, lag), (LARGER, lag), (SPARSE, other_lag), ("equal_parameters", other_lag))
    }
    small, large, units, equal = groups.values()
    ratios = tables["size_ratios"].dropna().assign(name=lambda rows: rows["architecture"].map(labels)).set_index("name")
    return {
        "lag": lag,
        "lstm": large.loc["LSTM"],
        "small_lstm_learns": small.loc["LSTM", "learned"] >= MOST_SEEDS,
        "seeds": [int(groups[grid, lag].loc[ratios.index, "seeds"].max()) for grid in (SPARSE, LARGER)],
        "said": compare_sizes(ratios["ratio"], ratios["steps_ratio"]),
        **{name: ratios[name] for name in ("ratio", "ratio_low", "ratio_high")},
        "steps": ratios["steps_ratio"],
        "steps_low": ratios["steps_ratio_low"],
        "steps_high": ratios["steps_ratio_high"],
        "rows": {
            f"sparse, lag {lag}": small.apply(n50_cell, axis=1),
            f"twice the units and steps, lag {lag}": large.apply(n50_cell, axis=1),
            f"sparse, lag {lag}, N₅₀ (T - ℓ)": small.apply(n50_steps, axis=1),
            f"twice the units and steps, lag {lag}, N₅₀ (T - ℓ)": large.apply(n50_steps, axis=1),
            f"equal units, lag {other_lag}": units.apply(n50_cell, axis=1),
            f"equal parameters, lag {other_lag}": equal.apply(n50_cell, axis=1),
        },
    }


def n50_steps(row: "pd.Series[Any]") -> str:
    """N₅₀ in steps at which the lag can be learned; a dash where N₅₀ is beyond the N that were tried."""
    is_finite = row["learned"] >= MOST_SEEDS and row["n50"] > 0 and np.isfinite(row["n50"])
    return number(row["n50_steps"]) if is_finite else "–"
