"""Cells in C++: what `native.hpp` is compiled for, and a cell's parameters as the one matrix it multiplies by."""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells.attentive import MemRNN, RelRNN
from learnability.cells.cell import Cell, for_cell
from learnability.cells.exponential import matrix_exponential
from learnability.cells.gru import GRU
from learnability.cells.leaky import LEAKY, ConstGate, LeakyCell, NormalisedPath
from learnability.cells.linearization import Linearization, Parameters
from learnability.cells.lstm import LSTM
from learnability.cells.vanilla import RNN, ExpRNN, OrthRNN, skew
from learnability.core.compiled import load

BOTH = ("retention", "mixing")
Form = tuple[str, Sequence[str], tuple[str, ...]]
"""A cell's name in `native.hpp`, its paths in the order of the rows there, and its `Diagonals` likewise."""
FORMS: dict[type, Form] = {
    **dict.fromkeys(LEAKY, ("Leaky", "hs", BOTH)),
    LSTM: ("LSTM", "ifog", (*BOTH, "expression", "output")),
    GRU: ("GRU", "zrh", (*BOTH, "reset")),
}
"""Cells that are trained and measured."""
TRAINED: dict[type, Form] = {
    **FORMS,
    **dict.fromkeys((RNN, OrthRNN, ExpRNN), ("RNN", "h", ())),
    RelRNN: ("RelRNN", ("h", "W_a", "U_a"), ()),
}
"""Cells that are trained. A path of a matrix's name is that matrix alone, of the hidden units."""
ADDITIONS = ("layer norm",)
"""What settings may add to these cells (`Cell.addition`)."""


class NativeCell:
    """A cell as `native.hpp` has it: its `paths` and `diagonals`, learned gates a step and constant gate, if any.

    Raises:
        InputError: for a cell that is not there.
    """

    forms: ClassVar[Mapping[type, Form]] = FORMS

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.name, paths, self.diagonals = for_cell("native", cell, self.forms, ADDITIONS)
        self.gates = cell.gate_size if isinstance(cell, LeakyCell) else 0
        self.layer_norm = isinstance(cell, LeakyCell) and cell.layer_norm
        self.paths = [path for path in paths if path != "s" or self.gates]
        self.constant_gate = cell.gate_value if isinstance(cell, ConstGate) else 0.0

    def load(self, source: Path, **constants: int | str) -> ctypes.CDLL:
        """The library of a source that is compiled for one network, this cell, and `constants` of its own."""
        sizes = {"HIDDEN": self.cell.hidden_size, "INPUT": self.cell.input_size, "GATES": self.gates}
        return load(source, CELL=self.name, **sizes, LAYER_NORM=int(self.layer_norm), **self._settings, **constants)

    def rows(self, parameters: Parameters) -> list[Float[Tensor, "row column"]]:
        """M = [U W b] by path, a row for each unit; behind layer norm the deviation of each from their mean.

        The product of these is the pre-activation's deviation from its mean over units, all that layer norm looks at.
        """
        rows = [self._rows(parameters, k) for k in self.paths]
        return [_deviations(each) if self._normalises(k) else each for k, each in zip(self.paths, rows, strict=True)]

    def _rows(self, p: Parameters, path: str) -> Float[Tensor, "row column"]:
        if path in p:
            return torch.nn.functional.pad(p[path], (0, self.cell.input_size + 1))
        return torch.cat([p[f"U_{path}"], p[f"W_{path}"], p[f"b_{path}"][:, None]], 1)

    def flat(self, parameters: Parameters) -> Float[Tensor, "number"]:
        """M row by row, and behind it, with layer norm, gain and offset: what C++ takes."""
        return torch.cat([*(rows.flatten() for rows in self.rows(parameters)), *(parameters[k] for k in self._beside)])

    def named(self, gradient: Float[Tensor, "number"], parameters: Parameters) -> Parameters:
        """A gradient at `flat`, as that at the parameters."""
        p, units, inputs = parameters, self.cell.hidden_size, self.cell.input_size
        sizes = [len(p[k] if k in p else p[f"b_{k}"]) * (units + inputs + 1) for k in self.paths]
        found: Parameters = {}
        parts = gradient.split([*sizes, *(len(p[name]) for name in self._beside)])
        for k, part in zip(self.paths, parts, strict=False):
            rows = part.view(-1, units + inputs + 1)
            of_each = (_deviations(rows) if self._normalises(k) else rows).split([units, inputs, 1], 1)
            found |= {k: of_each[0]} if k in p else _named(k, *of_each)
        return found | dict(zip(self._beside, parts[len(self.paths) :], strict=True))

    @property
    def _beside(self) -> tuple[str, ...]:
        """Parameters that are not in M."""
        return ("gain_h", "offset_h") if self.layer_norm else ()

    @property
    def _settings(self) -> dict[str, int]:
        """Further constants of the compilation."""
        return {}

    def _normalises(self, path: str) -> bool:
        return self.layer_norm and path == "h"


