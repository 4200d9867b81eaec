"""Derivatives of a step of torch's own recurrent modules, by formula.

A layer has pre-activations a = W x + b and u = U h + c, with a row for each gate and unit. The next state of a unit
sees its own rows alone. With v the covector of the next state and τ = tanh c', vᵀ ∂s'/∂a and vᵀ ∂s'/∂u are

    RNN    v φ'
    GRU    r: d u_n r (1 - r),  z: v (h - n) z (1 - z),  n: d = v (1 - z) (1 - n²), for u_n r d;
           directly on h: v z
    LSTM   with v_h, v_c and d = v_c + v_h o (1 - τ²): i: d g i (1 - i),  f: d c f (1 - f),  g: d i (1 - g²),
           o: v_h τ o (1 - o);  directly on c: d f

Gradients of the weights are these rows times x and h, what goes back to h these rows times U, and to the layer below,
which is of the same step, these rows times W. By automatic differentiation a gradient takes twice as long, and the
diagonal of J_t a backward pass for each unit, more than all else together where there are many.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import linear

CACHED_NUMBERS = 2**18
"""Numbers in pre-activations of the covectors that are taken together: 2 MiB, which stay in a processor's cache."""


class Rows(NamedTuple):
    """What a covector v of a layer's next state gives.

    Args:
        of_state: vᵀ ∂s'/∂u, gate by gate.
        last_of_inputs: of the last gate vᵀ ∂s'/∂a where it differs from vᵀ ∂s'/∂u; of the other gates both are one.
        direct: what goes back to each part of the state other than through u.
    """

    of_state: Float[Tensor, "row count gate unit"]
    last_of_inputs: Float[Tensor, "row count unit"] | None
    direct: list[Tensor]

    @property
    def of_inputs(self) -> Float[Tensor, "row count gate unit"]:
        """vᵀ ∂s'/∂a, gate by gate."""
        if self.last_of_inputs is None:
            return self.of_state
        return torch.cat([self.of_state[..., :-1, :], self.last_of_inputs[..., None, :]], -2)


Back = Callable[[Sequence[Tensor]], Rows]
"""What a covector gives, from its parts (row, count, unit), one for each part of the state."""
Layer = Callable[[Tensor, Tensor, Sequence[Tensor]], tuple[Tensor, Back]]
"""Next h and derivatives of a layer, from a, u and the parts of the state."""


class _At(NamedTuple):
    """A layer at points."""

    suffix: str
    inputs: Tensor
    hidden: Tensor
    back: Back


@dataclass(frozen=True)
class Formulas:
    """The formulas of a module; called like a step, they give the diagonal of its Jacobian.

    Args:
        layer: of each layer.
        suffixes: of the names of the layers' parameters.
        parts: tensors in a layer's state: h, and c of an LSTM.
        constants: parameters that are not trained, by name.
    """

    layer: Layer
    suffixes: Sequence[str]
    parts: int
    constants: Mapping[str, Tensor] = field(default_factory=dict)

    def __call__(self, parameters: Mapping[str, Tensor], state: Tensor, inputs: Tensor) -> Tensor:
        return self.at(parameters, state, inputs).diagonal()

    def at(
        self, parameters: Mapping[str, Tensor], state: Float[Tensor, "row state"], inputs: Float[Tensor, "row input"]
    ) -> "StepDerivatives":
        """Derivatives at points, a row for each."""
        return StepDerivatives(self, parameters, state, inputs)


