"""Agents that balance a pole, beside published ones, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.games.cart_pole import PUBLISHED


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: the row of `published` agents and of `ours`."""
    table = tables["cart_pole"].dropna(subset="length").set_index("architecture")
    return {"published": table.loc[PUBLISHED], "ours": table.drop(PUBLISHED).loc["lstm"]}
