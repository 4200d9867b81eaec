"""Table 4 of the paper beside returns of agents from here."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from studies.attention.games.paper import TESTED_ON, paper_returns

NAMES = ["trained_on", "architecture"]


def tabulate(measurements: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """`games`: returns of agents where they were trained and on the larger grid, beside what the paper prints.

    Args:
        measurements: where agents were trained, `episodes` and `game_curves` of `studies.attention.games.played`, with
            `trained_on`, `architecture` and `seed`. What is not of MiniGrid is left out.

    Returns:
        A row for each environment and network that were trained or are in the paper: `frames` of training, `seeds`,
        the mean returns `train` and `test`, over episodes and then over seeds, the shares `train_success` and
        `test_success` of episodes with a return above 0, all blank where nothing was trained; `train_paper` and
        `test_paper`.
    """
    table = paper_returns().set_index(NAMES)
    if measurements.keys() >= {"episodes", "game_curves"}:
        parts = (measurements[kind] for kind in ("episodes", "game_curves"))
        episodes, curves = (part[part["trained_on"].isin(TESTED_ON)] for part in parts)
        table = pd.concat([table, _means(episodes), _frames(curves)], axis=1)
    columns = [f"{on}{kind}" for on in ("train", "test") for kind in ("", "_success", "_paper")]
    table = table.reindex(columns=["tested_on", "frames", "seeds", *columns]).reset_index()
    order = {name: place for place, name in enumerate(TESTED_ON)}
    table["tested_on"] = table["trained_on"].map(TESTED_ON)
    table = table.fillna({"seeds": 0}).astype({"seeds": int})
    table = table.sort_values(NAMES, key=lambda names: names.replace(order), ignore_index=True)
    return {"games": table[[*NAMES, *table.columns[2:]]]}


def _means(episodes: pd.DataFrame) -> pd.DataFrame:
    of_seeds = episodes.assign(success=episodes["return"] > 0).groupby(["on", *NAMES, "seed"])[["return", "success"]]
    means = of_seeds.mean().groupby(["on", *NAMES]).mean().reset_index()
    parts = [
        means[means["on"] == on].set_index(NAMES).rename(columns={"return": on, "success": f"{on}_success"})
        for on in ("train", "test")
    ]
    return pd.concat([part.drop(columns="on") for part in parts], axis=1)


def _frames(curves: pd.DataFrame) -> pd.DataFrame:
    agents = curves.groupby(NAMES)
    return pd.DataFrame({"frames": agents["frames"].max(), "seeds": agents["seed"].nunique()})
