"""Memories of past hidden states that a cell attends to: of all of them, or of the few that screening keeps.

Both hold each h_i with its key U_a h_i, which is computed once, when h_i is stored. Nothing is written in place: a
memory can be differentiated through all steps. Empty slots have no weight.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from learnability.cells.linearization import total
from learnability.core.errors import require

BLOCK = 64
"""States a block. Full blocks are never copied again; one tensor of all states would be copied at each step, and each
copy kept for the gradient."""


class Pairs(NamedTuple):
    """Keys and states in the slots of a memory."""

    keys: Float[Tensor, "sequence slot hidden"]
    states: Float[Tensor, "sequence slot hidden"]


class Attended(NamedTuple):
    """Result of attention: c = Σ_i α_i h_i, the weights α_i, and the memory afterwards."""

    context: Float[Tensor, "sequence hidden"]
    weights: Float[Tensor, "sequence slot"]
    memory: Any


class Access(ABC):
    """Operations of a step on a memory."""

    @abstractmethod
    def write(
        self, memory: Any, hidden: Float[Tensor, "sequence hidden"], key: Float[Tensor, "sequence hidden"]
    ) -> Any:
        """The memory with h_t and its key."""

    @abstractmethod
    def attend(self, memory: Any, query: Float[Tensor, "sequence hidden"], v: Float[Tensor, "hidden"]) -> Attended:
        """α of the scores e_i = vᵀ tanh(query + key_i), and c = Σ_i α_i h_i; 0 of an empty memory."""


class Memory(Access):
    """A way to keep states."""

    @abstractmethod
    def empty(self, inputs: Float[Tensor, "sequence input"], hidden_size: int) -> Any:
        """A memory without states, a nest of tensors, for as many sequences as there are inputs."""

    @abstractmethod
    def weigh(self, memory: Any, scores: Float[Tensor, "sequence slot"]) -> Float[Tensor, "sequence slot"]:
        """α of the scores of what a memory holds: their softmax."""

    @abstractmethod
    def pairs(self, memory: Any) -> Pairs:
        """Pairs slot by slot; a pair stays in its slot until another takes the slot."""

    @abstractmethod
    def latest(self, memory: Any) -> Int[Tensor, "sequence"]:
        """The slot that was written last."""

    @abstractmethod
    def steps(self, memory: Any, latest: int) -> Int[Tensor, "sequence slot"]:
        """The step t of the h_t in each slot, if the latest that was stored is of step `latest`; below 1 if empty."""


class Blocks(NamedTuple):
    """Keys and states in the order of time, in blocks of `BLOCK`, the last one shorter."""

    keys: tuple[Float[Tensor, "sequence slot hidden"], ...]
    states: tuple[Float[Tensor, "sequence slot hidden"], ...]

    def add(self, hidden: Tensor, key: Tensor) -> "Blocks":
        """The blocks with another state appended."""
        return Blocks(_append(self.keys, key), _append(self.states, hidden))

    def steps(self, latest: int, every: int) -> Int[Tensor, "sequence slot"]:
        """Steps of the states, of which every n-th was stored and the last is of step `latest`."""
        sequences = len(self.states[0]) if self.states else 1
        slots = sum(states.shape[1] for states in self.states)
        return (latest + every * torch.arange(1 - slots, 1)).expand(sequences, -1)

    def scores(self, query: Tensor, v: Tensor) -> Float[Tensor, "sequence slot"]:
        """e of every state."""
        return torch.cat([query.new_zeros(len(query), 0), *(alignment(query, keys, v) for keys in self.keys)], 1)

    def weighted(self, weights: Float[Tensor, "sequence slot"]) -> Float[Tensor, "sequence hidden"]:
        """Σ_i w_i h_i of a memory that is not empty."""
        parts = weights.split([states.shape[1] for states in self.states], 1)
        return total(_mean(part, states) for part, states in zip(parts, self.states, strict=True))


@dataclass(frozen=True)
class FullMemory(Memory):
    """Keeps every state; its memory is `Blocks`."""

    def empty(self, inputs: Tensor, hidden_size: int) -> Blocks:
        return Blocks((), ())

    def write(self, memory: Blocks, hidden: Tensor, key: Tensor) -> Blocks:
        return memory.add(hidden, key)

    def attend(self, memory: Blocks, query: Tensor, v: Tensor) -> Attended:
        weights = self.weigh(memory, memory.scores(query, v))
        return Attended(memory.weighted(weights) if memory.states else torch.zeros_like(query), weights, memory)

    def weigh(self, memory: Blocks, scores: Tensor) -> Tensor:
        return torch.softmax(scores, 1)

    def pairs(self, memory: Blocks) -> Pairs:
        return Pairs(torch.cat(memory.keys, 1), torch.cat(memory.states, 1))

    def latest(self, memory: Blocks) -> Tensor:
        last = sum(keys.shape[1] for keys in memory.keys) - 1
        return torch.full((len(memory.keys[0]),), last, device=memory.keys[0].device)

    def steps(self, memory: Blocks, latest: int) -> Tensor:
        return memory.steps(latest, 1)


class Slots(NamedTuple):
    """ν + ρ slots, in no order.

    Args:
        keys, states: 0 in an empty slot.
        relevance: β, the attention that a state gathered in the short-term buffer; -∞ in an empty slot.
        age: steps since a state was stored.
    """

    keys: Float[Tensor, "sequence slot hidden"]
    states: Float[Tensor, "sequence slot hidden"]
    relevance: Float[Tensor, "sequence slot"]
    age: Int[Tensor, "sequence slot"]


@dataclass(frozen=True)
class ScreenedMemory(Memory):
    """Relevancy screening (Kerg et al. 2020, Sec. 4 and Algorithm 1); its memory is `Slots`, whatever t.

    It holds the ν latest states, the short-term buffer S_t, and of those that left the buffer the ρ with the largest
    β(i) = Σ α_{i,j} over the steps j that h_i spent in the buffer: the relevant set R_t. Of equals the older stays. A
    new state takes the slot of the least relevant one outside the buffer, and nothing else moves.

    A state is screened when it leaves the buffer, at age ν, as in the text and the authors' public code. Line 6 of
    Algorithm 1 prints age ρ, where β is not complete yet (ρ < ν) or the state no longer there (ρ > ν).

    Args:
        short_term: ν, at least 1.
        relevant: ρ, at least 0: then attention is to the short-term buffer alone.
    """

    short_term: int
    relevant: int

    def __post_init__(self) -> None:
        for key, least in {"short_term": 1, "relevant": 0}.items():
            require(getattr(self, key) >= least, key, f"at least {least}", getattr(self, key))

    def empty(self, inputs: Tensor, hidden_size: int) -> Slots:
        slots = (len(inputs), self.short_term + self.relevant)
        states = inputs.new_zeros(*slots, hidden_size)
        age = torch.full(slots, self.short_term, device=inputs.device)
        return Slots(states, states, inputs.new_full(slots, -torch.inf), age)

    def write(self, memory: Slots, hidden: Tensor, key: Tensor) -> Slots:
        age = memory.age + 1
        outside = age >= self.short_term
        lowest = memory.relevance.masked_fill(~outside, torch.inf).amin(1, keepdim=True)
        least = outside & (memory.relevance == lowest)
        slot = age.masked_fill(~least, torch.iinfo(age.dtype).max).argmin(1, keepdim=True)
        row = slot[..., None].expand(-1, 1, hidden.shape[-1])
        return Slots(
            memory.keys.scatter(1, row, key[:, None]),
            memory.states.scatter(1, row, hidden[:, None]),
            memory.relevance.scatter(1, slot, 0),
            age.scatter(1, slot, 0),
        )

    def attend(self, memory: Slots, query: Tensor, v: Tensor) -> Attended:
        weights = self.weigh(memory, alignment(query, memory.keys, v))
        attention = weights.detach().masked_fill(memory.age >= self.short_term, 0)
        after = memory._replace(relevance=memory.relevance + attention)
        return Attended(_mean(weights, memory.states), weights, after)

    def weigh(self, memory: Slots, scores: Tensor) -> Tensor:
        # The lowest number, not -∞: where all slots are empty, weights are then equal, c is 0 and no gradient is NaN.
        return torch.softmax(scores.masked_fill(memory.relevance == -torch.inf, torch.finfo(scores.dtype).min), 1)

    def pairs(self, memory: Slots) -> Pairs:
        return Pairs(memory.keys, memory.states)

    def latest(self, memory: Slots) -> Tensor:
        return memory.age.argmin(1)

    def steps(self, memory: Slots, latest: int) -> Tensor:
        return (latest - memory.age).masked_fill(memory.relevance == -torch.inf, 0)


def alignment(
    query: Float[Tensor, "sequence hidden"], keys: Float[Tensor, "sequence slot hidden"], v: Float[Tensor, "hidden"]
) -> Float[Tensor, "sequence slot"]:
    """e_i = vᵀ tanh(query + key_i), additive attention (Bahdanau et al. 2014)."""
    return torch.tanh(query[:, None] + keys) @ v


def _mean(weights: Tensor, states: Tensor) -> Float[Tensor, "sequence hidden"]:
    """Σ_i w_i h_i."""
    return (weights[:, None] @ states)[:, 0]


def _append(blocks: tuple[Tensor, ...], row: Tensor) -> tuple[Tensor, ...]:
    """Append a row, to the last block if it has space."""
    if blocks and blocks[-1].shape[1] < BLOCK:
        return (*blocks[:-1], torch.cat([blocks[-1], row[:, None]], 1))
    return (*blocks, row[:, None])
