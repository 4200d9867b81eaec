"""A cell at a task: tuned, trained afresh at its best rate, and measured."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from learnability.windows.readings import Reading
from studies.comparison.races import Runner, compete, size_up, tune
from studies.comparison.settings import Race


def make(
    names: Mapping[str, str],
    architecture: Mapping[str, Any],
    task: Mapping[str, Any],
    race: Mapping[str, Any],
    reading: Mapping[str, Any],
    window: Mapping[str, Any],
    root_seed: int,
) -> dict[str, pd.DataFrame]:
    """Tables of the race by kind."""
    runner = Runner(architecture, task, Race(**race), root_seed)
    trials, rate = tune(runner)
    tables = {"tried": trials.assign(chosen=trials["rate"] == rate)}
    tables |= compete(runner, rate, Reading.of(reading, window))
    return as_files(tables | {"sizes": pd.DataFrame([size_up(runner)])}, **names)
