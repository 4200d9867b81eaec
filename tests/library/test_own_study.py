"""Parts that a study may bring: cells that only step, states of any shape, losses, masks, cut gradients, noise."""

import sys
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
import torch

from interrupted import interrupt
from learnability.cells import CELLS, LSTM, SAB, Cell, DiagGate, ExpRNN, MemRNN, RelLSTM
from learnability.cells.linearization import affine
from learnability.core.errors import InputError
from learnability.core.registry import find
from learnability.networks.frozen import Frozen
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network, hidden_units, run
from learnability.tasks import DelayedSum, Sequences, Task, build_task, read_sequences, write_sequences
from learnability.training import Run, TrainingSettings, loop, train
from learnability.training.engines import AutogradEngine, choose_engine, extras
from learnability.transport import choose_engine as choose_transport
from learnability.windows.readings import StatisticOptions
from learnability.windows.statistic import matched_statistic
from networks import Remembering, Vanilla

ADAMW = {"method": "adamw", "learning_rate": 0.01, "weight_decay": 0.0}


@dataclass(frozen=True)
class Dropout(Vanilla):
    def noisy_step(self, parameters, state, inputs, generator):
        mask = torch.rand(state.shape, generator=generator) < 0.8
        return self.step(parameters, state * mask / 0.8, inputs)


@dataclass(frozen=True)
class Automatic(DiagGate):
    """DiagGate, linearized by automatic differentiation."""

    linearize = Cell.linearize

    def retained(self, parameters, state, inputs):
        return 1 - self.gate(parameters, state, inputs)


@pytest.fixture
def gates():
    return [kind(3, 5, gate_init=0.4) for kind in (DiagGate, Automatic)]


@pytest.fixture
def parameters(gates, normal):
    return {name: p + 0.3 * normal(*p.shape) for name, p in gates[0].initial_parameters(0, 0).items()}


def test_a_cell_that_only_steps_is_linearized_as_by_hand(gates, parameters, normal):
    state, inputs, vector = normal(4, 7, 5), normal(4, 7, 3), normal(4, 7, 5)
    direction = {name: normal(*p.shape) for name, p in parameters.items()}
    by_hand, automatic = (cell.linearize(parameters, state, inputs) for cell in gates)
    for block, expected in zip(automatic.split(), by_hand.split(), strict=True):
        torch.testing.assert_close(block, expected)
    for block, expected in zip(automatic.diagonals()[:2], by_hand.diagonals()[:2], strict=True):
        torch.testing.assert_close(block, expected)
    for name, argument in (("along_state", vector), ("pull_back", vector), ("along_parameters", direction)):
        torch.testing.assert_close(getattr(automatic, name)(argument), getattr(by_hand, name)(argument))
    of_lags = normal(2, 4, 7, 5)
    torch.testing.assert_close(automatic.gradient(of_lags), by_hand.gradient(of_lags))


@pytest.mark.parametrize("transport", ["first_order", "exact"])
def test_a_cell_that_only_steps_has_the_statistic_of_the_same_cell_by_hand(gates, parameters, normal, transport):
    x, y, w = normal(6, 9, 3), normal(6, 9), normal(5)
    options = StatisticOptions(transport=transport, directions=1)
    statistics = []
    for cell in gates:
        frozen = Frozen(Network(cell), parameters | {"w": w}, x, y)
        statistics.append(matched_statistic(frozen, [1, 2, 4], 1.0, 0, options, choose_transport("torch", cell)))
    for name in statistics[0]:
        np.testing.assert_allclose(statistics[1][name], statistics[0][name], rtol=1e-6, atol=1e-12)


def test_a_cell_without_a_gate_retains_the_diagonal_of_its_jacobian(normal):
    cell = Vanilla(3, 5)
    theta, state, inputs = cell.initial_parameters(0, 0), normal(4, 5), normal(4, 3)
    diagonals, whole = cell.linearize(theta, state, inputs).diagonals(), cell.linearize(theta, state, inputs).split()
    torch.testing.assert_close(diagonals.retention, whole.whole.diagonal(dim1=-2, dim2=-1))
    assert diagonals.mixing.abs().max() == 0
    assert cell.gate(theta, state, inputs) is None


