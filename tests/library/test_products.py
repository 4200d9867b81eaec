"""Products of one-step Jacobians against automatic differentiation through all steps."""

import pytest
import torch

from learnability.cells import CELLS
from learnability.core.errors import InputError
from learnability.networks.network import run
from learnability.transport.products import state_jacobians

TIME = 6
CHOSEN = {
    "identity_rnn": {},
    "rnn": {},
    "lstm": {"gate_init": 0.3},
    "gru": {"gate_init": 0.3},
}


@pytest.fixture(params=CHOSEN)
def made(request, normal):
    cell = CELLS[request.param](3, 4, **CHOSEN[request.param])
    initial = cell.initial_parameters(0, 0)
    return cell, {name: each + 0.5 * normal(*each.shape) for name, each in initial.items()}, normal(2, TIME, 3)


def test_products_are_derivatives_of_the_last_state(made):
    cell, parameters, inputs = made
    states = run(cell, parameters, inputs)
    for lag, found in state_jacobians(cell, parameters, inputs, [1, 2, TIME]):
        for sequence, jacobian in enumerate(found):

            def last(state, sequence=sequence, lag=lag):
                for x in inputs[sequence, TIME - lag :]:
                    state = cell.step(parameters, state, x)
                return state

            expected = torch.autograd.functional.jacobian(last, states[sequence, TIME - lag])
            torch.testing.assert_close(jacobian, expected)


@pytest.mark.parametrize("lags", [[], [0], [2, 1], [1, TIME + 1]])
def test_lags_are_of_the_sequence(made, lags):
    with pytest.raises(InputError, match="'lags' must be"):
        list(state_jacobians(*made, lags))
