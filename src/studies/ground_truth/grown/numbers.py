"""Growth of N₅₀ and of candidates with the lag, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: factors from the shortest to the longest lag, and R² of three laws.

    `largest` has the two candidates of each grid that grow most.
    """
    table = tables["growth"].set_index(["grid", "quantity"]).sort_index()
    return {
        "low": 10 ** table["decades_low"],
        "high": 10 ** table["decades_high"],
        "censored": table["censored"],
        "architectures": table["architectures"],
        "largest": {
            str(grid): rows.droplevel("grid")["decades_low"].drop("n50").nlargest(2).index.tolist()
            for grid, rows in table.groupby(level="grid")
        },
        "laws": table[["logarithm", "power", "exponential"]],
    }
