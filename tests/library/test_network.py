from functools import partial

import pytest
import torch

from learnability.cells import ConstGate
from learnability.core.errors import InputError
from learnability.networks.network import Network, run
from learnability.tasks import DelayedSum


def test_a_run_is_the_step_repeated_from_zero(network, parameters, normal):
    x = normal(2, 6, 3)
    states = run(network.cell, parameters, x)
    state = torch.zeros(2, network.cell.state_size, dtype=torch.float64)
    assert torch.equal(states[:, 0], state)
    for t in range(6):
        state = network.cell.step(parameters, state, x[:, t])
        assert torch.equal(states[:, t + 1], state)


@pytest.mark.parametrize("bias", [False, True])
def test_the_readout_is_linear(build, perturbed, normal, bias):
    network = build("const_gate", readout_bias=bias)
    parameters, states = perturbed(network), normal(2, 4, 5)
    expected = (states * parameters["w"]).sum(-1) + (parameters["b"] if bias else 0)
    torch.testing.assert_close(network.predict(parameters, states), expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("bias", [False, True])
def test_the_readout_starts_at_unit_norm_and_zero_bias(build, bias):
    initial = build("const_gate", readout_bias=bias).initial_parameters(1, 0)
    assert initial["w"].norm().item() == pytest.approx(1, rel=1e-12)
    assert ("b" in initial) == bias
    assert not bias or initial["b"] == 0


def test_settings_name_a_cell_and_its_arguments():
    network = Network.build({"cell": "const_gate", "gate_value": 0.7}, 3, 5, False)
    assert network == Network(ConstGate(3, 5, gate_value=0.7))


@pytest.mark.parametrize("of_all", [False, True])
def test_an_architecture_may_have_layer_norm_and_a_readout_bias_of_its_own(of_all):
    settings = {"cell": "const_gate", "gate_value": 0.7, "layer_norm": True, "readout_bias": not of_all}
    network = Network.build(settings, 3, 5, readout_bias=of_all)
    assert network == Network(ConstGate(3, 5, gate_value=0.7, layer_norm=True), readout_bias=not of_all)
    assert "readout_bias" in settings
    assert ("b" in network.initial_parameters(1, 0)) != of_all


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cell": "transformer"}, "'cell' must be one of const_gate, shared_gate, diag_gate"),
        ({"gate_value": 0.7}, "'cell' must be one of const_gate"),
        ({"cell": "const_gate"}, "gate_value"),
        (
            {"cell": "const_gate", "gate_init": 0.5},
            r"must be \['gate_value'\], and optionally \['layer_norm'\]. Got \['gate_init'\]",
        ),
        ({"cell": "diag_gate", "gate_init": 2.0}, "'gate_init' must be in"),
    ],
)
def test_wrong_settings_are_refused_by_name(settings, message):
    with pytest.raises(InputError, match=message):
        Network.build(settings, 3, 5, False)


def test_only_parameters_of_this_network_pass_the_check(network):
    good = network.initial_parameters(1, 0)
    network.check(good)
    for name, tensor in good.items():
        spoilt = tensor.clone()
        spoilt.view(-1)[0] = torch.nan
        incomplete = {key: value for key, value in good.items() if key != name}
        with pytest.raises(InputError, match="'parameters' must be named"):
            network.check(incomplete)
        with pytest.raises(InputError, match=f"'{name}' must be of shape"):
            network.check(good | {name: tensor[None]})
        with pytest.raises(InputError, match=f"'{name}' must be finite"):
            network.check(good | {name: spoilt})


def test_a_network_of_a_task_has_as_many_units_as_parameters_allow():
    task = DelayedSum(3, 9, [2], [1.0], 0.3, root_seed=1, seed=0)
    of = partial(Network.for_task, {"cell": "diag_gate", "gate_init": 0.5}, task, readout_bias=True)
    size = of(parameters=500).cell.hidden_size
    goru = Network.for_task({"cell": "goru", "gate_init": 0.5}, task, readout_bias=True, parameters=500)
    assert goru.cell.hidden_size == 8
    fewer, more = (of(hidden_size=size + extra).count_parameters() for extra in (0, 1))
    assert fewer <= 500 < more
    with pytest.raises(InputError, match="'parameters' must be enough for one unit"):
        of(parameters=2)
    for sizes in ({}, {"hidden_size": 4, "parameters": 500}):
        with pytest.raises(InputError, match="'size of a network' must be given by hidden_size or by parameters"):
            of(**sizes)
