"""Propositions 1 and 2 beside automatic differentiation, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: relative errors, and the strongest paths across the longest lag, by network."""
    table = tables["theory_paths"]
    last = table[table["lag"] == table["lag"].max()].reset_index(drop=True)
    return {
        "by_paths": (table["by_paths"] / table["total"]).max(),
        "by_closed_form": (table["by_closed_form"] / table["total"]).max(),
        "lag": table["lag"].max(),
        "strongest": last.loc[last.groupby("network")["norm"].idxmax()].set_index("network"),
    }
