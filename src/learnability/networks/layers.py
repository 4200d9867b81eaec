"""Layers of a stack by themselves: hidden units, how far back each one sees, and what its own recurrence carries."""

import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.networks.network import run


def hidden_units_of_layers(
    cell: Cell, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
) -> list[Float[Tensor, "sequence time hidden"]]:
    """h^(k)_1, …, h^(k)_T of each layer k, the lowest first; of a cell that is no stack its own alone."""
    return [layer.output(states[:, 1:]) for layer, _, states, _ in _layers(cell, parameters, inputs)]


def input_sensitivities(
    cell: Cell, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
) -> Float[Tensor, "layer lag"]:
    """‖∂h^(k)_T/∂x_{T-ℓ}‖_F of each layer k and ℓ = 0, …, T - 1, the root mean square over sequences."""
    x = inputs.detach().requires_grad_()
    sensitivities = []
    for hidden in hidden_units_of_layers(cell, parameters, x):
        of_units = [torch.autograd.grad(unit.sum(), x, retain_graph=True)[0] for unit in hidden[:, -1].unbind(-1)]
        sensitivities.append(torch.stack(of_units).square().sum((0, -1)).mean(0).sqrt().flip(0))
    return torch.stack(sensitivities)


def own_transport(
    cell: Cell, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]
) -> Float[Tensor, "layer lag"]:
    """‖∂h^(k)_T/∂s^(k)_{T-ℓ}‖_F of each layer k and ℓ = 0, …, T - 1 by its own recurrence, the layers below held.

    The root mean square over sequences; s is the state, of an LSTM [h; c].
    """
    norms_by_layer = []
    for layer, p, states, x in _layers(cell, parameters, inputs):
        steps = layer.linearize(p, states[:, :-1], x)
        units = torch.eye(layer.hidden_size, dtype=x.dtype)[:, None].expand(-1, len(x), -1)
        covectors, norms = layer.as_state(units), []
        for step in reversed(range(x.shape[1])):
            norms.append(covectors.square().sum((0, -1)).mean().sqrt())
            covectors = steps[:, step].pull_back(covectors)
        norms_by_layer.append(torch.stack(norms))
    return torch.stack(norms_by_layer)


def _layers(cell: Cell, parameters: Parameters, inputs: Tensor) -> list[tuple[Cell, Parameters, Tensor, Tensor]]:
    """Layers with their parameters, s_0, …, s_T and x_1, …, x_T, the lowest first."""
    layers, x = [], inputs
    for layer, p in cell.layered(parameters):
        p = layer.prepared(p)
        states = run(layer, p, x)
        layers.append((layer, p, states, x))
        x = layer.output(states[:, 1:])
    return layers
