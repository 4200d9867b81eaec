"""Cells at random weights: where a statement is about any weights, there is no need to train them."""

import numpy as np
import torch
from jaxtyping import Float64
from torch import Tensor

from learnability.cells import CELLS, Cell, Parameters
from learnability.networks.network import run

INPUT_SIZE, HIDDEN_SIZE = 4, 16


def random_cell(name: str, generator: np.random.Generator, gate: float = 0.5) -> tuple[Cell, Parameters]:
    """A small cell by its name in `CELLS`, all parameters normal with variance 1/H.

    Args:
        gate: about which gates lie: their value, or what the mean of their biases makes of them.
    """
    kind = CELLS[name]
    options = {key: gate for key in ("gate_value", "gate_init") if key in kind.__dataclass_fields__}
    cell = kind(INPUT_SIZE, HIDDEN_SIZE, **options)
    parameters = {}
    for key, start in cell.initial_parameters(0, 0).items():
        centre = start if key.startswith("b_") else 0
        parameters[key] = centre + normal(generator, *start.shape) / HIDDEN_SIZE**0.5
    return cell, parameters


def random_trajectory(
    cell: Cell, parameters: Parameters, sequences: int, time: int, generator: np.random.Generator
) -> tuple[Float64[Tensor, "sequence time state"], Float64[Tensor, "sequence time input"]]:
    """s_0, …, s_{T-1} and x_1, …, x_T, inputs independent standard normal as in the task (Eq. 44)."""
    inputs = normal(generator, sequences, time, cell.input_size)
    return run(cell, parameters, inputs)[:, :-1], inputs


def normal(generator: np.random.Generator, *shape: int) -> Float64[Tensor, "..."]:
    """Standard normal numbers."""
    return torch.from_numpy(generator.standard_normal(shape))