def one_by_one(network, theta, x, y, mask):
    """The loss, target by target."""
    losses = []
    for n, t in np.ndindex(*y.shape[:2]):
        if mask is None or mask[n, t]:
            prediction = network.predict(theta, run(network.cell, theta, x[n : n + 1])[0, t + 1])
            if network.loss == "cross_entropy":
                losses.append(-torch.log_softmax(prediction, 0)[y[n, t]])
            else:
                losses.append((prediction - y[n, t]).square().sum())
    return torch.stack(losses).mean()


@pytest.mark.parametrize("with_mask", [False, True])
@pytest.mark.parametrize(("outputs", "loss"), [(0, "squared_error"), (2, "squared_error"), (4, "cross_entropy")])
def test_every_readout_and_loss_has_the_gradient_of_the_loss_target_by_target(normal, outputs, loss, with_mask):
    network = Network(Vanilla(3, 5), readout_bias=True, outputs=outputs, loss=loss)
    theta = {name: p + 0.1 * normal(*p.shape) for name, p in network.initial_parameters(0, 0).items()}
    x = normal(3, 6, 3)
    y = torch.randint(outputs, (3, 6)) if loss == "cross_entropy" else normal(3, 6, *([outputs] if outputs else []))
    mask = torch.arange(18).reshape(3, 6) % 4 != 1 if with_mask else None
    (value,), _ = AutogradEngine(network, [theta]).losses_and_states(
        x[None], y[None], mask[None] if with_mask else None
    )
    leaves = {name: p.detach().clone().requires_grad_() for name, p in theta.items()}
    expected = one_by_one(network, leaves, x, y, mask)
    torch.testing.assert_close(value, expected.detach())
    for p, gradient in zip(theta.values(), torch.autograd.grad(expected, list(leaves.values())), strict=True):
        torch.testing.assert_close(p.grad, gradient)


def test_baselines_are_losses_of_the_best_constant():
    y = torch.tensor([[0, 1, 1, 2], [1, 1, 0, 1]])
    shares = torch.tensor([2, 5, 1]).double() / 8
    constant = shares.log().expand(2, 4, 3)
    assert LOSSES["cross_entropy"].baseline(y) == pytest.approx(LOSSES["cross_entropy"].each(constant, y).mean().item())
    for values in (y.double(), torch.stack([y, y**2], -1).double()):
        mean = values.mean((0, 1)).expand_as(values)
        expected = LOSSES["squared_error"].each(mean, values).mean().item()
        assert LOSSES["squared_error"].baseline(values) == pytest.approx(expected)


def test_a_state_may_be_a_pair_that_grows(normal):
    network = Network(Remembering(3, 4))
    theta, x, y = network.initial_parameters(0, 0), normal(5, 7, 3), normal(5, 7)
    h, past = torch.zeros(5, 4, dtype=torch.float64), [torch.zeros(5, 4, dtype=torch.float64)]
    for t in range(7):
        h = torch.tanh(affine(theta, "h", h + torch.stack(past).mean(0), x[:, t]))
        past.append(h)
    torch.testing.assert_close(hidden_units(network.cell, theta, x)[:, -1], h)
    (loss,), ((last, memory),) = AutogradEngine(network, [theta]).losses_and_states(x[None], y[None])
    torch.testing.assert_close(last, h)
    assert memory.shape == (5, 8, 4)
    assert not memory.requires_grad
    torch.testing.assert_close(
        loss, (network.read_out(theta, hidden_units(network.cell, theta, x)) - y).square().mean()
    )


def test_a_part_goes_on_from_the_state_before_and_sends_no_gradient_back(normal):
    network = Network(Vanilla(3, 5))
    theta, x, y = network.initial_parameters(0, 0), normal(2, 8, 3), normal(2, 8)
    engine = AutogradEngine(network, [theta])
    _, states = engine.losses_and_states(x[None, :, :5], y[None, :, :5])
    torch.testing.assert_close(states[0], run(network.cell, theta, x)[:, 5])
    (loss,), _ = engine.losses_and_states(x[None, :, 5:], y[None, :, 5:], states=states)
    torch.testing.assert_close(
        loss, (network.predict(theta, run(network.cell, theta, x)[:, 6:]) - y[:, 5:]).square().mean()
    )
    leaves = {name: p.detach().clone().requires_grad_() for name, p in theta.items()}
    state, hidden = states[0], []
    for t in range(5, 8):
        state = network.cell.step(leaves, state, x[:, t])
        hidden.append(state)
    expected = torch.autograd.grad(
        (network.predict(leaves, torch.stack(hidden, 1)) - y[:, 5:]).square().mean(), list(leaves.values())
    )
    for p, gradient in zip(theta.values(), expected, strict=True):
        torch.testing.assert_close(p.grad, gradient)


