"""Growth of N₅₀ and of candidates with the lag, for the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnability.report.style import Tables
from studies.ground_truth.tables import last_look


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: factors from the shortest to the longest lag, and R² of three laws.

    `largest` has the two candidates of each grid that grow most; `surely_faster` architectures whose N₅₀ with sparse
    inputs grows faster than the lag even from the upper end of its interval to the lower one.
    """
    table = tables["growth"].set_index(["grid", "quantity"]).sort_index()
    sparse = last_look(tables["half_learned"]).query("grid == 'sparse'")
    first, last = sparse["lag"].min(), sparse["lag"].max()
    shortest, longest = (sparse[sparse["lag"] == lag].set_index("architecture") for lag in (first, last))
    growth = (longest["n50_low"] / shortest["n50_high"])[np.isfinite(longest["n50"])]
    return {
        "low": 10 ** table["decades_low"],
        "high": 10 ** table["decades_high"],
        "censored": table["censored"],
        "architectures": table["architectures"],
        "largest": {
            str(grid): rows.droplevel("grid")["decades_low"].drop("n50").nlargest(2).index.tolist()
            for grid, rows in table.groupby(level="grid")
        },
        "surely_faster": [labels[str(name)] for name in growth.index[growth > last / first]],
        "laws": table[["logarithm", "power", "exponential"]],
    }