class StepDerivatives:
    """Derivatives of a step at points, a row for each, as `Formulas.at` gives them."""

    def __init__(self, formulas: Formulas, parameters: Mapping[str, Tensor], state: Tensor, inputs: Tensor) -> None:
        self._trained = list(parameters)
        self._parameters = {**formulas.constants, **parameters}
        self._shape = formulas.parts, len(formulas.suffixes), -1
        at_points, below = state[:, None].unflatten(-1, self._shape), inputs[:, None]
        self._layers: list[_At] = []
        for number, suffix in enumerate(formulas.suffixes):
            parts = at_points[..., number, :].unbind(-2)
            after, back = formulas.layer(self._row(f"ih{suffix}", below), self._row(f"hh{suffix}", parts[0]), parts)
            self._layers.append(_At(suffix, below[:, 0], parts[0][:, 0], back))
            below = after

    def _row(self, name: str, x: Tensor) -> Tensor:
        return linear(x, self._parameters[f"weight_{name}"], self._parameters.get(f"bias_{name}"))

    def diagonal(self) -> Float[Tensor, "row state"]:
        """Diagonal of ∂s'/∂s."""
        by_layer = []
        for suffix, _, hidden, back in self._layers:
            gates = self._parameters[f"weight_hh{suffix}"].split(hidden.shape[-1])
            self_weights = torch.stack([gate.diagonal() for gate in gates])
            zero = torch.zeros_like(hidden)[:, None]
            diagonals = []
            for part in range(self._shape[0]):
                rows = back([zero + (number == part) for number in range(self._shape[0])])
                through_gates = (rows.of_state * self_weights).sum(-2)
                diagonals.append(rows.direct[part] + through_gates if part == 0 else rows.direct[part])
            by_layer.append(torch.stack(diagonals, -2))
        return torch.stack(by_layer, -2).flatten(1)

    def pull_back(self, covectors: Float[Tensor, "row count state"]) -> Float[Tensor, "row count state"]:
        """vᵀ ∂s'/∂s of covectors at each point."""
        back_to_state = []
        for at, rows in self._from_the_last(covectors):
            hidden = rows.direct[0] + rows.of_state.flatten(-2) @ self._parameters[f"weight_hh{at.suffix}"]
            back_to_state.append(torch.stack([hidden, *rows.direct[1:]], -2))
        return torch.stack(back_to_state[::-1], -2).flatten(2)

    def add_gradient(
        self, covectors: Float[Tensor, "count row state"], sums: Float[Tensor, "count parameter"], is_first: bool
    ) -> None:
        """Add Σ vᵀ ∂s'/∂θ over the points to sums over all trained parameters, side by side in their order.

        Args:
            is_first: True if the sums hold nothing yet; they are overwritten.
        """
        gate_rows = len(self._parameters[f"weight_hh{self._layers[0].suffix}"])
        together = max(1, CACHED_NUMBERS // (covectors.shape[1] * gate_rows))
        for start in range(0, len(covectors), together):
            part = slice(start, start + together)
            views = self._views(sums[part])
            for at, rows in self._from_the_last(covectors[part].transpose(0, 1)):
                for name, of_layer in _products(at, rows).items():
                    if name + at.suffix in views:
                        view = views[name + at.suffix]
                        (view.copy_ if is_first else view.add_)(of_layer)

    def _views(self, sums: Float[Tensor, "count parameter"]) -> dict[str, Float[Tensor, "count ..."]]:
        """Parameters by name, of numbers side by side."""
        shapes = [self._parameters[name].shape for name in self._trained]
        parts = sums.split([shape.numel() for shape in shapes], 1)
        return {name: part.unflatten(1, shape) for name, part, shape in zip(self._trained, parts, shapes, strict=True)}

    def _from_the_last(self, covectors: Tensor) -> Iterator[tuple[_At, Rows]]:
        """Layers, and what covectors give there, from the last to the first."""
        by_layer, from_above = covectors.unflatten(-1, self._shape), None
        for number in range(len(self._layers) - 1, -1, -1):
            at = self._layers[number]
            v = [*by_layer[..., number, :].unbind(-2)]
            if from_above is not None:
                v[0] = v[0] + from_above
            rows = at.back(v)
            if number > 0:
                from_above = rows.of_inputs.flatten(-2) @ self._parameters[f"weight_ih{at.suffix}"]
            yield at, rows


def _products(at: _At, rows: Rows) -> dict[str, Float[Tensor, "count gate_unit ..."]]:
    """Σ vᵀ ∂s'/∂θ of a layer over the points, by the names that its parameters have without a suffix."""
    units = at.hidden.shape[1]
    x = torch.cat([at.inputs, torch.ones_like(at.hidden[:, :1])], 1)
    gates = _product(torch.cat([at.hidden, x], 1), rows.of_state.flatten(2))
    of_inputs = gates[..., units:]
    if rows.last_of_inputs is not None:
        of_inputs = torch.cat([of_inputs[:, :-units], _product(x, rows.last_of_inputs)], 1)
    return {
        "weight_ih": of_inputs[..., :-1],
        "weight_hh": gates[..., :units],
        "bias_ih": of_inputs[..., -1],
        "bias_hh": gates[..., -1],
    }


def _product(
    x: Float[Tensor, "row column"], rows: Float[Tensor, "row count gate_unit"]
) -> Float[Tensor, "count gate_unit column"]:
    """Σ rows xᵀ over the points; as xᵀ rows, which takes a third less time where columns are few."""
    return (x.mT @ rows.flatten(1)).view(-1, *rows.shape[1:]).permute(1, 2, 0)


def formulas_of(module: nn.Module) -> Formulas | None:
    """The formulas of a module of torch's own, unless something changes its step or its parameters."""
    layer, state = LAYERS.get(type(module)), vars(module)
    hooks = (module._forward_pre_hooks, module._forward_hooks, module._backward_pre_hooks, module._backward_hooks)
    if layer is None or any(hooks) or "forward" in state or state.get("proj_size"):
        return None
    suffixes = [""] if isinstance(module, nn.RNNCellBase) else [f"_l{n}" for n in range(state["num_layers"])]
    kinds = ["weight_ih", "weight_hh", *(["bias_ih", "bias_hh"] if state["bias"] else [])]
    if {name for name, _ in module.named_parameters()} != {kind + suffix for suffix in suffixes for kind in kinds}:
        return None  # two of them are one, or one is a buffer, or computed
    is_relu = state.get("nonlinearity") == "relu"
    return Formulas(_relu if is_relu else layer, suffixes, 2 if layer is _lstm else 1)


def _tanh(from_inputs: Tensor, from_state: Tensor, state: Sequence[Tensor]) -> tuple[Tensor, Back]:
    h = (from_inputs + from_state).tanh()
    return h, _elementwise(1 - h.square())


def _relu(from_inputs: Tensor, from_state: Tensor, state: Sequence[Tensor]) -> tuple[Tensor, Back]:
    h = (from_inputs + from_state).relu()
    return h, _elementwise((h > 0).to(h.dtype))


def _elementwise(slope: Tensor) -> Back:
    def back(v: Sequence[Tensor]) -> Rows:
        of_state = v[0] * slope
        return Rows(of_state[..., None, :], None, [torch.zeros_like(of_state)])

    return back


def _gru(from_inputs: Tensor, from_state: Tensor, state: Sequence[Tensor]) -> tuple[Tensor, Back]:
    (h,) = state
    x_r, x_z, x_n = from_inputs.chunk(3, -1)
    h_r, h_z, h_n = from_state.chunk(3, -1)
    r, z = (x_r + h_r).sigmoid(), (x_z + h_z).sigmoid()
    n = (x_n + r * h_n).tanh()
    of_n = (1 - z) * (1 - n.square())
    of_r, of_z = of_n * h_n * r * (1 - r), (h - n) * z * (1 - z)
    of_state = torch.stack([of_r, of_z, of_n * r], -2)

    def back(v: Sequence[Tensor]) -> Rows:
        return Rows(v[0][..., None, :] * of_state, v[0] * of_n, [v[0] * z])

    return torch.lerp(n, h, z), back


def _lstm(from_inputs: Tensor, from_state: Tensor, state: Sequence[Tensor]) -> tuple[Tensor, Back]:
    _, c = state
    a_i, a_f, a_g, a_o = (from_inputs + from_state).chunk(4, -1)
    i, f, g, o = a_i.sigmoid(), a_f.sigmoid(), a_g.tanh(), a_o.sigmoid()
    tau = (f * c + i * g).tanh()
    of_memory, of_o = o * (1 - tau.square()), tau * o * (1 - o)
    of_gates = [g * i * (1 - i), c * f * (1 - f), i * (1 - g.square())]

    def back(v: Sequence[Tensor]) -> Rows:
        of_h, of_c = v
        memory = torch.addcmul(of_c, of_h, of_memory)
        of_state = torch.stack([*(memory * factor for factor in of_gates), of_h * of_o], -2)
        return Rows(of_state, None, [torch.zeros_like(memory), memory * f])

    return o * tau, back


LAYERS: dict[type[nn.Module], Layer] = {
    nn.RNN: _tanh,
    nn.RNNCell: _tanh,
    nn.GRU: _gru,
    nn.GRUCell: _gru,
    nn.LSTM: _lstm,
    nn.LSTMCell: _lstm,
}
