"""Interface of a recurrent cell: parameters and one step s_t = F(θ, s_{t-1}, x_t); the rest has a default.

Every method maps over leading dimensions (`...`: sequence, time).
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch
from jaxtyping import Float, Float64
from torch import Tensor

from learnability.cells.automatic import AutomaticLinearization
from learnability.cells.linearization import MASK, Linearization, Parameters
from learnability.core.errors import InputError, require
from learnability.core.streams import seed_sequence

T = TypeVar("T")


@dataclass(frozen=True)
class Cell(ABC):
    """A recurrent cell with `input_size` inputs (D) and `hidden_size` units (H).

    `ORTHOGONAL` names the parameters of which it makes matrices that stay orthogonal.
    """

    ORTHOGONAL: ClassVar[tuple[str, ...]] = ()

    is_scannable: ClassVar[bool] = False
    """True if `states(parameters, inputs)` runs whole sequences by a parallel scan of ⌈log₂ T⌉ steps."""

    has_reset: ClassVar[bool] = False
    """True if a reset gate acts on h_{t-1} within the candidate, so that Eq. 26 adds to the first-order rates."""

    has_cell_state: ClassVar[bool] = False
    """True if the state is [h_t; c_t] with h_t = o_t ⊙ tanh(c_t), as in an LSTM."""

    attends: ClassVar[bool] = False
    """True if a step attends to past states, with all that an `AttentionCell` has."""

    screens: ClassVar[bool] = False
    """True if the cell attends to the states that screening keeps, `short_term` and `relevant` of them."""

    gate_paths: ClassVar[dict[str, str]] = {}
    """Paths of gates σ(W x_t + U h_{t-1} + b) by the names of the gates, as {"forget": "f"} where W is `W_f`."""

    input_size: int
    hidden_size: int

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Whoever changes what a step computes and brings no `linearize` has the automatic one, not its parent's."""
        super().__init_subclass__(**arguments)
        if {"step", "gate", "reset", "candidate"} & set(vars(cls)) and "linearize" not in vars(cls):
            cls.linearize = Cell.linearize  # type: ignore[method-assign]

    @staticmethod
    def next_size(hidden_size: int) -> int:
        """The number of units that a cell of this kind can have next above `hidden_size`."""
        return hidden_size + 1

    @property
    def state_size(self) -> int:
        """Numbers in the state s_t: H, or more where a cell keeps more than its hidden units."""
        return self.hidden_size

    def output(self, state: Float[Tensor, "... state"]) -> Float[Tensor, "... hidden"]:
        """The hidden units h_t within the state s_t: the first H of it."""
        return state[..., : self.hidden_size]

    @property
    def output_size(self) -> int:
        """Numbers that the readout sees: H, or more where a cell shows more than its hidden units."""
        return self.hidden_size

    def recurrent(self, state: Any) -> Float[Tensor, "sequence state"]:
        """The tensor of s_t whose first H numbers are h_t; all of s_t, unless that is a nest of tensors."""
        return state

    def as_state(self, output: Float[Tensor, "... hidden"]) -> Float[Tensor, "... state"]:
        """A vector over the state from a vector over the hidden units: 0 elsewhere."""
        return torch.nn.functional.pad(output, (0, self.state_size - self.hidden_size))

    def memory(self, state: Float[Tensor, "... state"]) -> Float[Tensor, "... hidden"]:
        """The part of the state that first-order windows start from: its last H numbers, h_t, or the LSTM's c_t."""
        return state[..., -self.hidden_size :]

    @abstractmethod
    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Float64 parameters at initialisation, each from a stream keyed by its own name."""

    @abstractmethod
    def step(
        self, parameters: Parameters, state: Float[Tensor, "... state"], inputs: Float[Tensor, "... input"]
    ) -> Float[Tensor, "... state"]:
        """s_t from s_{t-1} and x_t."""

    def prepared(self, parameters: Parameters) -> Parameters:
        """The parameters as all steps of a sequence use them: with what depends on them alone, computed once.

        By default the same parameters. `step` takes both kinds; preparing twice changes nothing.
        """
        return parameters

    def initial_state(self, inputs: Float[Tensor, "sequence input"]) -> Any:
        """s_0 of each sequence, by default 0; `inputs` says how many there are, and of what kind and where.

        Training by automatic differentiation takes any nest of tensors for a state, and one that grows with t (a memory
        of past states). Measurements take a single tensor (sequence, state); along the own gradient also the state of
        an `AttentionCell`.
        """
        return inputs.new_zeros(len(inputs), self.state_size)

    def outputs(
        self, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
    ) -> Float[Tensor, "sequence time hidden"] | None:
        """h_1, …, h_T from s_0 at once, of a cell that has a faster way to them than step by step; by default None."""
        return None

    def carried(self, state: Any) -> Any:
        """State from which the next segment of a sequence starts where gradients are truncated: s_t, or a part of it.

        A cell whose memory is of one segment alone empties it here.
        """
        return state

    @property
    def addition(self) -> str:
        """Words for the addition that settings make to the step of the class; empty for none."""
        return ""

    @property
    def is_noisy(self) -> bool:
        """True if steps in training are random."""
        return type(self).noisy_step is not Cell.noisy_step

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        """Names of prepared parameters that multiply h_{t-1}, by `affine` or behind `kept`: there dropout acts.

        By default none: a cell without these refuses dropout.
        """
        return ()

    @property
    def roles(self) -> dict[str, list[str]]:
        """Parameters by the roles of `learnability.networks.starts.Start`, of `gates` their paths; by default none."""
        return {}

    @property
    def fixed_gate(self) -> float:
        """The gate s, where it is the same for all units and times; by default 0, for none."""
        return 0.0

    def layered(self, parameters: Parameters) -> list[tuple["Cell", Parameters]]:
        """Layers with their own parameters, the lowest first; by default the cell itself."""
        return [(self, parameters)]

    @property
    def masks(self) -> dict[str, int]:
        """Names of the dropout masks among the parameters, and their numbers of units; the readout's mask is last."""
        return {MASK: self.hidden_size} if self.recurrent_matrices else {}

    def noisy_step(
        self,
        parameters: Parameters,
        state: Float[Tensor, "... state"],
        inputs: Float[Tensor, "... input"],
        generator: torch.Generator,
    ) -> Any:
        """s_t as in training, where it is random (dropout). By default `step`.

        Args:
            generator: every draw is of it, on the CPU.
        """
        return self.step(parameters, state, inputs)

    def gate(
        self, parameters: Parameters, state: Float[Tensor, "... state"], inputs: Float[Tensor, "... input"]
    ) -> Float[Tensor, "... gate"] | None:
        """The update gate at t, in (0, 1), its last dimension 1 or H; None of a cell without one."""
        return None

    def retained(
        self, parameters: Parameters, state: Float[Tensor, "... state"], inputs: Float[Tensor, "... input"]
    ) -> Float[Tensor, "... state"] | None:
        """The diagonal of T_t in J_t = T_t + R_t, for a cell without `linearize`; None takes all of diag J_t."""
        return None

    def linearize(
        self, parameters: Parameters, state: Float[Tensor, "... state"], inputs: Float[Tensor, "... input"]
    ) -> Linearization:
        """The step at (s_{t-1}, x_t) to first order; by default by automatic differentiation."""
        return AutomaticLinearization(self, parameters, state, inputs)


