"""Tables of measurements of networks that several questions share; further ones are of a question's `tables.py`."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from studies.attention import before_training, dense_tables, trained_tables, window_tables


def tabulate(measurements: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Tables by name; tables of windows only where windows are measured.

    Args:
        measurements: tables by kind, of all runs.
        settings: `trainings`, see `trained_tables.tabulate`.
    """
    tables = before_training.tabulate(measurements["norms"], measurements["costs"]) | dense_tables.tabulate(
        measurements
    )
    tables |= trained_tables.tabulate(measurements, settings["trainings"])
    if "training_windows" in measurements:
        tables |= window_tables.tabulate(measurements["training_windows"], measurements["training_responses"])
    return tables
