"""Map of the states attended to: its weights times the states that it names are the context."""

import pytest
import torch

from learnability.cells import SAB, MemLSTM, MemRNN, RelLSTM, RelRNN
from learnability.networks.attention import attention_map
from learnability.networks.network import states_of

INPUTS, UNITS, STEPS = 3, 4, 20
CELLS = {
    "full": MemRNN(INPUTS, UNITS),
    "full, without the current state": MemLSTM(INPUTS, UNITS, 0.4, attends_to_current=False),
    "screened": RelRNN(INPUTS, UNITS, short_term=3, relevant=2),
    "screened, without the current state": RelLSTM(
        INPUTS, UNITS, 0.4, short_term=2, relevant=1, attends_to_current=False
    ),
    "averaged": RelRNN(INPUTS, UNITS, mix="mean", short_term=2, relevant=2),
    "sparse": SAB(INPUTS, UNITS, 0.4, top_k=2, store_every=3),
}


def run(cell, normal):
    parameters = {name: p + 0.5 * normal(*p.shape) for name, p in cell.initial_parameters(1, 0).items()}
    inputs = normal(2, STEPS, INPUTS)
    return attention_map(cell, parameters, inputs), list(states_of(cell, parameters, inputs))


@pytest.mark.parametrize("name", [name for name in CELLS if name != "sparse"])
def test_states_that_it_names_weighted_give_the_context(name, normal):
    cell = CELLS[name]
    weights, states = run(cell, normal)
    hidden = torch.stack([state.base[:, :UNITS] for state in states], 1)
    factor = {"sum": 1.0, "mean": 2.0}[cell.mix]
    contexts = torch.stack([factor * state.mixed for state in states], 1) - hidden
    torch.testing.assert_close(weights @ hidden, contexts)
    assert (weights.triu(1 if cell.attends_to_current else 0) == 0).all()


def test_of_sab_the_states_that_were_stored(normal):
    cell = CELLS["sparse"]
    weights, states = run(cell, normal)
    stored_steps = torch.arange(1, STEPS + 1) % cell.store_every == 0
    assert (weights[:, :, ~stored_steps] == 0).all() and (weights.triu() == 0).all()
    last = torch.stack([state.weights.sum(1) for state in states], 1)
    torch.testing.assert_close(weights.sum(2), last)
    assert (weights[:, -1] != 0).sum() > 0


def test_weights_of_full_attention_sum_to_one(normal):
    weights, _ = run(CELLS["full"], normal)
    torch.testing.assert_close(weights.sum(2), torch.ones(2, STEPS, dtype=torch.float64))
