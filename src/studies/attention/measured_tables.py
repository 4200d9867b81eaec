"""Tables of what is measured of networks that several questions share; further ones are of a question's `tables.py`."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from studies.attention import before_training, dense_tables, trained_tables, window_tables


def tabulate(measured: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Tables by name; tables of windows only where windows are measured.

    Args:
        measured: tables by kind, of all runs.
        settings: `trainings`, see `trained_tables.tabulate`.
    """
    tables = before_training.tabulate(measured["norms"], measured["costs"]) | dense_tables.tabulate(measured)
    tables |= trained_tables.tabulate(measured, settings["trainings"])
    if "training_windows" in measured:
        tables |= window_tables.tabulate(measured["training_windows"], measured["training_responses"])
    return tables
