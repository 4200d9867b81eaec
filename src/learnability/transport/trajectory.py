"""Frozen networks run over sequences, in float64: states, and each step to first order along them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import torch
from jaxtyping import Float, Float64
from torch import Tensor

from learnability.cells import Cell, Diagonals, Linearization, Parameters
from learnability.network import Network, run

SEQUENCES = 256
"""Sequences run together: wide enough for an efficient matrix product."""
STEPS = 16
"""Steps linearised together: few enough for their factors to stay in cache."""


class Trajectories(NamedTuple):
    """A few sequences run forward: states s_0 … s_T, inputs, and rows among all sequences."""

    states: Float64[Tensor, "sequence start_and_time state"]
    inputs: Float64[Tensor, "sequence time input"]
    rows: slice


def trajectories(
    network: Network, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
) -> Iterator[Trajectories]:
    """Run the sequences, some at a time."""
    for start in range(0, len(inputs), SEQUENCES):
        rows = slice(start, start + SEQUENCES)
        x = inputs[rows].double()
        yield Trajectories(run(network.cell, parameters, x), x, rows)


def linearizations(cell: Cell, parameters: Parameters, trajectory: Trajectories) -> Iterator[Linearization]:
    """Steps t = 1, …, T to first order, block by block; each block is over (sequence, time)."""
    states, inputs, _ = trajectory
    for start in range(0, inputs.shape[1], STEPS):
        steps = slice(start, min(start + STEPS, inputs.shape[1]))
        yield cell.linearize(parameters, states[:, steps], inputs[:, steps])


def join(parts: Iterable[Diagonals]) -> Diagonals:
    """Diagonals over blocks of time, put together."""
    blocks = list(parts)
    present = [name for name in Diagonals._fields if getattr(blocks[0], name) is not None]
    return Diagonals(**{name: torch.cat([getattr(block, name) for block in blocks], 1) for name in present})
