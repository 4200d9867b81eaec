"""Diagonals of Jacobians of torch's own recurrent modules, by formula.

By automatic differentiation the diagonal of J_t takes a backward pass for each unit, more than all else together where
there are many units. In torch's modules a unit meets its own last value in the recurrent matrix alone, and the layers
above do not change those below, so that

    RNN    ∂h'_q/∂h_q = φ' U_qq
    GRU    ∂h'_q/∂h_q = z + (h - n) z (1 - z) U^z_qq + (1 - z)(1 - n²) (r U^n_qq + r (1 - r) (U^n h + b)_q U^r_qq)
    LSTM   ∂c'_q/∂c_q = f,  ∂h'_q/∂h_q = o' τ U^o_qq + o (1 - τ²) (f' c U^f_qq + i' g U^i_qq + i (1 - g²) U^g_qq)

with τ = tanh c' and o' = o (1 - o), f', i' likewise.
"""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

Layer = Callable[[Tensor, Tensor, Tensor, list[Tensor]], tuple[Tensor, list[Tensor]]]
"""Next h and diagonals, one for each part of the state, from W x + b, U h + b, U and the layer's state."""
Formula = Callable[[Mapping[str, Tensor], Any, Tensor], Any]
"""Diagonals in the form of a state, from parameters by name, a state and inputs."""


def diagonal_of(module: nn.Module) -> Formula | None:
    """The formula for a module, if it is one of torch's own without hooks, parametrizations or projections."""
    layer = LAYERS.get(type(module))
    if layer is None or module._forward_pre_hooks or module._forward_hooks or vars(module).get("proj_size"):
        return None
    relu = vars(module).get("nonlinearity") == "relu"
    of_layer = _relu if relu else layer
    if isinstance(module, nn.RNNCellBase):

        def of_cell(parameters: Mapping[str, Tensor], state: Any, inputs: Tensor) -> Any:
            parts = [state] if isinstance(state, Tensor) else [*state]
            _, diagonals = _run(of_layer, parameters, "", inputs, parts)
            return diagonals

        return of_cell

    def of_layers(parameters: Mapping[str, Tensor], state: Any, inputs: Tensor) -> Any:
        by_layer = []
        for number, parts in enumerate(zip(*(part.unbind(1) for part in state), strict=True)):
            inputs, diagonals = _run(of_layer, parameters, f"_l{number}", inputs, [*parts])
            by_layer.append(diagonals)
        return [torch.stack(part, 1) for part in zip(*by_layer, strict=True)]

    return of_layers


def _run(
    layer: Layer, parameters: Mapping[str, Tensor], suffix: str, inputs: Tensor, state: list[Tensor]
) -> tuple[Tensor, list[Tensor]]:
    into, recurrent = (parameters[f"weight_{kind}{suffix}"] for kind in ("ih", "hh"))
    biases = [parameters.get(f"bias_{kind}{suffix}") for kind in ("ih", "hh")]
    return layer(linear(inputs, into, biases[0]), linear(state[0], recurrent, biases[1]), recurrent, state)


def _self_weights(recurrent: Tensor) -> tuple[Tensor, ...]:
    """U_qq of each gate."""
    return tuple(gate.diagonal() for gate in recurrent.split(recurrent.shape[1]))


def _tanh(from_inputs: Tensor, from_state: Tensor, recurrent: Tensor, state: list[Tensor]) -> Any:
    h = (from_inputs + from_state).tanh()
    return h, [(1 - h.square()) * recurrent.diagonal()]


def _relu(from_inputs: Tensor, from_state: Tensor, recurrent: Tensor, state: list[Tensor]) -> Any:
    h = (from_inputs + from_state).relu()
    return h, [(h > 0) * recurrent.diagonal()]


def _gru(from_inputs: Tensor, from_state: Tensor, recurrent: Tensor, state: list[Tensor]) -> Any:
    (h,), u_r, u_z, u_n = state, *_self_weights(recurrent)
    x_r, x_z, x_n = from_inputs.chunk(3, 1)
    h_r, h_z, h_n = from_state.chunk(3, 1)
    r, z = (x_r + h_r).sigmoid(), (x_z + h_z).sigmoid()
    n = (x_n + r * h_n).tanh()
    candidate = (1 - n.square()) * (r * u_n + r * (1 - r) * h_n * u_r)
    return torch.lerp(n, h, z), [z + (h - n) * z * (1 - z) * u_z + (1 - z) * candidate]


def _lstm(from_inputs: Tensor, from_state: Tensor, recurrent: Tensor, state: list[Tensor]) -> Any:
    (_, c), u_i, u_f, u_g, u_o = state, *_self_weights(recurrent)
    a_i, a_f, a_g, a_o = (from_inputs + from_state).chunk(4, 1)
    i, f, g, o = a_i.sigmoid(), a_f.sigmoid(), a_g.tanh(), a_o.sigmoid()
    tau = (f * c + i * g).tanh()
    memory = f * (1 - f) * c * u_f + i * (1 - i) * g * u_i + i * (1 - g.square()) * u_g
    return o * tau, [o * (1 - o) * tau * u_o + o * (1 - tau.square()) * memory, f]


LAYERS: dict[type[nn.Module], Layer] = {
    nn.RNN: _tanh,
    nn.RNNCell: _tanh,
    nn.GRU: _gru,
    nn.GRUCell: _gru,
    nn.LSTM: _lstm,
    nn.LSTMCell: _lstm,
}
