"""Settings of each training, beside Tables 6 to 9 of the paper."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

import pandas as pd

from learnability.cells import CELLS
from studies.attention.paper import HYPERPARAMETERS, OF_TRAINING

SETTINGS = (*HYPERPARAMETERS, "mix")


def tabulate(runs: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """A row for each network of a task of the paper: its optimiser, φ, ν, ρ and how state and context are mixed.

    Args:
        runs: with `task`, `architecture`, `architecture_settings` and `optimizer_settings`; of those of a task and
            architecture, which differ in delay, epochs, sizes and seed alone, the first counts.

    Returns:
        With `paper`: `as printed`, what is printed where that is another, or `not printed`. The paper's tables have no
        column for `mix`, and its text has the sum.
    """
    rows = {}
    for run in runs:
        place = (run["task"]["name"], run["architecture"])
        if place[0] in OF_TRAINING and place not in rows:
            own = _of_cell(run["architecture_settings"]) | run["optimizer_settings"]
            rows[place] = [*place, *map(own.get, SETTINGS), _beside(own, OF_TRAINING[place[0]].get(place[1]))]
    return pd.DataFrame(list(rows.values()), columns=["task", "architecture", *SETTINGS, "paper"])


def _of_cell(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What is set, and what the cell takes where nothing is."""
    defaults = {each.name: each.default for each in fields(CELLS[settings["cell"]]) if each.default is not MISSING}
    return {**defaults, **settings}


def _beside(own: Mapping[str, Any], printed: Sequence[str | float | None] | None) -> str:
    if printed is None:
        return "not printed"
    named = zip(HYPERPARAMETERS, printed, strict=True)
    others = [f"{name} {value}" for name, value in named if value is not None and own.get(name) != value]
    return ", ".join(others) or "as printed"