class TrainedCell(NativeCell):
    """A cell as training has it, those of `vanilla` and `attentive` among them."""

    forms = TRAINED

    def prepared(self, parameters: Parameters) -> Parameters:
        """As `Cell.prepared`, but what was made there can be differentiated, by few products."""
        if not isinstance(self.cell, ExpRNN):
            return parameters
        A = parameters["A_h"].detach().requires_grad_()
        return parameters | {"A_h": A, "U_h": matrix_exponential(skew(A))}

    def back(self, gradients: Parameters, prepared: Parameters) -> Parameters:
        """Gradients at `prepared` as those at the parameters."""
        if not isinstance(self.cell, ExpRNN):
            return gradients
        (at_A,) = torch.autograd.grad(prepared["U_h"], prepared["A_h"], gradients["U_h"])
        return gradients | {"A_h": at_A}

    @property
    def _beside(self) -> tuple[str, ...]:
        alignment = ("v_a",) if isinstance(self.cell, RelRNN) else ()
        return (*super()._beside, *alignment, *(("m_h",) if self._is_modrelu else ()))

    @property
    def _settings(self) -> dict[str, int]:
        cell, found = self.cell, {"MODRELU": int(self._is_modrelu)}
        if isinstance(cell, RelRNN):
            found |= {"SHORT_TERM": cell.short_term, "RELEVANT": cell.relevant, "MEAN": int(cell.mix == "mean")}
            found |= {"ATTENDS_TO_CURRENT": int(cell.attends_to_current), "READS_MIXED": int(cell.readout_from == "s")}
        return found

    @property
    def _is_modrelu(self) -> bool:
        return isinstance(self.cell, RNN | MemRNN) and self.cell.nonlinearity == "modrelu"


def _named(path: str, U: Tensor, W: Tensor, b: Tensor) -> Parameters:
    return {f"U_{path}": U, f"W_{path}": W, f"b_{path}": b[:, 0]}


def _deviations(rows: Tensor) -> Tensor:
    """Of each row from the mean row. The map is symmetric: it takes gradients back, too."""
    return rows - rows.mean(0)


def vectors_and_weights(
    steps: Linearization,
) -> tuple[Float[Tensor, "time vector hidden"], Float[Tensor, "path hidden hidden"]]:
    """What `exact.cpp` makes J_t of: the vectors of each step, then the f of each path D(f) U, and every U.

    With layer norm also the path's n, behind the vectors, and of its U the deviations from the mean row.
    """
    parts = [getattr(steps, field.name) for field in fields(steps)]
    vectors = [part for part in parts if isinstance(part, Tensor)]
    paths = [
        path
        for part in parts
        if not isinstance(part, Tensor)
        for path in (part if isinstance(part, tuple) else (part,))
    ]
    vectors += [path.normalised for path in paths if isinstance(path, NormalisedPath)]
    units = vectors[0].shape[-1]
    of_each = (_deviations(path.U) if isinstance(path, NormalisedPath) else path.U for path in paths)
    weights = torch.stack([U.expand(units, -1) for U in of_each])
    return torch.stack([*vectors, *(path.factor for path in paths)], 1), weights
