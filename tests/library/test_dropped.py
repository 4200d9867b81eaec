"""Hidden units under masks are those of training; without a unit they are those of matrices without its column."""

import pytest
import torch

from learnability.cells import CELLS
from learnability.core.errors import InputError
from learnability.networks.dropped import dropped_hidden_units, hidden_units_without
from learnability.networks.network import Network, hidden_units
from learnability.training.engines import AutogradEngine


def build(name, **settings):
    defaults = {"gate_init": 0.4} if "gate_init" in CELLS[name].__dataclass_fields__ else {}
    return Network.build({"cell": name} | defaults | settings, 3, 4, readout_bias=False)


@pytest.mark.parametrize("settings", [{"dropout": 0.4}, {"variational_dropout": 0.4}, {"drop_connect": 0.4}], ids=str)
@pytest.mark.parametrize("name", ["lstm", "gru"])
def test_masks_are_those_of_training(name, settings, perturbed, normal):
    network = build(name, **settings)
    p, x, y = perturbed(network), normal(6, 7, 3), normal(6, 7)
    hidden = dropped_hidden_units(network, p, x, torch.Generator().manual_seed(3))
    expected, _ = AutogradEngine(network, [p]).losses_and_states(
        x[None], y[None], generators=[torch.Generator().manual_seed(3)]
    )
    torch.testing.assert_close((network.read_out(p, hidden) - y).square().mean(), expected[0])
    assert not torch.allclose(hidden, hidden_units(network.cell, p, x))


@pytest.mark.parametrize("name", ["lstm", "gru", "rnn", "exp_rnn"])
def test_without_a_unit_is_without_its_column(name, perturbed, normal):
    network = build(name)
    cell, p, x = network.cell, perturbed(network), normal(5, 6, 3)
    weights = {key: tensor.clone() for key, tensor in cell.prepared(p).items()}
    for key in cell.recurrent_matrices:
        weights[key][:, 2] = 0
    state, expected = cell.initial_state(x[:, 0]), []
    for x_t in x.unbind(1):
        state = cell.step(weights, state, x_t)
        expected.append(cell.output(state))
    torch.testing.assert_close(hidden_units_without(cell, p, x, 2), torch.stack(expected, 1))


@pytest.mark.parametrize(("name", "settings"), [("identity_rnn", {}), ("gru", {"layers": 2})])
def test_a_cell_without_one_recurrence_is_refused(name, settings, perturbed, normal):
    network = build(name, **settings)
    with pytest.raises(InputError, match="'cell' must be of one layer"):
        hidden_units_without(network.cell, perturbed(network), normal(5, 6, 3), 0)
