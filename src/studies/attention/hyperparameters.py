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
            values = _of_cell(run["architecture_settings"]) | run["optimizer_settings"]
            rows[place] = [*place, *map(values.get, SETTINGS), _beside(values, OF_TRAINING[place[0]].get(place[1]))]
    return pd.DataFrame(list(rows.values()), columns=["task", "architecture", *SETTINGS, "paper"])


def _of_cell(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings, and defaults of the cell where nothing is set."""
    defaults = {field.name: field.default for field in fields(CELLS[settings["cell"]]) if field.default is not MISSING}
    return {**defaults, **settings}


def _beside(values: Mapping[str, Any], paper: Sequence[str | float | None] | None) -> str:
    if paper is None:
        return "not printed"
    pairs = zip(HYPERPARAMETERS, paper, strict=True)
    differences = [f"{name} {value}" for name, value in pairs if value is not None and values.get(name) != value]
    return ", ".join(differences) or "as printed"
