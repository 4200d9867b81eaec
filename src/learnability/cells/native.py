"""Cells in C++: constants for which `native.hpp` is compiled, and the parameters of a cell as one matrix."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from learnability.cells.attentive import AttentionCell, MemLSTM, MemoryCell, MemRNN, RelLSTM, RelRNN, ScreeningCell
from learnability.cells.cell import Cell, for_cell
from learnability.cells.exponential import matrix_exponential
from learnability.cells.goru import GORU, rotation
from learnability.cells.gru import GRU
from learnability.cells.leaky import LEAKY, LeakyCell, NormalisedPath
from learnability.cells.linearization import Linearization, Parameters
from learnability.cells.lstm import FEWER_GATES, LSTM
from learnability.cells.sab import SAB
from learnability.cells.vanilla import RNN, ExpRNN, OrthRNN, skew
from learnability.core.compiled import load

SPLIT = ("retention", "mixing")
Form = tuple[str, Sequence[str], tuple[str, ...]]
"""A cell's name in `native.hpp`, and its paths and its `Diagonals` in the order that their rows have there."""
FORMS: dict[type, Form] = {
    **dict.fromkeys(LEAKY, ("Leaky", "hs", SPLIT)),
    LSTM: ("LSTM", "ifog", (*SPLIT, "expression", "output")),
    GRU: ("GRU", "zrh", (*SPLIT, "reset")),
}
"""Cells that are trained and measured."""
TRAINED: dict[type, Form] = {
    **FORMS,
    **dict.fromkeys((RNN, OrthRNN, ExpRNN), ("RNN", "h", ())),
    GORU: ("GORU", ("z", "r", "U_h", "W_h"), ()),
    **{cell: (cell.__name__, ("h", "W_a", "U_a"), ()) for cell in (MemRNN, RelRNN)},
    **{cell: (cell.__name__, (*"ifog", "W_a", "U_a"), ()) for cell in (MemLSTM, RelLSTM)},
    SAB: ("SAB", (*"ifog", "U_a", "W_a"), ()),
}
"""Cells that are trained. A path of a matrix's name is that matrix alone."""
OF_INPUTS = ("W_h",)
"""Matrix paths that act on the inputs, not on the hidden units."""
ROTATIONS: dict[type, tuple[str, Callable[[Tensor], Tensor]]] = {
    ExpRNN: ("A_h", lambda A: matrix_exponential(skew(A))),
    GORU: ("theta_h", rotation),
}
"""The parameter from which U_h is made once per sequence, and the function that makes it."""
ADDITIONS = ("layer norm",)
"""Additions that settings may make to these cells (`Cell.addition`)."""
OPEN = 40.0
"""Bias of a gate that a cell lacks: σ is 1 there and its derivative 0, in double precision too."""


class NativeCell:
    """A cell as `native.hpp` has it: its `paths` and `diagonals`, learned gates a step and constant gate, if any.

    Raises:
        InputError: for a cell that is not there.
    """

    forms: ClassVar[Mapping[type, Form]] = FORMS
    additions: ClassVar[tuple[str, ...]] = ADDITIONS

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.name, paths, self.diagonals = for_cell("native", cell, self.forms, self.additions)
        self.gates = cell.gate_size if isinstance(cell, LeakyCell) else 0
        self.layer_norm = isinstance(cell, LeakyCell) and cell.layer_norm
        self.paths = [path for path in paths if path != "s" or self.gates]
        self.constant_gate = cell.fixed_gate

    def load(self, source: Path, **constants: int | str) -> ctypes.CDLL:
        """The library of a source that is compiled for this cell of one network, with further `constants`."""
        sizes = {"HIDDEN": self.cell.hidden_size, "INPUT": self.cell.input_size, "GATES": self.gates}
        return load(source, CELL=self.name, **sizes, LAYER_NORM=int(self.layer_norm), **self._settings, **constants)

    def rows(self, parameters: Parameters) -> list[Float[Tensor, "row column"]]:
        """M = [U W b] by path, a row for each unit; behind layer norm the deviation of each from their mean.

        The product of these is the pre-activation's deviation from its mean over units, all that layer norm looks at.
        """
        rows = [self._rows(parameters, k) for k in self.paths]
        return [
            _deviations(matrix) if self._normalises(k) else matrix for k, matrix in zip(self.paths, rows, strict=True)
        ]

    def _rows(self, p: Parameters, path: str) -> Float[Tensor, "row column"]:
        if path in self._absent:
            size = self.cell.hidden_size, self.cell.hidden_size + self.cell.input_size
            return torch.nn.functional.pad(p["b_g"].new_zeros(size), (0, 1), value=OPEN)
        if path in p:
            columns = (self.cell.hidden_size, 1) if path in OF_INPUTS else (0, self.cell.input_size + 1)
            return torch.nn.functional.pad(p[path], columns)
        return torch.cat([p[f"U_{path}"], p[f"W_{path}"], p[f"b_{path}"][:, None]], 1)

    def flat(self, parameters: Parameters) -> Float[Tensor, "number"]:
        """The argument of C++: M row by row, then, with layer norm, gain and offset."""
        return torch.cat([*(rows.flatten() for rows in self.rows(parameters)), *(parameters[k] for k in self._beside)])

    def named(self, gradient: Float[Tensor, "number"], parameters: Parameters) -> Parameters:
        """Gradient at the parameters, by name, from a gradient at `flat`."""
        p, units, inputs = parameters, self.cell.hidden_size, self.cell.input_size
        sizes = [self._rows(p, k).numel() for k in self.paths]
        gradients: Parameters = {}
        parts = gradient.split([*sizes, *(len(p[name]) for name in self._beside)])
        for k, part in zip(self.paths, parts, strict=False):
            if k in self._absent:
                continue
            rows = part.view(-1, units + inputs + 1)
            of_each = (_deviations(rows) if self._normalises(k) else rows).split([units, inputs, 1], 1)
            gradients |= {k: of_each[k in OF_INPUTS]} if k in p else _named(k, *of_each)
        return gradients | dict(zip(self._beside, parts[len(self.paths) :], strict=True))

    @property
    def _beside(self) -> tuple[str, ...]:
        """Parameters that are not in M."""
        return ("gain_h", "offset_h") if self.layer_norm else ()

    @property
    def _settings(self) -> dict[str, int]:
        """Further constants of the compilation."""
        return {}

    @property
    def _absent(self) -> set[str]:
        """Gates that C++ has and the cell does not."""
        return set("ifo") - set(self.cell.gates) if isinstance(self.cell, LSTM) else set()

    def _normalises(self, path: str) -> bool:
        return self.layer_norm and path == "h"


