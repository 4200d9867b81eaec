"""All tables of what is measured of networks and agents, in the order in which they are shown."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from studies.attention import (
    before_training,
    dense_tables,
    rate_tables,
    screening_tables,
    trained_tables,
    window_tables,
)
from studies.attention.games import cart_pole
from studies.attention.games import tables as games_tables


def tabulate(
    parts: Mapping[str, pd.DataFrame],
    trainings: Mapping[str, Mapping[str, int]],
    rated: Sequence[Mapping[str, Any]],
) -> dict[str, pd.DataFrame]:
    """Tables by name; those of windows and of learning rates only where there are such runs.

    Args:
        parts: what is measured, by kind, of all runs.
        trainings: see `trained_tables.tabulate`.
        rated: see `rate_tables.tabulate`.
    """
    tables = before_training.tabulate(parts["norms"], parts["costs"]) | trained_tables.tabulate(parts, trainings)
    tables |= screening_tables.tabulate(parts) | dense_tables.tabulate(parts)
    if "training_windows" in parts:
        tables |= window_tables.tabulate(parts["training_windows"], parts["training_responses"])
    if "rated" in parts:
        tables |= rate_tables.tabulate(parts["rated"], rated)
    episodes, curves = parts.get("episodes"), parts.get("game_curves")
    return tables | {"games": games_tables.tabulate(episodes, curves), "cart_pole": cart_pole.tabulate(curves)}
