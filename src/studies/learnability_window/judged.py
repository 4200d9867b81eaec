"""Parts of the scorecard: the paper's claims, and the measures that they are judged by."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from studies.learnability_window.measures import MEASURES
from studies.learnability_window.views import view

__all__ = ["MEASURES", "claims", "tables"]


def claims(paper: Mapping[str, Any], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Claims of the file."""
    return list(paper["claims"])


def tables(measured: Mapping[str, pd.DataFrame], readings: Mapping[str, Mapping[str, Any]]) -> dict[str, pd.DataFrame]:
    """The rows of the readings that a claim is about, by kind."""
    return {kind: view(kind, measured, readings) for kind in measured}
