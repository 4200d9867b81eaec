"""Recurrent cells that attend to their past, as in Kerg et al. 2020, "Untangling tradeoffs between recurrence and
self-attention in neural networks" (arXiv 2006.09471): MemRNN, MemLSTM, RelRNN, RelLSTM.

    h_t = F(s_{t-1}, x_t)                      the step of an RNN or an LSTM in which s takes the place of h     Eq. 1
    c_t = Σ_i α_{i,t} h_i,   α = softmax(e),   e_{i,t} = v_aᵀ tanh(W_a s_{t-1} + U_a h_i)
    s_t = f(h_t, c_t) = h_t + c_t                                                                              Eq. 2

with s_0 = 0. Mem cells attend to all past states, Rel cells to those that screening keeps (`memory.ScreenedMemory`).
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from learnability.cells.cell import Cell, orthogonal, require_gate
from learnability.cells.linearization import Parameters
from learnability.cells.lstm import LSTM
from learnability.cells.memory import Access, FullMemory, Memory, ScreenedMemory
from learnability.cells.vanilla import NONLINEARITIES, RNN
from learnability.core.errors import require_one_of

MIXES = {"sum": 1.0, "mean": 0.5}
"""Factors by which f multiplies h + c."""
READOUTS = ("h", "s")


@dataclass(frozen=True)
class AttentionCell(Cell):
    """A `base` cell and additive attention: W_a, U_a and v_a beside the parameters of the base.

    Its state is a named tuple with a `memory`; `CARRIED` names the tensors of it that the next step sees beside that.
    """

    attends = True
    CARRIED: ClassVar[tuple[str, ...]] = ("base",)

    @property
    @abstractmethod
    def base(self) -> Cell:
        """The recurrence, its h the first H of its state."""

    @property
    @abstractmethod
    def store(self) -> Memory:
        """The memory that keeps past states."""

    @abstractmethod
    def advance(self, parameters: Parameters, state: Any, inputs: Tensor, store: Access) -> Any:
        """The step with any store; whatever it has of past steps, it has from there."""

    @property
    def recurrent_matrices(self) -> tuple[str, ...]:
        """Recurrent matrices of the base."""
        return self.base.recurrent_matrices

    @property
    def roles(self) -> dict[str, list[str]]:
        """Roles of the base and of attention."""
        return self.base.roles | {"alignment": ["W_a", "U_a"], "alignment_vector": ["v_a"]}

    def step(self, parameters: Parameters, state: Any, inputs: Tensor) -> Any:
        return self.advance(parameters, state, inputs, self.store)

    def storing(self, inputs: Tensor, carried: Mapping[str, Tensor]) -> Any:
        """A state with an empty memory, before a step that stores its h_t."""
        return self.initial_state(inputs)._replace(**carried)

    def recurrent(self, state: Any) -> Float[Tensor, "sequence state"]:
        """State of the base."""
        return state.base

    @abstractmethod
    def attended(self, before: Any, state: Any, step: int) -> tuple[Float[Tensor, "_ slot"], Int[Tensor, "_ slot"]]:
        """Weights α of the step that leads from the state `before` to `state`, and the steps, from 1 on, of the states
        that they are of; the step of an empty slot is below 1."""

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        """Parameters of the base, orthogonal W_a and U_a, v_a of unit norm."""
        size = self.hidden_size
        return {
            **self.base.initial_parameters(root_seed, seed),
            **{name: orthogonal(size, size, root_seed, seed, name) for name in ("W_a", "U_a")},
            "v_a": orthogonal(1, size, root_seed, seed, "v_a")[0],
        }

    def prepared(self, parameters: Parameters) -> Parameters:
        return self.base.prepared(parameters)


class MemoryState(NamedTuple):
    """State after step t.

    Args:
        base: state of the base, h_t first.
        mixed: s_t.
        weights: α_t, in the order of the memory's slots.
        memory: as `Memory` keeps it.
    """

    base: Float[Tensor, "sequence state"]
    mixed: Float[Tensor, "sequence hidden"]
    weights: Float[Tensor, "sequence slot"]
    memory: Any


@dataclass(frozen=True)
class MemoryCell(AttentionCell):
    """h_t = F(s_{t-1}, x_t), s_t = f(h_t, c_t). Its state is `MemoryState`.

    Args:
        mix: f, `sum` h + c as in the text, or `mean` (h + c)/2 as in the authors' public code.
        attends_to_current: whether h_t is stored before attending, so that c_t has α_{t,t} h_t, as in Eq. 1,
            Algorithm 1 and the code; Sec. 4 defines a buffer that ends with h_{t-1}, and c_1 is then 0.
        readout_from: what predictions are read from, `h` as in the code, or `s`, which Algorithm 1 returns.
    """

    CARRIED = ("base", "mixed")

    mix: str = field(default="sum", kw_only=True)
    attends_to_current: bool = field(default=True, kw_only=True)
    readout_from: str = field(default="h", kw_only=True)

    def __post_init__(self) -> None:
        require_one_of("mix", self.mix, MIXES)
        require_one_of("readout_from", self.readout_from, READOUTS)

    @property
    def store(self) -> Memory:
        """A memory of all past states."""
        return FullMemory()

    def initial_state(self, inputs: Tensor) -> MemoryState:
        zero, memory = inputs.new_zeros(len(inputs), self.hidden_size), self.store.empty(inputs, self.hidden_size)
        return MemoryState(self.base.initial_state(inputs), zero, zero[:, :0], memory)

    def carried(self, state: Any) -> MemoryState:
        """The state with an empty memory: truncated gradients keep a memory within one segment, as in the paper."""
        return state._replace(memory=self.store.empty(state.mixed, self.hidden_size))

    def attended(self, before: Any, state: Any, step: int) -> tuple[Tensor, Tensor]:
        memory, latest = (state.memory, step) if self.attends_to_current else (before.memory, step - 1)
        return state.weights, self.store.steps(memory, latest)

    def output(self, state: Any) -> Float[Tensor, "sequence hidden"]:
        """Input of the readout, h_t or s_t."""
        return state.mixed if self.readout_from == "s" else self.base.output(state.base)

    def advance(self, parameters: Parameters, state: Any, inputs: Tensor, store: Access) -> Any:
        """`MemoryState` from `MemoryState`."""
        p, memory = parameters, state.memory
        previous = torch.cat([state.mixed, state.base[:, self.hidden_size :]], 1)
        base = self.base.step(p, previous, inputs)
        h = self.base.output(base)
        query, key = state.mixed @ p["W_a"].mT, h @ p["U_a"].mT
        if self.attends_to_current:
            memory = store.write(memory, h, key)
        context, weights, memory = store.attend(memory, query, p["v_a"])
        if not self.attends_to_current:
            memory = store.write(memory, h, key)
        return MemoryState(base, MIXES[self.mix] * (h + context), weights, memory)


@dataclass(frozen=True)
class ScreeningCell(MemoryCell):
    """A cell that attends to what screening keeps.

    Args:
        short_term: ν, states of the short-term buffer.
        relevant: ρ, states of the relevant set. Both are 10 in Tables 6 to 8 of the paper.
    """

    screens = True

    short_term: int = field(default=10, kw_only=True)
    relevant: int = field(default=10, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        ScreenedMemory(self.short_term, self.relevant)  # raises what there is to raise

    @property
    def store(self) -> ScreenedMemory:
        return ScreenedMemory(self.short_term, self.relevant)


@dataclass(frozen=True)
class MemRNN(MemoryCell):
    """An RNN that attends to all its past states.

    Args:
        nonlinearity: of the RNN.
    """

    nonlinearity: str = "tanh"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_one_of("nonlinearity", self.nonlinearity, NONLINEARITIES)

    @property
    def base(self) -> RNN:
        return RNN(self.input_size, self.hidden_size, self.nonlinearity)


@dataclass(frozen=True)
class MemLSTM(MemoryCell):
    """An LSTM that attends to all its past states; the cell state c of the LSTM is as without attention.

    Args:
        gate_init: of the LSTM.
    """

    gate_init: float

    def __post_init__(self) -> None:
        super().__post_init__()
        require_gate("gate_init", self.gate_init)

    @property
    def base(self) -> LSTM:
        return LSTM(self.input_size, self.hidden_size, self.gate_init)


@dataclass(frozen=True)
class RelRNN(ScreeningCell, MemRNN):
    """An RNN that attends to the ν + ρ past states that screening keeps."""


@dataclass(frozen=True)
class RelLSTM(ScreeningCell, MemLSTM):
    """An LSTM that attends to the ν + ρ past states that screening keeps."""
