"""Stacked layers: torch's own where the cell is the same, and to first order against automatic differentiation."""

import pytest
import torch
from torch.func import jacrev, jvp, vjp, vmap

from learnability.cells import GATED, GRU, LSTM, RNN, Stack
from learnability.cells.automatic import AutomaticLinearization
from learnability.cells.stack import StackLinearization
from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network, hidden_units, run
from learnability.tasks import DelayedSum
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import choose_engine
from learnability.training.optimizers import build_optimizer
from learnability.transport.engine import Probes
from learnability.transport.exact import exact_sums, whole_gradient

EXACT = {"rtol": 1e-12, "atol": 1e-12}
OTHER_CELLS = [{"cell": "rnn"}, {"cell": "forget_rnn", "gate_init": 0.3}, {"cell": "networks:Vanilla"}]
SETTINGS = [
    *({"cell": name, "gate_value" if name == "const_gate" else "gate_init": 0.3} for name in GATED),
    *({"cell": name, "gate_init": 0.3, "layer_norm": True} for name in ("shared_gate", "diag_gate")),
    {"cell": "lstm", "gate_init": 0.3, "gates": "if"},
    *OTHER_CELLS,
]
stacks = pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: "-".join(map(str, settings.values())))


@pytest.fixture
def network(settings):
    return Network.build(settings | {"layers": 3}, 2, 4, readout_bias=False)


@pytest.fixture
def point(network, parameters, normal):
    theta = {name: p for name, p in parameters.items() if name != "w"}
    return theta, normal(2, 5, network.cell.state_size), normal(2, 5, 2)


def put(peer, p, layers, gates, sign=1):
    """Parameters of a stack into a module of torch's, whose update gate is 1 less ours where `sign` is -1."""
    for k in range(1, layers + 1):
        for kind, theirs in {"W": "weight_ih", "U": "weight_hh", "b": "bias_ih"}.items():
            rows = [p[f"{kind}_{gate}.{k}"] * (sign if gate == "z" else 1) for gate in gates]
            getattr(peer, f"{theirs}_l{k - 1}").data = torch.cat(rows)
        getattr(peer, f"bias_hh_l{k - 1}").data.zero_()
    return peer


def test_a_stacked_lstm_is_that_of_torch(perturbed, normal):
    network = Network.build({"cell": "lstm", "gate_init": 0.4, "layers": 3}, 2, 4, readout_bias=False)
    p, x = perturbed(network), normal(5, 20, 2)
    peer = put(torch.nn.LSTM(2, 4, 3, batch_first=True, dtype=torch.float64), p, 3, "ifgo")
    outputs, (h, c) = peer(x)
    torch.testing.assert_close(hidden_units(network.cell, p, x), outputs, **EXACT)
    last = network.cell.states(run(network.cell, p, x)[:, -1])
    torch.testing.assert_close(torch.stack(last), torch.cat([h, c], -1), **EXACT)


def test_a_stacked_gru_is_that_of_torch_where_resetting_before_and_after_the_product_is_the_same(perturbed, normal):
    network = Network.build({"cell": "gru", "gate_init": 0.4, "layers": 2}, 2, 4, readout_bias=False)
    p, x = perturbed(network), normal(5, 20, 2)
    whole = put(torch.nn.GRU(2, 4, 2, batch_first=True, dtype=torch.float64), p, 2, "rzh", sign=-1)
    assert (hidden_units(network.cell, p, x) - whole(x)[0]).abs().max() > 0.01
    diagonal = p | {name: p[name].diagonal().diag() for name in ("U_h.1", "U_h.2")}  # then U (r ⊙ h) = r ⊙ U h
    peer = put(torch.nn.GRU(2, 4, 2, batch_first=True, dtype=torch.float64), diagonal, 2, "rzh", sign=-1)
    torch.testing.assert_close(hidden_units(network.cell, diagonal, x), peer(x)[0], **EXACT)


@stacks
def test_a_stack_runs_layer_by_layer(network, parameters, normal):
    x = inputs = normal(3, 9, 2)
    for k, layer in enumerate(network.cell.layers, 1):
        x = hidden_units(layer, network.cell.layer_parameters(parameters, k), x)
    torch.testing.assert_close(hidden_units(network.cell, parameters, inputs), x, **EXACT)


@stacks
def test_its_linearization_composes_those_of_its_layers(network, point, normal):
    cell, (p, states, inputs) = network.cell, point
    steps, oracle = cell.linearize(*point), AutomaticLinearization(cell, *point)
    assert isinstance(steps, StackLinearization)
    v, dx, w = normal(*states.shape), normal(*inputs.shape), {name: normal(*tensor.shape) for name, tensor in p.items()}
    for linearization in (steps, steps[:, :]):
        torch.testing.assert_close(linearization.along_state(v), oracle.along_state(v), **EXACT)
        torch.testing.assert_close(linearization.pull_back(v), oracle.pull_back(v), **EXACT)
        torch.testing.assert_close(linearization.along_parameters(w), oracle.along_parameters(w), **EXACT)
        torch.testing.assert_close(linearization.gradient(v), oracle.gradient(v), **EXACT)
        torch.testing.assert_close(linearization.along_inputs(dx, p), oracle.along_inputs(dx, p), **EXACT)
        torch.testing.assert_close(linearization.pull_back_to_inputs(v, p), oracle.pull_back_to_inputs(v, p), **EXACT)
    torch.testing.assert_close(steps[:, 2].pull_back(v[:, 2]), oracle.pull_back(v)[:, 2], **EXACT)
    derivative = vmap(vmap(jacrev(lambda s, x: cell.step(p, s, x))))(states, inputs)
    torch.testing.assert_close(steps.split().whole, derivative, **EXACT)
    with pytest.raises(InputError, match=r"'layers' must be 1 for first-order windows\. Got 3"):
        steps.diagonals()


