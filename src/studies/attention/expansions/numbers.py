"""Propositions 1 and 2 beside automatic differentiation, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: relative errors, and by network, across the longest lag, the strongest depth.

    `deeper` is the share of depths above 2 in the sum of the norms of all depths.
    """
    table = tables["theory_paths"]
    last = table[table["lag"] == table["lag"].max()].reset_index(drop=True)
    norms = last.groupby("network")["norm"].sum()
    return {
        "by_paths": (table["by_paths"] / table["total"]).max(),
        "by_closed_form": (table["by_closed_form"] / table["total"]).max(),
        "lag": table["lag"].max(),
        "deeper": last[last["depth"] > 2].groupby("network")["norm"].sum() / norms,
        "strongest": last.loc[last.groupby("network")["norm"].idxmax()].set_index("network"),
    }
