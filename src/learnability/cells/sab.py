"""Sparse attentive backtracking, SAB (Ke et al. 2018, "Sparse Attentive Backtracking: Temporal Credit Assignment
Through Reminding", Algorithm 1).

    ĥ_t, c_t = LSTM(h_{t-1}, c_{t-1}, x_t),      e_{i,t} = v_aᵀ tanh(W_a ĥ_t + U_a m_i)
    a_i = max(e_i - e_(k+1), 0),   e_(k+1) the largest but k,      h_t = ĥ_t + Σ_i a_i m_i / (Σ_i a_i + ε)

Every n-th h_t becomes a memory m_i. The recurrence sends its gradient back within blocks of `truncation` steps alone; a
memory that is attended to takes it to its own block, whatever the distance.

Of at most k memories the least score stands for e_(k+1), of which Algorithm 1 says nothing. The authors' public code
has a_i = e_i there and divides by nothing: a sum without bounds, of states that are such sums themselves, and with
scores as large as Algorithm 1 allows, states explode. That code has e_{i,t} = wᵀ tanh([ĥ_t; m_i]) in place of the
scores above; of more than k memories it chooses the same at whatever ĥ_t, which adds the same to all. Where scores are
alike, as those of like memories are, Σ_i a_i is small, and a gradient by the scores is divided by it: over long
sequences it may explode.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from learnability.cells.attentive import AttentionCell
from learnability.cells.cell import require_gate
from learnability.cells.linearization import Parameters
from learnability.cells.lstm import LSTM
from learnability.cells.memory import Access, Blocks, FullMemory
from learnability.core.errors import require, require_one_of

EPSILON = 1e-7
"""ε, as in the authors' public code: Σ_i a_i is 0 where the k + 1 largest scores are equal."""
READOUTS = ("h", "both")


class SABState(NamedTuple):
    """State after step t: [h_t; c_t], Σ_i a_i m_i, t, the normalised a_t and all memories."""

    base: Float[Tensor, "sequence state"]
    context: Float[Tensor, "sequence hidden"]
    steps: Int[Tensor, ""]
    weights: Float[Tensor, "sequence slot"]
    memory: Blocks


@dataclass(frozen=True)
class SparseMemory(FullMemory):
    """Keeps every state that is written to it, and recalls the `top_k` of the largest scores."""

    top_k: int

    def weigh(self, memory: Blocks, scores: Tensor) -> Tensor:
        return sparse(scores, self.top_k)


@dataclass(frozen=True)
class SAB(AttentionCell):
    """An LSTM that is reminded of few past states. Its state is `SABState`.

    Args:
        gate_init: of the LSTM.
        top_k: k, memories with a weight.
        truncation: steps of a block; 0: the gradient crosses all steps.
        store_every: n.
        readout_from: what predictions are read from, `h`, or `both`: as in the authors' public code h_t and once more
            Σ_i a_i m_i / Σ_i a_i, with weights of its own.
    """

    gate_init: float
    top_k: int = field(default=10, kw_only=True)
    truncation: int = field(default=10, kw_only=True)
    store_every: int = field(default=2, kw_only=True)
    readout_from: str = field(default="h", kw_only=True)

    def __post_init__(self) -> None:
        require_gate("gate_init", self.gate_init)
        require_one_of("readout_from", self.readout_from, READOUTS)
        for key, least in {"top_k": 1, "truncation": 0, "store_every": 1}.items():
            require(getattr(self, key) >= least, key, f"at least {least}", getattr(self, key))

    @property
    def base(self) -> LSTM:
        return LSTM(self.input_size, self.hidden_size, self.gate_init)

    @property
    def store(self) -> SparseMemory:
        """A memory of every n-th state."""
        return SparseMemory(self.top_k)

    def initial_state(self, inputs: Tensor) -> SABState:
        steps, memory = torch.zeros((), dtype=torch.int64), self.store.empty(inputs, self.hidden_size)
        zero = inputs.new_zeros(len(inputs), self.hidden_size)
        return SABState(self.base.initial_state(inputs), zero, steps, zero[:, :0], memory)

    def carried(self, state: Any) -> SABState:
        """The state with an empty memory."""
        return state._replace(memory=self.store.empty(state.base, self.hidden_size))

    def storing(self, inputs: Tensor, carried: Mapping[str, Tensor]) -> SABState:
        return super().storing(inputs, carried)._replace(steps=torch.tensor(self.store_every - 1))

    def attended(self, before: Any, state: Any, step: int) -> tuple[Tensor, Tensor]:
        latest = (step - 1) // self.store_every * self.store_every
        return state.weights, before.memory.steps(latest, self.store_every)

    @property
    def output_size(self) -> int:
        """H, or 2H where the readout sees both."""
        return self.hidden_size * (1 + (self.readout_from == "both"))

    def output(self, state: Any) -> Float[Tensor, "sequence output"]:
        """h_t, or [h_t; Σ_i a_i m_i]."""
        h = self.base.output(state.base)
        return torch.cat([h, state.context], 1) if self.readout_from == "both" else h

    def advance(self, parameters: Parameters, state: Any, inputs: Tensor, store: Access) -> Any:
        """`SABState` from `SABState`."""
        p, steps, memory = parameters, int(state.steps), state.memory
        before = state.base.detach() if self.truncation and steps % self.truncation == 0 else state.base
        provisional, c = self.base.step(p, before, inputs).chunk(2, 1)
        context, weights, memory = store.attend(memory, provisional @ p["W_a"].mT, p["v_a"])
        base = torch.cat([provisional + context, c], 1)
        if (steps + 1) % self.store_every == 0:
            h = self.base.output(base)  # of it, so that a gradient by the memory reaches the state
            memory = store.write(memory, h, h @ p["U_a"].mT)
        return SABState(base, context, state.steps + 1, weights, memory)


def sparse(scores: Float[Tensor, "sequence slot"], k: int) -> Float[Tensor, "sequence slot"]:
    """The weights a_i / (Σ_i a_i + ε) of the k largest scores, 0 of all others."""
    excess = torch.relu(scores - scores.topk(min(k + 1, scores.shape[1]), 1).values[:, -1:])
    return excess / (excess.sum(1, keepdim=True) + EPSILON)
