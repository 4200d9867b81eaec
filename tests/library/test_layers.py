"""Layers of a stack: what reaches back, against derivatives taken one step at a time."""

import pytest
import torch

from learnability.networks.layers import hidden_units_of_layers, input_sensitivities, own_transport
from learnability.networks.network import Network, hidden_units, states_of

SETTINGS = {
    "one": {"cell": "gru", "gate_init": 0.4},
    "lstm": {"cell": "lstm", "gate_init": 0.4, "layers": 2},
    "gru": {"cell": "gru", "gate_init": 0.4, "layers": 3},
}


@pytest.fixture(params=SETTINGS)
def network(request):
    return Network.build(SETTINGS[request.param], 3, 4, readout_bias=False)


def test_layers_are_those_of_the_stack(network, perturbed, normal):
    cell, p, x = network.cell, perturbed(network), normal(5, 6, 3)
    hidden = hidden_units_of_layers(cell, p, x)
    torch.testing.assert_close(hidden[-1], hidden_units(cell, p, x))
    if hasattr(cell, "layers"):
        states = [cell.states(state) for state in states_of(cell, p, x)]
        for k, layer in enumerate(cell.layers):
            torch.testing.assert_close(hidden[k], torch.stack([layer.output(state[k]) for state in states], 1))


def test_sensitivity_is_the_size_of_the_jacobian(network, perturbed, normal):
    p, x = perturbed(network), normal(3, 6, 3)
    sensitivities = input_sensitivities(network.cell, p, x)
    for k, sizes in enumerate(sensitivities):
        jacobian = torch.stack(
            [
                torch.autograd.functional.jacobian(
                    lambda inputs, k=k: hidden_units_of_layers(network.cell, p, inputs[None])[k][0, -1], sequence
                )
                for sequence in x
            ]
        )
        expected = jacobian.square().sum((1, 3)).mean(0).sqrt()
        torch.testing.assert_close(sizes, expected.flip(0))


def test_own_transport_holds_the_layers_below(network, perturbed, normal):
    cell, p, x = network.cell, perturbed(network), normal(3, 6, 3)
    transports = own_transport(cell, p, x)
    below = [x, *hidden_units_of_layers(cell, p, x)]
    layers = getattr(cell, "layers", (cell,))
    for k, layer in enumerate(layers):
        weights = cell.layer_parameters(p, k + 1) if len(layers) > 1 else p
        states = [layer.initial_state(below[k][:, 0]), *states_of(layer, weights, below[k])]
        for lag in range(6):

            def last(state, row, lag=lag, layer=layer, weights=weights, k=k):
                for t in range(6 - lag, 6):
                    state = layer.step(weights, state, below[k][row : row + 1, t])
                return layer.output(state)[0]

            sizes = [
                torch.autograd.functional.jacobian(lambda s, n=n: last(s[None], n), states[6 - lag][n]).square().sum()
                for n in range(3)
            ]
            torch.testing.assert_close(transports[k, lag], torch.stack(sizes).mean().sqrt())
