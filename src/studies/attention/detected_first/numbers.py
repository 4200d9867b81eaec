"""Whether lags are detected before they are learned, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.window_tables import WITH

COUNTS = ["lags", "learned", "detected before", "same", "after", "learned at the start", "detected by chance"]
"""Columns of `attention_order` that are numbers of lags."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: counts of lags learned to a tenth, with attention and without, and to a `half`."""
    order = tables["attention_order"]
    least, half = (order[order["share"] == share] for share in (order["share"].min(), order["share"].max()))
    trained, measured = least[least["is_trained_on"]], least[~least["is_trained_on"]]
    attends = trained["architecture"].isin(WITH)
    return {
        "networks": trained["seeds"].sum(),
        "every": trained[COUNTS].sum(),
        "attending": trained.loc[attends, COUNTS].sum(),
        "others": trained.loc[~attends, COUNTS].sum(),
        "half": half.loc[half["is_trained_on"], COUNTS].sum(),
        "of_measured": measured[COUNTS].sum(),
        "measured": measured["N"].max(),
        "fewest": trained["N"].min(),
    }
