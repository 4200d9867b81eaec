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

Named = dict[str, Tensor]


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
        parameters: of the cell; what else there is of them is left out.
        gradient: ρ_t.
        errors: e_t of each error signal.
    """
    own = {name: parameters[name].double() for name in cell.initial_parameters(0, 0)}
    with torch.enable_grad():
        steps = list(_steps(cell, own, inputs))
        backward = _Backward(cell, gradient, errors, lags)
        backward.run(steps)
    carried = {name: torch.stack([step.carried[name].detach() for step in steps], 1) for name in cell.CARRIED}
    found = torch.stack([step.edge.found.detach() for step in steps], 1)

    def pulled_back(x: Tensor, carried: Named, found: Tensor, ends: Named) -> Tensor:
        """Σ_τ āᵀ ∂G/∂θ of one sequence, a row for each lag."""

        def step(p: Parameters) -> Named:
            edge = _Edge(lambda memory, *_: Attended(found, found[:, :0], memory), lambda memory, *_: memory, found)
            after = cell.advance(cell.prepared(p), cell.storing(x, carried), x, edge)
            made = {"output": cell.output(after), **_carried(cell, after), **edge.made}
            return {name: made[name].expand(ends[name].shape[1:]) for name in ends}

        back = vmap(vjp(step, own)[1])(ends)[0]
        return torch.cat([back[name].flatten(1) for name in own], 1)

    parts = []
    for number, e in enumerate(errors):
        e = at_ends(e, lags)[..., None]
        ends = {
            name: torch.cat([each[:, number, None], each[:, len(errors) :] * e], 1)
            for name, each in backward.ends.items()
        }
        parts.append(vmap(pulled_back)(inputs, carried, found, ends))
    envelope = backward.gain / (inputs.shape[1] - torch.tensor(lags))
    return [
        SequenceGradient(of_one[:, 1:], of_one[:, 0], gain)
        for of_one, gain in zip(torch.stack(parts, 1), envelope, strict=True)
    ]


@dataclass
class _Edge(Access):
    """Where a step meets its memory: notes what it asks, finds and stores.

    Args:
        find: what a query finds in a memory.
        keep: the memory with one more state and its key.
        found: c; until then nothing.
    """

    find: Callable[[Any, Tensor, Tensor], Attended]
    keep: Callable[[Any, Tensor, Tensor], Any]
    found: Tensor
    made: Named = field(default_factory=dict)
    memory: Any = None
    slots: int = 0
    stored: Any = None
    sees_itself: bool = False

    def write(self, memory: Any, hidden: Tensor, key: Tensor) -> Any:
        self.made |= {"hidden": hidden, "key": key}
        self.stored = self.keep(memory, hidden, key)
        return self.stored

    def attend(self, memory: Any, query: Tensor, v: Tensor) -> Attended:
        self.sees_itself = "hidden" in self.made
        self.made |= {"query": query, "v": v}
        attended = self.find(memory, query, v)
        self.found, self.memory, self.slots = attended.context, memory, attended.weights.shape[1]
        return attended


class _Step(NamedTuple):
    """A step as it was taken, with the graph of G: from `carried`, and what its edge found, to what they made."""

    carried: Named
    edge: _Edge
    after: Any


def _carried(cell: AttentionCell, state: Any) -> Named:
    """z."""
    return {name: getattr(state, name) for name in cell.CARRIED}


def _steps(cell: AttentionCell, parameters: Parameters, inputs: Tensor) -> Iterator[_Step]:
    """Steps t = 1, …, T, each with a graph of its own."""
    store = cell.store

    def find(memory: Any, query: Tensor, v: Tensor) -> Attended:
        attended = store.attend(memory, query.detach(), v.detach())
        return attended._replace(context=attended.context.requires_grad_())

    def keep(memory: Any, hidden: Tensor, key: Tensor) -> Any:
        return store.write(memory, hidden.detach(), key.detach())

    prepared, state = cell.prepared(parameters), cell.initial_state(inputs[:, 0])
    for x in inputs.unbind(1):
        carried = {name: each.detach().requires_grad_() for name, each in _carried(cell, state).items()}
        edge = _Edge(find, keep, x.new_empty(len(x), 0))
        state = cell.advance(prepared, state._replace(**carried), x, edge)
        yield _Step(carried, edge, state)


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
    ends: Named = field(default_factory=dict)

    def __post_init__(self) -> None:
        sequences, self.time, self.units = self.gradient.shape
        self.sums, self.far = len(self.errors), min(self.lags[-1] + 1, self.time)
        self.gain = self.gradient.new_zeros(sequences, len(self.lags))
        self.size = self.gradient.new_zeros(sequences, self.time)  # ‖v_{t,0}‖
        self.sequence = torch.arange(sequences)

    def run(self, steps: list[_Step]) -> None:
        """Go back over all steps; their graphs are used up."""
        last = next((step.edge.stored for step in reversed(steps) if step.edge.stored is not None), None)
        slots = 0 if last is None else self.cell.store.pairs(last).keys.shape[1]
        shape = len(self.gradient), slots, self.sums + self.far, self.units
        self.to_keys, self.to_states = self.gradient.new_zeros(shape), self.gradient.new_zeros(shape)
        carried = {name: each.new_zeros(self.sums + self.far, *each.shape) for name, each in steps[-1].carried.items()}
        for t in reversed(range(self.time)):
            carried = self._back(t, steps[t], carried)
            steps[t] = steps[t]._replace(after=None)

    def _row(self, t: int) -> int:
        """Of the end t, from 0."""
        return self.sums + (self.time - 1 - t) % self.far

    def _back(self, t: int, step: _Step, carried: Named) -> Named:
        """z̄_{t-1} from z̄_t; the slots go from what comes to the memory behind step t to what comes to that before."""
        edge, used, new = step.edge, self.sums + min(self.time - t, self.far), self._row(t)
        for each in (*carried.values(), self.to_keys.permute(2, 0, 1, 3), self.to_states.permute(2, 0, 1, 3)):
            each[new] = 0
        output = self.gradient.new_zeros(used, len(self.gradient), self.units)
        output[new] = self.gradient[:, t]
        output[: self.sums] = self.errors[:, :, t, None] * self.gradient[:, t]
        made = {"output": self.cell.output(step.after), **_carried(self.cell, step.after), **edge.made}
        to = {"output": output, **{name: each[:used] for name, each in carried.items()}}
        if not edge.sees_itself:
            to |= self._stored(edge, used)
        if edge.slots:
            to |= self._attended(edge, _pull(made, to, {"found": edge.found})["found"])
        if edge.sees_itself:
            to |= self._stored(edge, used)
        back = _pull(made, to, {**step.carried, "recurrent": self.cell.recurrent(step.after)})
        self._keep(t, to, back["recurrent"], new)
        for name, each in carried.items():
            each[:used] = back[name]
        return carried

    def _stored(self, edge: _Edge, used: int) -> Named:
        """h̄ and k̄ of what a step stored; its slot is then that of what was there before."""
        if edge.stored is None:
            return {}
        slot = self.cell.store.latest(edge.stored)
        found = {}
        for name, each in {"hidden": self.to_states, "key": self.to_keys}.items():
            found[name] = each[self.sequence, slot, :used].transpose(0, 1)
            each[self.sequence, slot, :used] = 0
        return found

    def _attended(self, edge: _Edge, to_found: Float64[Tensor, "row sequence hidden"]) -> Named:
        """q̄ and v̄, from c̄; h̄_i and k̄_i are added to those of the slots."""
        keys, states = self.cell.store.pairs(edge.memory)
        query, v = edge.made["query"].detach(), edge.made["v"].detach()
        u = torch.tanh(query[:, None] + keys)
        slope, to_found = v * (1 - u**2), to_found.transpose(0, 1)
        used, slots = to_found.shape[1], keys.shape[1]
        with torch.enable_grad():
            scores = (u @ v).requires_grad_()
            weights = self.cell.store.weigh(edge.memory, scores)
        to_weights = to_found @ states.mT
        to_scores = _pull({"weights": weights}, {"weights": to_weights.transpose(0, 1)}, {"scores": scores})["scores"]
        to_scores = to_scores.permute(1, 2, 0).contiguous()
        self.to_keys[:, :slots, :used].addcmul_(to_scores[..., None], slope[:, :, None])
        self.to_states[:, :slots, :used].addcmul_(weights.detach()[..., None, None], to_found[:, None])
        return {"query": (to_scores.mT @ slope).transpose(0, 1), "v": (to_scores.mT @ u).transpose(0, 1)}

    def _keep(self, t: int, to: Named, to_recurrent: Float64[Tensor, "row sequence state"], new: int) -> None:
        """What the gradient is made of, and the gain."""
        lags = [lag for lag in self.lags if t + lag < self.time]
        rows = [*range(self.sums), *(self._row(t + lag) for lag in lags)]
        for name, each in to.items():
            if name not in self.ends:
                _, sequences, size = each.shape
                self.ends[name] = each.new_zeros(sequences, self.sums + len(self.lags), self.time, size)
            self.ends[name][:, : len(rows), t] = each[rows].transpose(0, 1)
        self.size[:, t] = torch.linalg.vector_norm(to_recurrent[new], dim=-1)
        for index, lag in enumerate(lags):
            norm, at_end = torch.linalg.vector_norm(to_recurrent[self._row(t + lag)], dim=-1), self.size[:, t + lag]
            self.gain[:, index] += norm / at_end.where(at_end > 0, torch.inf)


def _pull(made: Named, to: Named, back: Named) -> Named:
    """Σ_a āᵀ ∂a/∂b for each b of `back`, over the a of `made` that `to` has ā of, for every row of ā."""
    ends = [name for name in to if made[name].requires_grad]

    def pull(rows: list[Tensor]) -> tuple[Tensor, ...]:
        found: tuple[Tensor, ...] = torch.autograd.grad(
            [made[name] for name in ends],
            list(back.values()),
            rows,
            retain_graph=True,
            allow_unused=True,
            materialize_grads=True,
        )
        return found

    return dict(zip(back, vmap(pull)([to[name] for name in ends]), strict=True))
