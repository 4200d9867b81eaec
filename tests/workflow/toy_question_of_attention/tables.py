"""Losses at the end of training."""

from collections.abc import Mapping
from typing import Any

import pandas as pd


def tabulate(measurements: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """`last_losses`: the last validation loss of each network, the median over seeds, from learning curves."""
    ends = measurements["curve"].groupby(["experiment", "architecture", "seed"], sort=False)["validation_loss"].last()
    return {"last_losses": ends.groupby(["experiment", "architecture"], sort=False).median().reset_index()}