def candidate_parameters(cell: Cell, path: str, root_seed: int, seed: int) -> Parameters:
    """Orthogonal W and U and a zero bias (paper Sec. 6.1)."""
    return {
        f"W_{path}": orthogonal(cell.hidden_size, cell.input_size, root_seed, seed, f"W_{path}"),
        f"U_{path}": orthogonal(cell.hidden_size, cell.hidden_size, root_seed, seed, f"U_{path}"),
        f"b_{path}": torch.zeros(cell.hidden_size, dtype=torch.float64),
    }


def gate_parameters(cell: Cell, path: str, rows: int, start: float) -> Parameters:
    """Zero W and U and the bias logit(start): σ(W x + U h + b) = start, whatever the input."""
    return {
        f"W_{path}": torch.zeros(rows, cell.input_size, dtype=torch.float64),
        f"U_{path}": torch.zeros(rows, cell.hidden_size, dtype=torch.float64),
        f"b_{path}": torch.full((rows,), start, dtype=torch.float64).logit(),
    }


def require_gate(key: str, value: float) -> None:
    """Raise `InputError` unless a gate can have this value."""
    require(0 < value < 1, key, "in (0, 1)", value)


def orthogonal(rows: int, columns: int, root_seed: int, seed: int, name: str) -> Float64[Tensor, "rows columns"]:
    """A random (semi-)orthogonal matrix from the initialisation stream of the parameter `name`."""
    (state,) = seed_sequence(root_seed, seed, "initial", name).generate_state(1, np.uint64)
    generator = torch.Generator().manual_seed(int(state >> np.uint64(1)))
    return torch.nn.init.orthogonal_(torch.empty(rows, columns, dtype=torch.float64), generator=generator)


def lacked_cell(cell: Cell, table: Collection[type], additions: Collection[str] = ()) -> str:
    """Words for a cell that is not in a table of an engine; empty for a cell that is. A subclass is another cell.

    Args:
        additions: values of `Cell.addition` that the engine has.
    """
    if type(cell) in table and cell.addition in ("", *additions):
        return ""
    name = type(cell).__name__
    return f"{name} with {cell.addition}" if cell.addition else name


def for_cell(engine: str, cell: Cell, table: Mapping[type, T], additions: Collection[str] = ()) -> T:
    """Look a cell up in the table of an engine; raise `InputError` for a cell that is not there."""
    name = lacked_cell(cell, table, additions)
    if not name:
        return table[type(cell)]
    names = ", ".join(kind.__name__ for kind in table)
    raise InputError(f"the cell of engine '{engine}' must be one of {names}. Got {name}.")
