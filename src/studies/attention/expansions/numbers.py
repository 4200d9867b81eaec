"""Propositions 1 and 2 beside automatic differentiation, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: relative errors of the sum over paths, and the `deepest` depth of the longest lag."""
    table = tables["theory_paths"]
    last = table[table["lag"] == table["lag"].max()]
    first = last[last["network"] == last["network"].iloc[0]].sort_values("norm")
    return {
        "by_paths": (table["by_paths"] / table["total"]).max(),
        "by_closed_form": (table["by_closed_form"] / table["total"]).max(),
        "longest": last["lag"].iloc[0],
        "networks": table["network"].nunique(),
        "deepest": first.iloc[-1],
    }
