"""The order of architectures, by candidates and as they learn, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: rank correlations with N₅₀ over architectures, of candidates at initialisation."""
    table = tables["contest"]
    own = table[(table["half"] == "all") & table["candidate"].str.endswith(", start")].set_index("candidate")
    own.index = own.index.str.removesuffix(", start")
    return {"order": own["order"], "low": own["order_low"], "high": own["order_high"]}
