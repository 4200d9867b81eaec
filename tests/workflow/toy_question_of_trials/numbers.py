"""Longest lags that are learned, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.ground_truth.contest import MOST_SEEDS


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """The longest lag of all."""
    table = tables["half_learned"]
    return {"longest": table.loc[table["learned"] >= MOST_SEEDS, "lag"].max()}
