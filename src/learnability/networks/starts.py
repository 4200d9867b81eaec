"""Starts of parameters other than the cell's own: distributions by role, as they stand in public code.

A matrix of a layer with n inputs and m outputs is one of

    xavier     N(0, 2/(n + m))       torch.nn.init.xavier_normal_
    kaiming    N(0, 2/n)             torch.nn.init.kaiming_normal_
    linear     U(-1/√n, 1/√n)        torch.nn.Linear, whose bias has the same bounds
    hundredth  N(0, 0.01²)           what attention weighs by in the public code of SAB
    units      U(-1/√H, 1/√H)        torch.nn.LSTMCell, with H units; its two biases are one here, their sum
    small      U(-0.01, 0.01)        modReLU of the public code of expRNN
    zeros      0
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
import torch

from learnability.cells import Cell, Parameters
from learnability.cells.vanilla import rotation_generator, skew
from learnability.core.errors import require, require_one_of
from learnability.core.streams import numpy_generator

Shape = tuple[int, ...]


class Layer(NamedTuple):
    """Sizes of the layer that a parameter belongs to: a distribution scales with them."""

    inputs: int
    outputs: int
    units: int


Draw = Callable[[np.random.Generator, Layer, Shape], np.ndarray]


def _uniform(bound: float) -> Callable[[np.random.Generator, Shape], np.ndarray]:
    return lambda generator, shape: generator.uniform(-bound, bound, shape)


MATRICES: dict[str, Draw] = {
    "xavier": lambda g, layer, shape: math.sqrt(2 / (layer.inputs + layer.outputs)) * g.standard_normal(shape),
    "kaiming": lambda g, layer, shape: math.sqrt(2 / layer.inputs) * g.standard_normal(shape),
    "linear": lambda g, layer, shape: _uniform(1 / math.sqrt(layer.inputs))(g, shape),
    "units": lambda g, layer, shape: _uniform(1 / math.sqrt(layer.units))(g, shape),
    "hundredth": lambda g, layer, shape: 0.01 * g.standard_normal(shape),
}
VECTORS: dict[str, Draw] = {
    "linear": MATRICES["linear"],
    "units": lambda g, layer, shape: MATRICES["units"](g, layer, shape) + MATRICES["units"](g, layer, shape),
    "small": lambda g, layer, shape: _uniform(0.01)(g, shape),
    "zeros": lambda g, layer, shape: np.zeros(shape),
}
ROTATIONS = {"turns": (-math.pi, math.pi), "half_turns": (-math.pi, 0.0)}
"""Ranges of the angles by which exp(A) turns pairs of units, in the public code of expRNN and of Kerg et al."""
CHOICES: dict[str, Mapping[str, object]] = {
    "input": MATRICES,
    "recurrent": ROTATIONS,
    "gates": MATRICES,
    "bias": VECTORS,
    "modrelu": VECTORS,
    "alignment": MATRICES,
    "alignment_vector": MATRICES,
    "readout": MATRICES,
    "readout_bias": VECTORS,
}
"""Allowed starts of each role."""


@dataclass(frozen=True, kw_only=True)
class Start:
    """The start of each role; an empty one is left to the cell, or to the network.

    Args:
        input: W of a cell without gates.
        recurrent: U of a cell without gates, the exponential of a skew matrix.
        gates: [U W] of each gate of an LSTM and of its candidate, a layer whose inputs are [h_{t-1}; x_t].
        bias: b beside these.
        modrelu: m.
        alignment: W_a and U_a.
        alignment_vector: v_a, a layer of one output.
        readout, readout_bias: w and b.

    Raises:
        InputError: for a start that is none of its role.
    """

    input: str = ""
    recurrent: str = ""
    gates: str = ""
    bias: str = ""
    modrelu: str = ""
    alignment: str = ""
    alignment_vector: str = ""
    readout: str = ""
    readout_bias: str = ""

    def __post_init__(self) -> None:
        for role, start in asdict(self).items():
            if start:
                require_one_of(f"start.{role}", start, CHOICES[role])

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> "Start":
        """The start of an architecture's settings, or `InputError` for a role that does not exist."""
        for role in settings:
            require_one_of("role of start", role, CHOICES)
        return cls(**settings)

    def __bool__(self) -> bool:
        return any(asdict(self).values())

    def check(self, cell: Cell, readout_bias: bool) -> None:
        """Raise `InputError` for a role that a network of this cell does not have."""
        roles = [*cell.roles, "readout", *(["readout_bias"] if readout_bias else [])]
        for role, start in asdict(self).items():
            require(not start or role in roles, "start", f"given for {', '.join(roles)} alone", role)

    def draw(self, cell: Cell, parameters: Parameters, root_seed: int, seed: int) -> Parameters:
        """`parameters` in the same order, with those in place that this start decides."""
        start_parameters: Parameters = {}
        for role, names in (cell.roles | {"readout": ["w"], "readout_bias": ["b"]}).items():
            if start := getattr(self, role):
                start_parameters |= _DRAW.get(role, _by_name)(cell, role, start, names, parameters, (root_seed, seed))
        return {name: start_parameters.get(name, parameter) for name, parameter in parameters.items()}


def _layer(cell: Cell, role: str) -> Layer:
    """The layer that parameters of a role belong to."""
    units = cell.hidden_size
    inputs = {
        "alignment": units,
        "alignment_vector": units,
        "readout": cell.output_size,
        "readout_bias": cell.output_size,
    }.get(role, cell.input_size + (units if "gates" in cell.roles else 0))
    return Layer(inputs, 1 if role == "alignment_vector" else units, units)


def _by_name(
    cell: Cell, role: str, start: str, names: list[str], parameters: Parameters, seeds: tuple[int, int]
) -> Parameters:
    """Draw each of `names` by itself."""
    layer, draw = _layer(cell, role), CHOICES[role][start]
    tensors = {}
    for name in names:
        shape = tuple(parameters[name].shape)
        of_name = layer._replace(outputs=shape[0] if len(shape) > 1 else 1) if role == "readout" else layer
        values = draw(numpy_generator(*seeds, "start", name), of_name, shape)  # type: ignore[operator]
        tensors[name] = torch.as_tensor(values)  # of a bias that is a number, too
    return tensors


def _gates(
    cell: Cell, role: str, start: str, names: list[str], parameters: Parameters, seeds: tuple[int, int]
) -> Parameters:
    """[U W] of each path, drawn as one matrix."""
    layer = _layer(cell, role)
    tensors: Parameters = {}
    for path in names:
        matrix = MATRICES[start](numpy_generator(*seeds, "start", path), layer, (layer.outputs, layer.inputs))
        U, W = torch.from_numpy(matrix).split([cell.hidden_size, cell.input_size], 1)
        tensors |= {f"W_{path}": W.contiguous(), f"U_{path}": U.contiguous()}
    return tensors


def _rotation(
    cell: Cell, role: str, start: str, names: list[str], parameters: Parameters, seeds: tuple[int, int]
) -> Parameters:
    above = rotation_generator(cell, *seeds, ROTATIONS[start])
    return {name: above if name == "A_h" else torch.matrix_exp(skew(above)) for name in names}


_DRAW = {"gates": _gates, "recurrent": _rotation}
