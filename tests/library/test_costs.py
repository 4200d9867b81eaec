"""Multiply-adds: by formula, by hand, and as torch counts them while they are done."""

import pytest
import torch

from learnability.core.errors import InputError
from learnability.networks.costs import count_work, matrix_work
from learnability.networks.network import Network

SEQUENCES, STEPS, INPUTS, UNITS = 3, 5, 2, 4
OF_STATES = {"rnn": 1, "lstm": 4, "gru": 3, "forget_rnn": 1, "identity_rnn": 0, "const_gate": 1, "shared_gate": 1}
OF_INPUTS = {"rnn": 1, "lstm": 4, "gru": 3, "forget_rnn": 2, "identity_rnn": 1, "const_gate": 1}
GATES = {"lstm": {"gate_init": 0.5}, "gru": {"gate_init": 0.5}, "forget_rnn": {"gate_init": 0.5}}
GATES |= {"const_gate": {"gate_value": 0.5}}


def network_of(cell: str) -> Network:
    return Network.build({"cell": cell, **GATES.get(cell, {})}, INPUTS, UNITS, True)


@pytest.mark.parametrize("cell", list(OF_INPUTS))
def test_work_by_formula_is_that_of_matrices_counted_by_hand(cell):
    inputs, states = OF_INPUTS[cell] * UNITS * INPUTS, OF_STATES[cell] * UNITS * UNITS + UNITS
    assert matrix_work(network_of(cell)) == (inputs + states, inputs + 2 * states)


@pytest.mark.parametrize("cell", list(OF_INPUTS))
def test_what_is_counted_is_the_formula_but_for_the_first_step(cell):
    network = network_of(cell)
    x, y = torch.randn(SEQUENCES, STEPS, INPUTS), torch.randn(SEQUENCES, STEPS)
    work = count_work(network, network.initial_parameters(1, 0), x, y)
    forward, backward = matrix_work(network)
    assert work.forward == pytest.approx(forward)
    # nothing goes back to h_0, but of a GRU to r ⊙ h_0 through its reset gate
    first = (OF_STATES[cell] - (cell == "gru")) * UNITS * UNITS / STEPS
    assert work.backward == pytest.approx(backward - first)
    assert work.multiply_adds == work.forward + work.backward
    assert work.kept > 0


def test_what_is_kept_does_not_depend_on_the_length_by_more_than_the_ends():
    network = network_of("lstm")
    kept_counts = []
    for steps in (20, 40):
        x, y = torch.randn(SEQUENCES, steps, INPUTS), torch.randn(SEQUENCES, steps)
        kept_counts.append(count_work(network, network.initial_parameters(1, 0), x, y).kept)
    assert kept_counts[0] == pytest.approx(kept_counts[1], rel=0.05)


def test_cells_without_such_a_formula_are_named():
    with pytest.raises(InputError, match=r"'cell' must be a single layer\. Got 'Stack'"):
        matrix_work(Network.build({"cell": "lstm", "gate_init": 0.5, "layers": 2}, 2, 3, True))