def sequences(count, with_mask):
    inputs, targets, *_ = DelayedSum(3, 10, [2], [0.8], 0.1, root_seed=1, seed=0).generate("training", count)
    return Sequences(inputs, targets, np.broadcast_to(np.arange(10) > 2, (count, 10)).copy() if with_mask else None)


@pytest.mark.parametrize(
    ("cell", "truncation", "with_mask"),
    [
        (Dropout, 0, False),
        (Vanilla, 4, False),
        (Vanilla, 0, True),
        (Dropout, 3, True),
        (Remembering, 0, False),
        (ExpRNN, 4, False),
        (partial(LSTM, gate_init=0.5, h_detach=0.5), 0, False),
        (MemRNN, 3, False),
        (partial(RelLSTM, gate_init=0.5, short_term=2, relevant=2), 4, True),
        (partial(SAB, gate_init=0.5, top_k=2, truncation=3), 5, False),
    ],
)
def test_an_interrupted_training_goes_on_bit_for_bit(tmp_path, cell, truncation, with_mask):
    network, data = Network(cell(3, 6)), (sequences(20, with_mask), sequences(8, with_mask))
    settings = TrainingSettings("autograd", 4, 8, 1.0, "mean", truncation=truncation)
    runs = [Run(str(seed), ADAMW, 1, seed, *data) for seed in (0, 1)]

    whole = train(network, settings, runs, tmp_path / "whole.pt")
    interrupt(network, settings, runs, tmp_path / "run.pt", 3)
    resumed_runs = train(network, settings, runs, tmp_path / "run.pt")
    for whole_run, resumed_run in zip(whole, resumed_runs, strict=True):
        for name, p in whole_run.parameters.items():
            assert torch.equal(p, resumed_run.parameters[name])
        assert whole_run.curve.equals(resumed_run.curve)
    assert whole[0].curve["validation_loss"].iloc[-1] < whole[0].curve["validation_loss"].iloc[0]
    assert not torch.equal(whole[0].parameters["w"], whole[1].parameters["w"])


def test_random_steps_differ_between_epochs_steps_and_seeds(tmp_path):
    network, data = Network(Dropout(3, 6)), (sequences(20, False), sequences(8, False))
    settings = TrainingSettings("autograd", 2, 8, 1.0, "mean")
    by_seed = {
        name: train(
            replace(network, cell=kind(3, 6)), settings, [Run("a", ADAMW, 1, 0, *data)], tmp_path / f"{name}.pt"
        )
        for name, kind in (("random", Dropout), ("plain", Vanilla))
    }
    assert not torch.equal(*(results[0].parameters["w"] for results in by_seed.values()))
    member = loop._Session(network, settings, [Run("a", ADAMW, 1, 0, *data)], loop.Checkpoint(tmp_path / "x")).members[
        0
    ]
    draws = {
        torch.rand(4, generator=member.generator(epoch, step)).numpy().tobytes() for epoch in (1, 2) for step in (0, 1)
    }
    assert len(draws) == 4


def test_engines_say_what_they_lack():
    plain, classes = (
        Network(DiagGate(3, 5, gate_init=0.5)),
        Network(DiagGate(3, 5, gate_init=0.5), False, 4, "cross_entropy"),
    )
    assert extras(plain, 0, False) == ()
    assert extras(plain, 3, True) == ("masks", "truncation")
    assert extras(Network(Dropout(3, 5)), 0, False) == ("random steps",)
    reason = "auto: the cuda engine lacks predictions other than one number"
    assert choose_engine("auto", "cuda", classes) == ("autograd", reason)
    assert choose_engine("auto", "cuda", plain, ["masks"])[0] == "autograd"
    with pytest.raises(InputError, match=r"must be an engine that has masks and truncation\. Got 'torch'"):
        choose_engine("torch", "cpu", plain, ["masks", "truncation"])