@pytest.mark.parametrize("settings", [SETTINGS[3], SETTINGS[4], OTHER_CELLS[2]], ids=["lstm", "gru", "own"])
def test_exact_transport_through_layers_is_the_gradient(network, parameters, normal):
    cell, x = network.cell, normal(2, 12, 2)
    states = run(cell, parameters, x)
    steps, rho = cell.linearize(parameters, states[:, :-1], x), network.readout_gradient(parameters, states[:, 1:])
    w = {name: normal(*tensor.shape) for name, tensor in parameters.items() if name != "w"}
    signs, errors = rho.new_ones(1, 11, cell.state_size), rho.new_ones(1, 2, 12)
    probes = Probes(rho, [steps.along_parameters(w)], signs, errors, kept=1)
    by_lag = exact_sums(steps, probes, range(1, 12)).values[0].sum(0) + (rho * probes.projected[0]).sum(-1)
    theta = {name: p for name, p in parameters.items() if name in w}
    _, derivative = jvp(lambda p: network.predict(parameters, run_of(cell, p, x)), (theta,), (w,))
    torch.testing.assert_close(by_lag, derivative, **EXACT)
    covectors = whole_gradient(steps, rho)
    _, back = vjp(lambda p: network.predict(parameters, run_of(cell, p, x)).sum(1), theta)
    for sequence in range(2):
        (expected,) = back(torch.eye(2, dtype=torch.float64)[sequence])
        gradient = cell.linearize(parameters, states[sequence, :-1], x[sequence]).gradient(covectors[sequence])
        torch.testing.assert_close(gradient, expected, **EXACT)


def run_of(cell, parameters, x):
    state, states = cell.initial_state(x[:, 0]), []
    for x_t in x.unbind(1):
        state = cell.step(parameters, state, x_t)
        states.append(state)
    return torch.stack(states, 1)


def test_layers_start_apart_and_the_lowest_as_it_would_alone():
    stack = Network.build({"cell": "lstm", "gate_init": 0.4, "layers": 3}, 4, 4, readout_bias=False).cell
    p, alone = stack.initial_parameters(1, 0), LSTM(4, 4, 0.4).initial_parameters(1, 0)
    assert all(torch.equal(p[f"{name}.1"], tensor) for name, tensor in alone.items())
    assert len({p[f"U_g.{k}"].numpy().tobytes() for k in (1, 2, 3)}) == 3
    assert Network.build({"cell": "lstm", "gate_init": 0.4, "layers": 1}, 4, 4, False).cell == LSTM(4, 4, 0.4)


def test_a_rotation_of_each_layer_learns_at_a_rate_of_its_own():
    stack = Network.build({"cell": "exp_rnn", "layers": 2}, 3, 4, readout_bias=False)
    assert stack.cell.ORTHOGONAL == ("A_h.1", "A_h.2")
    settings = {"method": "adam", "learning_rate": 0.01, "orthogonal_learning_rate": 0.001}
    groups = build_optimizer(settings, stack.initial_parameters(0, 0), stack.cell.ORTHOGONAL).param_groups
    assert sorted(len(group["params"]) for group in groups) == [2, 7]


def test_a_stack_is_trained_and_its_layers_gates_are_recorded(tmp_path):
    task = DelayedSum(3, 10, [2], [0.8], 0.1, root_seed=1, seed=0)
    network = Network.build({"cell": "gru", "gate_init": 0.4, "layers": 2}, 3, 6, readout_bias=False)
    engine, _ = choose_engine("auto", "cpu", network)
    run_of_task = Run("a run", {"method": "adam", "learning_rate": 0.01}, 1, 0, *[task.generate("training", 40)] * 2)
    (result,) = train(network, TrainingSettings(engine, 5, 8, 1.0, "mean"), [run_of_task], tmp_path / "run.pt")
    assert engine == "autograd"
    assert result.curve["validation_loss"].iloc[-1] < 0.8 * result.curve["validation_loss"].iloc[0]
    assert 0 < result.gates["mean"].iloc[-1] < 1
    Frozen.of(network, result.parameters, task.generate("diagnostic", 4))
    network.check(result.parameters)


def test_random_steps_of_layers_are_random_steps_of_the_stack(normal):
    settings = {"cell": "lstm", "gate_init": 0.4, "h_detach": 1.0, "layers": 2}
    stack = Network.build(settings, 2, 3, readout_bias=False).cell
    assert stack.is_noisy
    p, state, x = stack.initial_parameters(0, 0), normal(2, 12).requires_grad_(), normal(2, 2)
    after = stack.noisy_step(p, state, x, torch.Generator().manual_seed(0))
    torch.testing.assert_close(after, stack.step(p, state, x), rtol=0, atol=0)
    (gradient,) = torch.autograd.grad(after.sum(), state)
    assert all(
        (layer_state[:, :3] == 0).all() and (layer_state[:, 3:] != 0).all() for layer_state in stack.states(gradient)
    )


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Network.build({"cell": "rnn", "layers": 0}, 2, 3, False), "a whole number, at least 1. Got 0"),
        (lambda: Network.build({"cell": "mem_rnn", "layers": 2}, 2, 3, False), "1 for a cell .* Got 'MemRNN'"),
        (lambda: Stack(2, 3, (GRU(2, 4, 0.5), RNN(3, 3))), r"of the sizes \[2, 4, 3\], .* Got \[2, 3, 3\]"),
    ],
)
def test_layers_that_do_not_fit_are_named(build, message):
    with pytest.raises(InputError, match=f"'layers' must be {message}"):
        build()
