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
from studies.attention.trained_tables import SIZES

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
        measure_norms({**architecture, **cell_sizes}, **arguments).assign(
            varied=size_name, size=cell_sizes[size_name], other=other
        )
        for size_name, cell_sizes in _variants(sizes, other)
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
    data, single = task.generate("diagnostic", sequences), {name: tensor.float() for name, tensor in parameters.items()}
    parts = []
    for size_name, cell_sizes in _variants(sizes, other):
        variant = replace(
            network, cell=replace(cell, short_term=cell_sizes["short_term"], relevant=cell_sizes["relevant"])
        )
        norms, accuracy = log_norms(variant, parameters, data), measure_accuracy(variant, single, data)
        columns = {"back": np.arange(len(norms)), "log_norm": norms, "accuracy": accuracy}
        parts.append(pd.DataFrame({**columns, "varied": size_name, "size": cell_sizes[size_name], "other": other}))
    return pd.concat(parts, ignore_index=True)


def _variants(sizes: Sequence[int], other: int) -> Iterator[tuple[str, dict[str, int]]]:
    for size_name in SIZES:
        for size in sizes:
            yield size_name, {name: size if name == size_name else other for name in SIZES}