def test_the_statistic_refuses_what_has_no_scalar_error(normal):
    network = Network(Vanilla(3, 5), False, 4, "cross_entropy")
    frozen = Frozen(network, network.initial_parameters(0, 0), normal(4, 8, 3), torch.zeros(4, 8).double())
    with pytest.raises(InputError, match="'network' must be of scalar predictions and squared errors"):
        matched_statistic(frozen, [1, 2], 1.0, 0, StatisticOptions(), choose_transport("torch", network.cell))


def test_tasks_and_cells_go_by_name_or_by_module(monkeypatch):
    settings = {"name": "delayed_sum", "input_size": 3, "duration": 20, "lags": [4], "coefficients": [0.5]}
    with pytest.raises(
        InputError,
        match=r"given coefficients, duration, input_density, input_size, lags, noise_sd .* Got 'no noise_sd'",
    ):
        build_task(settings, 0, 0)
    task = build_task(settings | {"noise_sd": 0.1, "training_sequences": 5}, 2, 3)
    assert task == DelayedSum(3, 20, [4], [0.5], 0.1, root_seed=2, seed=3)
    assert isinstance(task, Task)
    assert task.dependencies == {4: 0.5}
    monkeypatch.setitem(sys.modules, "mine", sys.modules[__name__])
    assert find(CELLS, "cell", "mine:Vanilla") is Vanilla
    network = Network.build({"cell": "mine:Vanilla"}, 3, 5, False)
    assert network.cell == Vanilla(3, 5)
    for name in ("mine:Other", "nowhere:Vanilla"):
        with pytest.raises(
            InputError, match=f"'cell' must be one of const_gate, .* or package.module:Name. Got '{name}'"
        ):
            find(CELLS, "cell", name)


@pytest.mark.parametrize("shape", [(), (3,)])
def test_classes_vectors_and_masks_are_read_as_written(tmp_path, shape):
    generator = np.random.default_rng(0)
    targets = generator.integers(4, size=(5, 6)) if not shape else generator.standard_normal((5, 6, *shape), np.float32)
    mask = generator.random((5, 6)) < 0.5
    original = Sequences(generator.standard_normal((5, 6, 2), np.float32), targets, mask, mask & mask[:, ::-1])
    write_sequences(original, tmp_path / "a.nc", {})
    for read, value in zip(read_sequences(tmp_path / "a.nc"), original, strict=True):
        np.testing.assert_array_equal(read, value)
        assert read.dtype == value.dtype


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_a_sum_over_outputs_with_its_own_slope(name):
    generator = torch.Generator().manual_seed(1)
    predictions = torch.randn(3, 4, 5, generator=generator, dtype=torch.float64, requires_grad=True)
    if name == "squared_error":
        targets = torch.randn(3, 4, 5, generator=generator, dtype=torch.float64)
        by_hand = sum((predictions[..., k] - targets[..., k]) ** 2 for k in range(5))
    else:
        targets = torch.randint(5, (3, 4), generator=generator)
        by_hand = predictions.exp().sum(-1).log() - predictions.gather(-1, targets[..., None])[..., 0]
    loss = LOSSES[name]
    torch.testing.assert_close(loss.each(predictions, targets), by_hand)
    torch.testing.assert_close(loss.sum(predictions, targets), by_hand.sum())
    (slope,) = torch.autograd.grad(by_hand.sum(), predictions)
    torch.testing.assert_close(loss.gradient(predictions.detach(), targets), slope)


def test_a_loss_of_one_output_is_the_same_with_and_without_an_axis():
    predictions, targets = torch.tensor([[1.0, 2.0]]), torch.tensor([[0.0, 5.0]])
    loss = LOSSES["squared_error"]
    assert loss.each(predictions, targets).tolist() == [[1.0, 9.0]]
    assert loss.each(predictions[..., None], targets[..., None]).tolist() == [[1.0, 9.0]]
    assert loss.sum(predictions, targets) == 10
    assert loss.baseline(targets) == loss.baseline(targets[..., None]) == 6.25