class TrainedCell(NativeCell):
    """A cell that can be trained; adds the cells of `vanilla` and `attentive`."""

    forms, additions = TRAINED, (*ADDITIONS, FEWER_GATES)

    def prepared(self, parameters: Parameters) -> Parameters:
        """Parameters as from `Cell.prepared`, with a U_h that can be differentiated by few products."""
        if type(self.cell) not in ROTATIONS:
            return parameters
        name, make = ROTATIONS[type(self.cell)]
        leaf = parameters[name].detach().requires_grad_()
        return parameters | {name: leaf, "U_h": make(leaf)}

    def back(self, gradients: Parameters, prepared: Parameters) -> Parameters:
        """Gradients at the parameters, from gradients at `prepared`."""
        if type(self.cell) not in ROTATIONS:
            return gradients
        name, _ = ROTATIONS[type(self.cell)]
        (gradient,) = torch.autograd.grad(prepared["U_h"], prepared[name], gradients["U_h"])
        return gradients | {name: gradient}

    def detached(self, time: int, generator: torch.Generator | None) -> Bool[Tensor, "time"] | None:
        """The steps from which the recurrence sends no gradient back; None if there are none."""
        if isinstance(self.cell, SAB) and self.cell.truncation:
            return torch.arange(time) % self.cell.truncation == 0
        return self.cell.detached(time, generator) if isinstance(self.cell, LSTM) and generator else None

    @property
    def _beside(self) -> tuple[str, ...]:
        alignment = ("v_a",) if isinstance(self.cell, AttentionCell) else ()
        return (*super()._beside, *alignment, *(("m_h",) if self._is_modrelu else ()))

    @property
    def _settings(self) -> dict[str, int]:
        cell, settings = self.cell, {"MODRELU": int(self._is_modrelu)}
        if isinstance(cell, MemoryCell):
            settings |= {"MEAN": int(cell.mix == "mean"), "READS_MIXED": int(cell.readout_from == "s")}
            settings |= {"ATTENDS_TO_CURRENT": int(cell.attends_to_current)}
        if isinstance(cell, ScreeningCell):
            settings |= {"SHORT_TERM": cell.short_term, "RELEVANT": cell.relevant}
        if isinstance(cell, SAB):
            settings |= {"TOP_K": cell.top_k, "STORE_EVERY": cell.store_every, "READS_CONTEXT": int(self.reads_context)}
        return settings

    @property
    def reads_context(self) -> bool:
        """True if the readout of a SAB sees its recalled context next to h."""
        return isinstance(self.cell, SAB) and self.cell.readout_from == "both"

    @property
    def _is_modrelu(self) -> bool:
        nonlinear = isinstance(self.cell, RNN | MemRNN) and self.cell.nonlinearity == "modrelu"
        return nonlinear or isinstance(self.cell, GORU)


def _named(path: str, U: Tensor, W: Tensor, b: Tensor) -> Parameters:
    return {f"U_{path}": U, f"W_{path}": W, f"b_{path}": b[:, 0]}


def _deviations(rows: Tensor) -> Tensor:
    """Deviations of the rows from the mean row. The map is symmetric, so it also pulls gradients back."""
    return rows - rows.mean(0)


def vectors_and_weights(
    steps: Linearization,
) -> tuple[Float[Tensor, "time vector hidden"], Float[Tensor, "path hidden hidden"]]:
    """Inputs from which `exact.cpp` makes J_t: the vectors of each step, then the f of each path D(f) U, and every U.

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
    vectors += [path.n for path in paths if isinstance(path, NormalisedPath)]
    units = vectors[0].shape[-1]
    of_each = (_deviations(path.U) if isinstance(path, NormalisedPath) else path.U for path in paths)
    weights = torch.stack([U.expand(units, -1) for U in of_each])
    return torch.stack([*vectors, *(path.factor for path in paths)], 1), weights
