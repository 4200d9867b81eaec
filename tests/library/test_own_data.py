"""Data and cells of one's own: what is refused, and what a run reports where not all targets count."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch

from learnability.cells import GRU, Cell, ConstGate
from learnability.cells.leaky import LeakyCell
from learnability.core.errors import InputError
from learnability.core.registry import find
from learnability.networks.network import Network, run
from learnability.tasks import Sequences, build_task
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import choose_engine
from learnability.transport import TorchEngine
from learnability.transport import choose_engine as choose_transport
from learnability.windows.readings import Reading, whole_readings

SGD = {"method": "sgd", "learning_rate": 0.01}
ONE_STEP = TrainingSettings("autograd", 1, 8, 1e9, "mean")
CELL = ConstGate(3, 5, gate_value=0.7)


@dataclass(frozen=True)
class Loud(GRU):
    """A GRU, but for its step."""

    def step(self, parameters, state, inputs):
        return 2 * super().step(parameters, state, inputs)


@dataclass(frozen=True)
class HalfGate(LeakyCell):
    """A leaky cell whose gate is no logistic function of what it sees."""

    def gate(self, parameters, state, inputs):
        return 0.5 + 0.25 * torch.tanh(state)


@dataclass(frozen=True)
class Bounded(ConstGate):
    """A cell whose hidden units are a function of its state."""

    def output(self, state):
        return torch.tanh(state)


@dataclass(frozen=True)
class Double(ConstGate):
    """Twice as many numbers in the state as hidden units."""

    @property
    def state_size(self):
        return 2 * self.hidden_size

    def step(self, parameters, state, inputs):
        h = super().step(parameters, self.output(state), inputs)
        return torch.cat([h, self.output(state)], -1)


@pytest.fixture
def data(normal):
    return Sequences(normal(16, 10, 3).float().numpy(), normal(16, 10).float().numpy())


def last_step_alone(data):
    return data._replace(mask=np.broadcast_to(np.arange(10) == 9, (16, 10)).copy())


def train_one(tmp_path, training, validation=None, network=None, **settings):
    run = Run("a run", SGD, 1, 0, training, training if validation is None else validation)
    path = tmp_path / f"{len(list(tmp_path.iterdir()))}.pt"
    (result,) = train(network or Network(CELL), replace(ONE_STEP, **settings), [run], path)
    return result


@pytest.mark.parametrize(("cell", "settings"), [(Loud, {"gate_init": 0.5}), (HalfGate, {})])
def test_a_changed_cell_is_another_cell(cell, settings, normal):
    network = Network(cell(3, 5, **settings))
    parameters, x = network.initial_parameters(0, 0), normal(2, 7, 3)
    assert choose_engine("auto", "cpu", network)[0] == "autograd"
    assert isinstance(choose_transport("auto", network.cell), TorchEngine)
    states = run(network.cell, parameters, x)
    jacobian = network.cell.linearize(parameters, states[:, :-1], x).split().whole
    point = states[0, 3].clone().requires_grad_()
    expected = torch.autograd.functional.jacobian(lambda s: network.cell.step(parameters, s, x[0, 3]), point)
    torch.testing.assert_close(jacobian[0, 3], expected)


def test_a_prediction_from_an_output_of_ones_own_has_its_gradient(normal):
    network = Network(Bounded(3, 5, gate_value=0.5))
    parameters, states = network.initial_parameters(0, 0), normal(2, 4, 5)
    expected = parameters["w"] * (1 - states.tanh() ** 2)
    torch.testing.assert_close(network.readout_gradient(parameters, states), expected)


def test_first_order_windows_of_a_larger_state_need_a_linearization(normal):
    cell = Double(3, 5, gate_value=0.5)
    steps = cell.linearize(cell.initial_parameters(0, 0), normal(4, 10), normal(4, 3))
    assert steps.split().whole.shape == (4, 10, 10)
    with pytest.raises(InputError, match=r"'state' must be the 5 hidden units.*linearize\. Got 10"):
        steps.diagonals()


def test_a_checkpoint_is_of_its_inputs_and_masks(tmp_path, data, normal):
    changes = data._replace(inputs=normal(16, 10, 3).float().numpy()), last_step_alone(data)
    for training in (data, *changes):
        run = Run("a run", SGD, 1, 0, training, data)
        (result,) = train(Network(CELL), ONE_STEP, [run], tmp_path / "run.pt")
        expected = train_one(tmp_path, training, data)
        assert torch.equal(result.parameters["W_h"], expected.parameters["W_h"])


@pytest.mark.parametrize("truncation", [0, 5, 3])
def test_targets_that_do_not_count_leave_no_trace(tmp_path, data, truncation):
    last_step = last_step_alone(data)
    wild = last_step._replace(targets=np.where(last_step.mask, last_step.targets, np.nan))
    curve, expected = (train_one(tmp_path, sequences, truncation=truncation).curve for sequences in (wild, last_step))
    assert curve.equals(expected)
    network = Network(CELL)
    initial = {name: p.float() for name, p in network.initial_parameters(1, 0).items()}
    predictions = network.predict(initial, run(network.cell, initial, torch.from_numpy(data.inputs))[:, -1])
    errors = predictions.numpy() - data.targets[:, -1]
    before, after = expected.iloc[0], expected.iloc[1]
    assert before["validation_loss"] == pytest.approx(np.square(errors).mean())
    assert before["r_squared"] == pytest.approx(1 - np.square(errors).mean() / data.targets[:, -1].var())
    assert after["training_loss"] == pytest.approx(np.square(errors).mean(), rel=0.05)  # of two steps


def test_a_part_without_targets_is_no_update(tmp_path, data):
    adamw = {"method": "adamw", "learning_rate": 0.01, "weight_decay": 0.5}
    last_step = last_step_alone(data)
    changes = []
    for truncation in (1, 5):
        run = Run("a run", adamw, 1, 0, last_step, last_step)
        (result,) = train(Network(CELL), replace(ONE_STEP, truncation=truncation), [run], tmp_path / f"{truncation}.pt")
        changes.append(result.parameters["b_h"] - result.snapshots[0]["b_h"])
        assert result.curve["clipped_fraction"].iloc[1] == 0
    assert changes[0].abs().max() < 0.03  # two updates of a rate of 0.01, not twenty


def test_a_loss_that_is_a_sum_counts_what_the_mask_counts(tmp_path, data):
    last_step = last_step_alone(data)
    norms = [
        train_one(tmp_path, last_step, loss_reduction=reduction).curve["gradient_norm"].iloc[1]
        for reduction in ("mean", "sum")
    ]
    assert norms[0] == pytest.approx(norms[1], rel=0.05)  # one target a sequence
    whole = [
        train_one(tmp_path, data, loss_reduction=reduction).curve["gradient_norm"].iloc[1]
        for reduction in ("mean", "sum")
    ]
    assert whole[1] > 5 * whole[0]  # ten


def test_the_training_loss_is_the_mean_over_targets_whatever_the_parts(tmp_path, data):
    tiny = SGD | {"learning_rate": 1e-12}
    losses = []
    for truncation in (0, 9, 4):
        run = Run("a run", tiny, 1, 0, data, data)
        (result,) = train(Network(CELL), replace(ONE_STEP, truncation=truncation), [run], tmp_path / f"{truncation}.pt")
        losses.append(result.curve["training_loss"].iloc[1])
    np.testing.assert_allclose(losses, losses[0], rtol=1e-6)


def test_constant_targets_have_no_r_squared(tmp_path, data):
    constant = data._replace(targets=np.ones_like(data.targets))
    assert train_one(tmp_path, data, constant).curve["r_squared"].isna().all()


def test_numbers_of_numpys_own_precision_are_taken(tmp_path, data):
    double = Sequences(data.inputs.astype(float), data.targets.astype(float))
    result, expected = train_one(tmp_path, double), train_one(tmp_path, data)
    assert torch.equal(result.parameters["W_h"], expected.parameters["W_h"])


CLASSES = Network(CELL, False, 4, "cross_entropy")
WRONG = {
    "inputs of another size": (None, lambda d: d._replace(inputs=d.inputs[..., :2]), r"'inputs' must be \(seq"),
    "inputs that are missing": (None, lambda d: d._replace(inputs=np.full_like(d.inputs, np.nan)), "'inputs' .*finite"),
    "targets that are missing": (
        None,
        lambda d: d._replace(targets=np.full_like(d.targets, np.nan)),
        "'targets' .*fin",
    ),
    "targets that are vectors": (None, lambda d: d._replace(targets=d.inputs), r"'targets' .*\(16, 10\)"),
    "numbers for vectors": (Network(CELL, False, 1), lambda d: d, r"'targets' .*\(16, 10, 1\)"),
    "a mask of numbers": (None, lambda d: d._replace(mask=np.ones((16, 10), int)), "'mask' .*truth values"),
    "a mask of another shape": (None, lambda d: d._replace(mask=np.ones((10, 16), bool)), "'mask' .*truth values"),
    "an empty mask": (None, lambda d: d._replace(mask=np.zeros((16, 10), bool)), "'mask' .*at least. Got 'none'"),
    "numbers for classes": (CLASSES, lambda d: d, "'targets' must be classes, whole numbers from 0 to 3"),
    "a class too many": (CLASSES, lambda d: d._replace(targets=np.full((16, 10), 4)), "classes.* from 4 to 4"),
}


@pytest.mark.parametrize("case", WRONG)
def test_data_that_a_network_does_not_take_are_refused(tmp_path, data, case):
    network, change, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        train_one(tmp_path, change(data), network=network)
    assert not list(tmp_path.iterdir())


def test_runs_side_by_side_have_masks_all_or_none(tmp_path, data):
    runs = [Run(str(n), SGD, 1, n, sequences, data) for n, sequences in enumerate((data, last_step_alone(data)))]
    with pytest.raises(InputError, match="of one shape, all with masks or none"):
        train(Network(CELL), ONE_STEP, runs, tmp_path / "run.pt")


def test_an_engine_that_lacks_what_is_asked_for_is_refused(tmp_path, data):
    with pytest.raises(InputError, match=r"must be an engine that has truncation\. Got 'torch'"):
        train_one(tmp_path, data, engine="torch", truncation=5)


def test_the_names_of_the_readout_are_its_own():
    cell = type("Named", (ConstGate,), {"initial_parameters": lambda *_: {"b": torch.zeros(5)}})
    with pytest.raises(InputError, match="must be other than w and b"):
        Network(cell(3, 5, gate_value=0.5)).initial_parameters(0, 0)


@pytest.mark.parametrize(("outputs", "loss"), [(-1, "squared_error"), (0, "cross_entropy"), (1, "cross_entropy")])
def test_outputs_are_what_the_loss_takes(outputs, loss):
    with pytest.raises(InputError, match="'outputs' must be at least"):
        Network.build({"cell": "const_gate", "gate_value": 0.5}, 3, 5, False, outputs, loss)


@pytest.mark.parametrize("name", ["numpy:zeros", ":Vanilla", "..x:Y", "numpy:ndarray", "no_such:Thing"])
def test_what_is_no_dataclass_is_named_in_one_line(name):
    with pytest.raises(InputError, match="'cell' must be "):
        find({}, "cell", name)


DELAYED_SUM = {"input_size": 3, "duration": 9, "lags": [2], "coefficients": [1.0], "noise_sd": 0.1}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (DELAYED_SUM, "'task' must be given a name"),
        ({"name": "delayed_sum", "input_size": 3}, "Got 'no coefficients, duration, lags, noise_sd'"),
    ],
)
def test_settings_of_a_task_are_its_own(settings, message):
    with pytest.raises(InputError, match=message):
        build_task(settings, 1, 0)
    assert build_task(DELAYED_SUM | {"name": "delayed_sum", "training_sequences": 3}, 1, 0).input_size == 3


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"detections": {}}, "'parts of a reading' must be among statistic, noise, detection. Got 'detections'"),
        ({"noise": {"floor": 0}}, "'options of noise' must be among estimator, .* Got 'floor'"),
        ({"like": {}}, "Got 'like'"),
    ],
)
def test_a_reading_has_no_parts_and_options_but_its_own(parts, message):
    with pytest.raises(InputError, match=message):
        Reading.of(parts, {})


def test_readings_that_are_like_each_other_are_named():
    with pytest.raises(InputError, match=r"'readings\.a\.like' must be another reading.* Got 'b'"):
        whole_readings({"a": {"like": "b"}, "b": {"like": "a"}})


def test_a_cell_has_the_linearization_that_it_brings():
    assert ConstGate.linearize is LeakyCell.linearize
    assert HalfGate.linearize is Cell.linearize
    assert Loud.linearize is Cell.linearize
