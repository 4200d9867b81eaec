"""Exact transport where a cell attends to its past: what of a gradient crosses ℓ steps, by recurrence and attention.

A part of a gradient is told by the step whose use of the parameters it is of, whichever way it took from there:

    g_ℓ = Σ_t e_t ∂ŷ_t/∂θ_{t-ℓ},        θ_τ the parameters as step τ uses them.

Where the state is one vector that is Σ_t e_t v_{t,ℓ} B_{t-ℓ}. Here a step is cut from its memory. With c_τ what it
finds there, q_τ its query, h_τ and k_τ the state and key that it stores, and z_τ its state but for the memory,

    (z_τ, q_τ, h_τ, k_τ) = G(θ_τ, z_{τ-1}, c_τ, x_τ),      c_τ = Σ_i α_i h_i,
    α = weights of the scores e_i = vᵀ u_i,                u_i = tanh(q_τ + k_i).

Backward from τ = T, with ā = ∂ŷ_t/∂a for all ends t ≥ τ at once, G by automatic differentiation of the cell's own step:

    ē = (h_i · c̄)_i ∂α/∂e,    q̄ = Σ_i ē_i v ⊙ (1 - u_i²),    v̄ = Σ_i ē_i u_i,
    k̄_i += ē_i v ⊙ (1 - u_i²),    h̄_i += α_i c̄.

Of the ends t = τ + ℓ the ā of step τ are kept, and one product over τ makes gradients of them. Which states a memory
keeps is piecewise constant: it has no gradient.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from jaxtyping import Float64
from torch import Tensor
from torch.func import vjp, vmap

from learnability.cells import Parameters
from learnability.cells.attentive import AttentionCell
from learnability.cells.memory import Access, Attended
from learnability.transport.engine import SequenceGradient, at_ends

Tensors = dict[str, Tensor]


def attended_gradients(
    cell: AttentionCell,
    parameters: Parameters,
    inputs: Float64[Tensor, "sequence time input"],
    gradient: Float64[Tensor, "sequence time hidden"],
    errors: Float64[Tensor, "error sequence time"],
    lags: Sequence[int],
) -> list[SequenceGradient]:
    """g_ℓ and the whole gradient of each sequence, of losses whose gradient with regard to the output at t is e_t ρ_t.

    The gain behind g_ℓ is ‖v_{t,ℓ}‖ / ‖v_{t,0}‖, v_{t,ℓ} = ρ_tᵀ ∂h_t/∂r_{t-ℓ} with r as `Cell.recurrent` has it.

    Args:
        parameters: of the cell; others are left out.
        gradient: ρ_t.
        errors: e_t of each error signal.
    """
    theta = {name: parameters[name].double() for name in cell.initial_parameters(0, 0)}
    with torch.enable_grad():
        steps = list(_steps(cell, theta, inputs))
        backward = _Backward(cell, gradient, errors, lags)
        backward.run(steps)
    z = {name: torch.stack([step.z[name].detach() for step in steps], 1) for name in cell.CARRIED}
    context = torch.stack([step.edge.context.detach() for step in steps], 1)

    def pull_back(x: Tensor, z: Tensors, context: Tensor, ends: Tensors) -> Tensor:
        """Σ_τ āᵀ ∂G/∂θ of one sequence, a row for each lag."""

        def step(p: Parameters) -> Tensors:
            edge = _Edge(
                lambda memory, *_: Attended(context, context[:, :0], memory), lambda memory, *_: memory, context
            )
            after = cell.advance(cell.prepared(p), cell.storing(x, z), x, edge)
            outcomes = {"output": cell.output(after), **_state_but_memory(cell, after), **edge.outcomes}
            return {name: outcomes[name].expand(ends[name].shape[1:]) for name in ends}

        back = vmap(vjp(step, theta)[1])(ends)[0]
        return torch.cat([back[name].flatten(1) for name in theta], 1)

    parts = []
    for number, e in enumerate(errors):
        e = at_ends(e, lags)[..., None]
        ends = {
            name: torch.cat([cotangent[:, number, None], cotangent[:, len(errors) :] * e], 1)
            for name, cotangent in backward.ends.items()
        }
        parts.append(vmap(pull_back)(inputs, z, context, ends))
    envelope = backward.gain / (inputs.shape[1] - torch.tensor(lags))
    return [
        SequenceGradient(of_one[:, 1:], of_one[:, 0], gain)
        for of_one, gain in zip(torch.stack(parts, 1), envelope, strict=True)
    ]


@dataclass
class _Edge(Access):
    """The meeting of a step with its memory, which notes query, context and the state and key that are stored.

    Args:
        find: what a query finds in a memory.
        keep: the memory with one more state and its key.
        context: c; empty until the memory is asked.
    """

    find: Callable[[Any, Tensor, Tensor], Attended]
    keep: Callable[[Any, Tensor, Tensor], Any]
    context: Tensor
    outcomes: Tensors = field(default_factory=dict)
    memory: Any = None
    slots: int = 0
    new_memory: Any = None
    sees_itself: bool = False

    def write(self, memory: Any, hidden: Tensor, key: Tensor) -> Any:
        self.outcomes |= {"hidden": hidden, "key": key}
        self.new_memory = self.keep(memory, hidden, key)
        return self.new_memory

    def attend(self, memory: Any, query: Tensor, v: Tensor) -> Attended:
        self.sees_itself = "hidden" in self.outcomes
        self.outcomes |= {"query": query, "v": v}
        attention = self.find(memory, query, v)
        self.context, self.memory, self.slots = attention.context, memory, attention.weights.shape[1]
        return attention


class _Step(NamedTuple):
    """A step with the graph of G, from z and the context of its edge to the state after and the edge's outcomes."""

    z: Tensors
    edge: _Edge
    after: Any


