"""A cell at the tuned rate of its race, trained on fewer sequences."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.core.store import as_files, read_table
from studies.comparison.races import Runner
from studies.comparison.sample_sizes.measure import train_on_fewer
from studies.comparison.settings import Race
from studies.files import Files


def make(
    names: Mapping[str, str],
    files: Files,
    architecture: Mapping[str, Any],
    task: Mapping[str, Any],
    race: Mapping[str, Any],
    sequences: list[int],
    seeds: int,
    is_longer: bool,
    root_seed: int,
    contest: str,
) -> dict[str, pd.DataFrame]:
    """Table of `train_on_fewer`."""
    (rate,) = read_table(files["scores"])["rate"].unique().tolist()
    samples = train_on_fewer(Runner(architecture, task, Race(**race), root_seed), rate, sequences, seeds, is_longer)
    return as_files({"samples": samples}, contest=contest, **names)
