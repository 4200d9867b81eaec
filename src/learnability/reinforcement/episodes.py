"""Cells of which each sequence starts over where an episode begins."""

from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor
from torch.utils._pytree import tree_map

from learnability.cells import Cell, Parameters
from learnability.cells.attentive import MemoryState
from learnability.cells.memory import Access, Attended, Blocks, FullMemory, ScreenedMemory, Slots
from learnability.core.errors import require


class Lived(NamedTuple):
    """A memory of all steps, of which each sequence has the last `steps`: those of its episode."""

    blocks: Blocks
    steps: Int64[Tensor, "sequence"]


STATES = [MemoryState, Blocks, Slots, Lived]
"""Types in states, beside tensors."""


class EpisodeMemory(Access):
    """A `FullMemory` of one episode: what was written before its first step has no weight."""

    def empty(self, inputs: Float[Tensor, "sequence input"]) -> Lived:
        """An empty memory."""
        return Lived(Blocks((), ()), torch.zeros(len(inputs), dtype=torch.int64))

    def forget(self, memory: Lived, begins: Bool[Tensor, "sequence"]) -> Lived:
        """The memory without earlier steps of the sequences that begin; blocks that no sequence needs are dropped."""
        steps = memory.steps.masked_fill(begins, 0)
        keys, states = memory.blocks
        longest, slot_count = int(steps.max()), sum(block.shape[1] for block in keys)
        while keys and slot_count - keys[0].shape[1] >= longest:
            slot_count -= keys[0].shape[1]
            keys, states = keys[1:], states[1:]
        return Lived(Blocks(keys, states), steps)

    def write(self, memory: Lived, hidden: Tensor, key: Tensor) -> Lived:
        return Lived(memory.blocks.add(hidden, key), memory.steps + 1)

    def attend(self, memory: Lived, query: Tensor, v: Tensor) -> Attended:
        scores = memory.blocks.scores(query, v)
        slots = scores.shape[1]
        if not slots:
            return Attended(torch.zeros_like(query), scores, memory)
        outside = torch.arange(slots) < slots - memory.steps[:, None]
        shares = torch.softmax(scores.masked_fill(outside, torch.finfo(scores.dtype).min), 1)
        weights = shares.masked_fill(outside, 0)  # where nothing is left, shares are equal
        return Attended(memory.blocks.weighted(weights), weights, memory)


class EpisodicCell:
    """A cell whose sequences start over one by one.

    Raises:
        InputError: for a cell that cannot: one whose steps in training are random, or whose state is neither a single
            tensor nor that of a Mem or Rel cell.
    """

    def __init__(self, cell: Cell) -> None:
        attentive: Any = cell
        memory = attentive.store if cell.attends else None
        starts_over = isinstance(cell.initial_state(torch.zeros(1, cell.input_size)), MemoryState | Tensor)
        can_forget = memory is None or type(memory) in (FullMemory, ScreenedMemory)
        requirement = "one whose sequences can begin one by one, without random steps"
        require(starts_over and can_forget and not cell.is_noisy, "cell", requirement, type(cell).__name__)
        self.cell = attentive
        self._memory = EpisodeMemory() if type(memory) is FullMemory else None

    def initial_state(self, inputs: Float[Tensor, "sequence input"]) -> Any:
        """s_0 of each sequence."""
        state = self.cell.initial_state(inputs)
        return state._replace(memory=self._memory.empty(inputs)) if self._memory else state

    def step(
        self,
        parameters: Parameters,
        state: Any,
        inputs: Float[Tensor, "sequence input"],
        begins: Bool[Tensor, "sequence"],
    ) -> Any:
        """s_t, from s_0 where a sequence begins, else from s_{t-1}."""
        if begins.any():
            state = self._restart(state, inputs, begins)
        if self._memory:
            return self.cell.advance(parameters, state, inputs, self._memory)
        return self.cell.step(parameters, state, inputs)

    def _restart(self, state: Any, inputs: Tensor, begins: Tensor) -> Any:
        initial = self.initial_state(inputs)

        def pick(first: Tensor, part: Tensor) -> Tensor:
            return torch.where(begins.reshape(-1, *[1] * (part.dim() - 1)), first, part)

        if isinstance(state, Tensor):
            return pick(initial, state)
        if self._memory:
            memory = self._memory.forget(state.memory, begins)
        else:
            memory = tree_map(pick, initial.memory, state.memory)
        base, mixture = pick(initial.base, state.base), pick(initial.mixed, state.mixed)
        return initial._replace(base=base, mixed=mixture, memory=memory)