def _state_but_memory(cell: AttentionCell, state: Any) -> Tensors:
    """z."""
    return {name: getattr(state, name) for name in cell.CARRIED}


def _steps(cell: AttentionCell, parameters: Parameters, inputs: Tensor) -> Iterator[_Step]:
    """Steps t = 1, …, T, each with a graph of its own."""
    store = cell.store

    def find(memory: Any, query: Tensor, v: Tensor) -> Attended:
        attention = store.attend(memory, query.detach(), v.detach())
        return attention._replace(context=attention.context.requires_grad_())

    def keep(memory: Any, hidden: Tensor, key: Tensor) -> Any:
        return store.write(memory, hidden.detach(), key.detach())

    weights, state = cell.prepared(parameters), cell.initial_state(inputs[:, 0])
    for x in inputs.unbind(1):
        z = {name: tensor.detach().requires_grad_() for name, tensor in _state_but_memory(cell, state).items()}
        edge = _Edge(find, keep, x.new_empty(len(x), 0))
        state = cell.advance(weights, state._replace(**z), x, edge)
        yield _Step(z, edge, state)


@dataclass
class _Backward:
    """ā of each step for all ends t at once, from the last step to the first.

    Rows of an ā are first the sums over t, weighted by each e, and then the ends t that still count: as many as the
    largest lag asks for, a new one in the place of the one that is too far.

    Attributes:
        ends: of each end of G: (sequence, row, time, …), rows the sums and then the lags ℓ, of t = τ + ℓ.
        gain: Σ_t ‖v_{t,ℓ}‖ / ‖v_{t,0}‖ (sequence, lag).
    """

    cell: AttentionCell
    gradient: Float64[Tensor, "sequence time hidden"]
    errors: Float64[Tensor, "error sequence time"]
    lags: Sequence[int]
    ends: Tensors = field(default_factory=dict)

    def __post_init__(self) -> None:
        sequences, self.time, self.units = self.gradient.shape
        self.sums, self.far = len(self.errors), min(self.lags[-1] + 1, self.time)
        self.gain = self.gradient.new_zeros(sequences, len(self.lags))
        self.size = self.gradient.new_zeros(sequences, self.time)  # ‖v_{t,0}‖
        self.sequence = torch.arange(sequences)

    def run(self, steps: list[_Step]) -> None:
        """Go back over all steps; their graphs are used up."""
        last = next((step.edge.new_memory for step in reversed(steps) if step.edge.new_memory is not None), None)
        slots = 0 if last is None else self.cell.store.pairs(last).keys.shape[1]
        shape = len(self.gradient), slots, self.sums + self.far, self.units
        self.to_keys, self.to_states = self.gradient.new_zeros(shape), self.gradient.new_zeros(shape)
        to_z = {name: tensor.new_zeros(self.sums + self.far, *tensor.shape) for name, tensor in steps[-1].z.items()}
        for t in reversed(range(self.time)):
            to_z = self._back(t, steps[t], to_z)
            steps[t] = steps[t]._replace(after=None)

    def _row(self, t: int) -> int:
        """Row of the end t, from 0."""
        return self.sums + (self.time - 1 - t) % self.far

    def _back(self, t: int, step: _Step, to_z: Tensors) -> Tensors:
        """z̄_{t-1} from z̄_t; slots turn from ā of the memory after step t to ā of the memory before it."""
        edge, row_count, new = step.edge, self.sums + min(self.time - t, self.far), self._row(t)
        for cotangent in (*to_z.values(), self.to_keys.permute(2, 0, 1, 3), self.to_states.permute(2, 0, 1, 3)):
            cotangent[new] = 0
        output = self.gradient.new_zeros(row_count, len(self.gradient), self.units)
        output[new] = self.gradient[:, t]
        output[: self.sums] = self.errors[:, :, t, None] * self.gradient[:, t]
        outcomes = {"output": self.cell.output(step.after), **_state_but_memory(self.cell, step.after), **edge.outcomes}
        to = {"output": output, **{name: cotangent[:row_count] for name, cotangent in to_z.items()}}
        if not edge.sees_itself:
            to |= self._pull_slot(edge, row_count)
        if edge.slots:
            to |= self._pull_attention(edge, _pull(outcomes, to, {"context": edge.context})["context"])
        if edge.sees_itself:
            to |= self._pull_slot(edge, row_count)
        back = _pull(outcomes, to, {**step.z, "recurrent": self.cell.recurrent(step.after)})
        self._keep(t, to, back["recurrent"], new)
        for name, cotangent in to_z.items():
            cotangent[:row_count] = back[name]
        return to_z

    def _pull_slot(self, edge: _Edge, row_count: int) -> Tensors:
        """h̄ and k̄ of the state and key that a step stored; its slot then belongs to the state before."""
        if edge.new_memory is None:
            return {}
        slot = self.cell.store.latest(edge.new_memory)
        cotangents = {}
        for name, slots in {"hidden": self.to_states, "key": self.to_keys}.items():
            cotangents[name] = slots[self.sequence, slot, :row_count].transpose(0, 1)
            slots[self.sequence, slot, :row_count] = 0
        return cotangents

    def _pull_attention(self, edge: _Edge, to_context: Float64[Tensor, "row sequence hidden"]) -> Tensors:
        """q̄ and v̄, from c̄; h̄_i and k̄_i are added to the slots."""
        keys, states = self.cell.store.pairs(edge.memory)
        query, v = edge.outcomes["query"].detach(), edge.outcomes["v"].detach()
        u = torch.tanh(query[:, None] + keys)
        slope, to_context = v * (1 - u**2), to_context.transpose(0, 1)
        row_count, slots = to_context.shape[1], keys.shape[1]
        with torch.enable_grad():
            scores = (u @ v).requires_grad_()
            weights = self.cell.store.weigh(edge.memory, scores)
        to_weights = to_context @ states.mT
        to_scores = _pull({"weights": weights}, {"weights": to_weights.transpose(0, 1)}, {"scores": scores})["scores"]
        to_scores = to_scores.permute(1, 2, 0).contiguous()
        self.to_keys[:, :slots, :row_count].addcmul_(to_scores[..., None], slope[:, :, None])
        self.to_states[:, :slots, :row_count].addcmul_(weights.detach()[..., None, None], to_context[:, None])
        return {"query": (to_scores.mT @ slope).transpose(0, 1), "v": (to_scores.mT @ u).transpose(0, 1)}

    def _keep(self, t: int, to: Tensors, to_recurrent: Float64[Tensor, "row sequence state"], new: int) -> None:
        """Keep ā for the ends t = τ + ℓ, and add to the gain."""
        lags = [lag for lag in self.lags if t + lag < self.time]
        rows = [*range(self.sums), *(self._row(t + lag) for lag in lags)]
        for name, cotangent in to.items():
            if name not in self.ends:
                _, sequences, size = cotangent.shape
                self.ends[name] = cotangent.new_zeros(sequences, self.sums + len(self.lags), self.time, size)
            self.ends[name][:, : len(rows), t] = cotangent[rows].transpose(0, 1)
        self.size[:, t] = torch.linalg.vector_norm(to_recurrent[new], dim=-1)
        for index, lag in enumerate(lags):
            norm, at_end = torch.linalg.vector_norm(to_recurrent[self._row(t + lag)], dim=-1), self.size[:, t + lag]
            self.gain[:, index] += norm / at_end.where(at_end > 0, torch.inf)


def _pull(outcomes: Tensors, to: Tensors, back: Tensors) -> Tensors:
    """Σ_a āᵀ ∂a/∂b for each b of `back`, over the a of `outcomes` that `to` has ā of, for every row of ā."""
    ends = [name for name in to if outcomes[name].requires_grad]

    def pull(rows: list[Tensor]) -> tuple[Tensor, ...]:
        gradients: tuple[Tensor, ...] = torch.autograd.grad(
            [outcomes[name] for name in ends],
            list(back.values()),
            rows,
            retain_graph=True,
            allow_unused=True,
            materialize_grads=True,
        )
        return gradients

    return dict(zip(back, vmap(pull)([to[name] for name in ends]), strict=True))
