"""Gradients over ν and ρ, the sizes of what screening keeps (Kerg et al. 2020, App. C and Fig. 3)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from learnability.cells import CELLS, Parameters
from learnability.core.registry import find
from learnability.networks.accuracy import measure_accuracy
from learnability.networks.network import Network
from learnability.tasks import Denoise, Task
from studies.attention.backward import log_norms, measure_norms
from studies.attention.trained_tables import VARIED

BEFORE = ["back", "log_norm", "lowest", "highest", "varied", "size", "other"]
AFTER = ["back", "log_norm", "accuracy", "varied", "size", "other"]


def measure_screening(
    architecture: Mapping[str, Any], sizes: Sequence[int], other: int, **arguments: Any
) -> pd.DataFrame:
    """`studies.attention.backward.measure_norms` at every size of the relevant set, and of the short-term buffer.

    Args:
        architecture: settings of the cell; there is no row of a cell without screening.
        sizes: of the one that is `varied`, `relevant` ρ or `short_term` ν.
        other: size of the other one.
        arguments: what else `measure_norms` takes.
    """
    if not find(CELLS, "cell", architecture["cell"]).screens:
        return pd.DataFrame(columns=BEFORE)
    parts = [
        measure_norms({**architecture, **kept}, **arguments).assign(varied=varied, size=kept[varied], other=other)
        for varied, kept in _varied(sizes, other)
    ]
    return pd.concat(parts, ignore_index=True)[BEFORE]


def measure_screened(
    network: Network, parameters: Parameters, task: Task, sizes: Sequence[int], other: int, sequences: int
) -> pd.DataFrame:
    """The same of a network that is trained on denoise, put to other sizes than those with which it was.

    Args:
        parameters: float64, which have no size in them.
        sequences: that training has not seen.

    Returns:
        `back`, `log_norm`, `varied`, `size` and `other`, as before training, and `accuracy`, the share of symbols that
        are named; no row of another task, or of a cell without a relevant set.
    """
    cell: Any = network.cell
    if not (cell.screens and cell.relevant and isinstance(task, Denoise)):
        return pd.DataFrame(columns=AFTER)
    drawn, single = task.generate("diagnostic", sequences), {name: each.float() for name, each in parameters.items()}
    parts = []
    for varied, kept in _varied(sizes, other):
        changed = replace(network, cell=replace(cell, short_term=kept["short_term"], relevant=kept["relevant"]))
        norms, accuracy = log_norms(changed, parameters, drawn), measure_accuracy(changed, single, drawn)
        found = {"back": np.arange(len(norms)), "log_norm": norms, "accuracy": accuracy}
        parts.append(pd.DataFrame({**found, "varied": varied, "size": kept[varied], "other": other}))
    return pd.concat(parts, ignore_index=True)


def _varied(sizes: Sequence[int], other: int) -> Iterator[tuple[str, dict[str, int]]]:
    for varied in VARIED:
        for size in sizes:
            yield varied, {name: size if name == varied else other for name in VARIED}
