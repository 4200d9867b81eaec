"""The order of architectures, by candidates and as they learn, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.ground_truth.contest import ALL


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: rank correlations with N₅₀ over architectures, of candidates at initialisation.

    `variance` and `paper` are the total variance and the paper's sample complexity averaged over training, with
    their intervals; `variance_of_halves` has the former at initialisation, in each half of the settings.
    """
    table = tables["contest"]
    of_all = table[table["half"] == ALL].set_index("candidate")
    at_start = of_all[of_all.index.str.endswith(", start")]
    at_start.index = at_start.index.str.removesuffix(", start")
    return {
        "order": at_start["order"],
        "low": at_start["order_low"],
        "high": at_start["order_high"],
        "variance": of_all.loc["total_variance, mean"],
        "variance_of_halves": table[(table["half"] != ALL) & (table["candidate"] == "total_variance, start")],
        "paper": of_all.loc["paper, mean"],
    }
