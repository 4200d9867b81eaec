"""Gradients that arrive at earlier steps of one architecture, and their costs."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from learnability.core.store import as_files
from studies.attention.backward import measure_costs, measure_norms
from studies.attention.screening import measure_screening


def make(
    names: Mapping[str, str],
    architecture: Mapping[str, Any],
    units: int,
    norms: Mapping[str, Any],
    costs: Mapping[str, Any],
    screening: Mapping[str, Any],
    seeds: Sequence[int],
    root_seed: int,
) -> dict[str, pd.DataFrame]:
    """Tables `costs`, `norms` and `sizes`."""
    arguments: dict[str, Any] = {"architecture": architecture, "units": units, "root_seed": root_seed}
    of_norms = {**arguments, **norms, "seeds": seeds}
    tables = {
        "costs": measure_costs(**arguments, **costs),  # first: peaks are of a process
        "norms": measure_norms(**of_norms),
        "sizes": measure_screening(**of_norms, **screening),
    }
    return as_files(tables, **names)
