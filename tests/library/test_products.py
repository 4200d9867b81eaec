"""Products of one-step Jacobians against automatic differentiation through all steps."""

import pytest
import torch

from learnability.cells import CELLS, GRU, LSTM
from learnability.core.errors import InputError
from learnability.networks.network import run
from learnability.transport.products import memory_jacobians, state_jacobians

TIME = 6
SETTINGS = {
    "identity_rnn": {},
    "rnn": {},
    "lstm": {"gate_init": 0.3},
    "gru": {"gate_init": 0.3},
}


@pytest.fixture(params=SETTINGS)
def example(request, normal):
    cell = CELLS[request.param](3, 4, **SETTINGS[request.param])
    initial = cell.initial_parameters(0, 0)
    return cell, {name: tensor + 0.5 * normal(*tensor.shape) for name, tensor in initial.items()}, normal(2, TIME, 3)


def test_products_are_derivatives_of_the_last_state(example):
    cell, parameters, inputs = example
    states = run(cell, parameters, inputs)
    for lag, jacobians in state_jacobians(cell, parameters, inputs, [1, 2, TIME]):
        for sequence, jacobian in enumerate(jacobians):

            def last(state, sequence=sequence, lag=lag):
                for x in inputs[sequence, TIME - lag :]:
                    state = cell.step(parameters, state, x)
                return state

            expected = torch.autograd.functional.jacobian(last, states[sequence, TIME - lag])
            torch.testing.assert_close(jacobian, expected)


@pytest.mark.parametrize("lags", [[], [0], [2, 1], [1, TIME + 1]])
def test_lags_are_of_the_sequence(example, lags):
    with pytest.raises(InputError, match="'lags' must be"):
        list(state_jacobians(*example, lags))


@pytest.mark.parametrize("gates", ["ifo", "f", ""])
def test_memories_act_by_themselves_and_through_what_is_exposed(normal, gates):
    cell = LSTM(3, 4, 0.3, gates=gates)
    parameters = {name: tensor + 0.5 * normal(*tensor.shape) for name, tensor in cell.initial_parameters(0, 0).items()}
    inputs = normal(2, TIME, 3)
    states = run(cell, parameters, inputs)
    for lag, direct, exact in memory_jacobians(cell, parameters, inputs, [1, TIME - 1]):
        for sequence, jacobian in enumerate(exact):
            h, c = states[sequence, TIME - lag].chunk(2)
            gate = h / torch.tanh(c)

            def last(memory, sequence=sequence, lag=lag, o=gate):
                state = torch.cat([o * torch.tanh(memory), memory])
                for x in inputs[sequence, TIME - lag :]:
                    state = cell.step(parameters, state, x)
                return cell.memory(state)

            torch.testing.assert_close(jacobian, torch.autograd.functional.jacobian(last, c))
            forgets = torch.ones(4, dtype=torch.float64)
            for t in range(TIME - lag, TIME):
                gate = cell.gate(parameters, states[sequence, t], inputs[sequence, t])
                forgets *= 1 if gate is None else 1 - gate
            torch.testing.assert_close(direct[sequence], forgets)


def test_there_is_no_memory_before_the_first_step(normal):
    cell = LSTM(3, 4, 0.3)
    with pytest.raises(InputError, match="'lags' must be"):
        list(memory_jacobians(cell, cell.initial_parameters(0, 0), normal(2, TIME, 3), [TIME]))
    gru = GRU(3, 4, 0.3)
    with pytest.raises(InputError, match=r"'cell' must be one whose state is \[h; c\]\. Got 'GRU'\."):
        list(memory_jacobians(gru, gru.initial_parameters(0, 0), normal(2, TIME, 3), [1]))
