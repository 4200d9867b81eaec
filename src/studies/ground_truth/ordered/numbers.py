"""The order of architectures, by candidates and as they learn, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: rank correlations with N₅₀ over architectures, of candidates at initialisation."""
    table = tables["contest"]
    at_start = table[(table["half"] == "all") & table["candidate"].str.endswith(", start")].set_index("candidate")
    at_start.index = at_start.index.str.removesuffix(", start")
    return {"order": at_start["order"], "low": at_start["order_low"], "high": at_start["order_high"]}
