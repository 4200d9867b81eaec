"""The table of agents that balance a pole, beside published ones."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from studies.attention.games import cart_pole


def tabulate(measurements: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """`cart_pole`, of `game_curves` where agents were trained, see `studies.attention.games.cart_pole.tabulate`."""
    return {"cart_pole": cart_pole.tabulate(measurements.get("game_curves"))}
