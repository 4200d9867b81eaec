"""Architectures by their names in print."""

from collections.abc import Mapping

import pandas as pd


def with_labels(table: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """The table with the label of each architecture in place of its id."""
    table.columns.name = None
    return table.assign(architecture=table["architecture"].map(labels))
