"""Runs trained side by side are, each, what they would be alone."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.overrides import TorchFunctionMode

from comparison import assert_identical
from learnability.core.errors import InputError
from learnability.tasks import DelayedSum
from learnability.training import Checkpoint, Run, TrainingDiverged, TrainingSettings, train
from learnability.training.capture import Captured
from learnability.training.loop import _Session
from learnability.training.side_by_side import _Step

ADAMW = {"method": "adamw", "learning_rate": 1e-2, "weight_decay": 1e-4}
MOMENTUM = {"method": "sgd", "learning_rate": 0.05, "momentum": 0.9}
WILD = {"method": "sgd", "learning_rate": 1e38}
SETTINGS = TrainingSettings("autograd", 4, 15, 1.0, "mean")  # 40 sequences: the last batch is smaller


@pytest.fixture
def network(build):
    return build("diag_gate", input_size=5)


@pytest.fixture(scope="module")
def runs():
    """Three runs, two of which share their data."""

    def data(seed):
        task = DelayedSum(5, 12, (1, 3), (0.8, 0.5), 0.1, root_seed=1, seed=seed)
        return {split: task.generate(split, count) for split, count in (("training", 40), ("validation", 10))}

    data_0, data_1 = data(0), data(1)
    return [
        Run("adamw 0", ADAMW, root_seed=1, seed=0, **data_0),
        Run("momentum 0", MOMENTUM, root_seed=1, seed=0, **data_0),
        Run("adamw 1", ADAMW, root_seed=1, seed=1, **data_1),
    ]


def wild(run):
    return replace(run, name="wild", optimizer=WILD)


@pytest.mark.parametrize("engine", ["autograd", "torch", "native"])
@pytest.mark.parametrize("loss_reduction", ["mean", "sum"])
def test_each_run_is_bit_for_bit_the_run_alone(network, runs, engine, loss_reduction, monkeypatch, tmp_path):
    monkeypatch.setattr("learnability.training.side_by_side.VALIDATION_CHUNK", 3)
    settings = replace(SETTINGS, engine=engine, loss_reduction=loss_reduction)
    together = train(network, settings, runs, tmp_path / "together.pt")
    for run, result in zip(runs, together, strict=True):
        (alone,) = train(network, settings, [run], tmp_path / "alone.pt")
        assert_identical(result, alone)
    assert not torch.equal(together[0].parameters["U_h"], together[1].parameters["U_h"])


def test_a_run_that_diverges_is_named_and_touches_no_other(network, runs, tmp_path):
    checkpoint, progress = tmp_path / "run.pt", []
    with pytest.raises(TrainingDiverged, match=r"^Training of wild diverged at epoch 1, step 2: ") as caught:
        train(network, SETTINGS, [runs[0], wild(runs[1]), runs[2]], checkpoint, progress.append)
    assert "holds epoch 0 and 4" in str(caught.value)
    assert [len(rows) for rows in progress] == [2] * 4
    resumed_runs = train(network, SETTINGS, [runs[0], runs[2]], checkpoint)
    for run, result in zip((runs[0], runs[2]), resumed_runs, strict=True):
        (alone,) = train(network, SETTINGS, [run], tmp_path / "alone.pt")
        assert_identical(result, alone)


def test_every_run_that_diverges_is_named(network, runs, tmp_path):
    with pytest.raises(TrainingDiverged, match=r"Training of wild .* Training of wild too .*no checkpoint"):
        train(network, SETTINGS, [wild(runs[0]), replace(wild(runs[2]), name="wild too")], tmp_path / "run.pt")
    assert not (tmp_path / "run.pt").exists()


def test_a_run_that_cannot_even_begin_leaves_the_others_theirs(network, runs, tmp_path, monkeypatch):
    monkeypatch.setattr("learnability.training.member._targets", lambda targets, *_: targets)  # not looked at
    broken = runs[2].validation._replace(targets=np.full_like(runs[2].validation.targets, np.nan))
    pair = [runs[0], replace(runs[2], validation=broken)]
    for _ in range(2):  # the second goes on from the checkpoint of the first
        with pytest.raises(TrainingDiverged, match="adamw 1 diverged at epoch 0, after its last step"):
            train(network, SETTINGS, pair, tmp_path / "run.pt")
    (result,) = train(network, SETTINGS, [runs[0]], tmp_path / "run.pt")
    assert_identical(result, train(network, SETTINGS, [runs[0]], tmp_path / "alone.pt")[0])


def test_a_checkpoint_serves_whichever_of_its_runs_are_asked_for(network, runs, tmp_path, monkeypatch):
    monkeypatch.setattr("learnability.training.loop.CHECKPOINT_SECONDS", -1)
    monkeypatch.setattr("learnability.training.loop.CHECKPOINT_SHARE", math.inf)
    checkpoint, progress = tmp_path / "run.pt", []
    expected = train(network, SETTINGS, runs, tmp_path / "other.pt")
    train(network, SETTINGS, [runs[0], runs[2]], checkpoint)
    results = train(network, SETTINGS, runs, checkpoint, progress.append)
    assert [len(rows) for rows in progress] == [1] * 4  # only the run that was not there
    for result, reference in zip(results, expected, strict=True):
        assert_identical(result, reference)


def test_shared_data_are_on_the_device_once(network, runs, tmp_path):
    session = _Session(network, SETTINGS, runs, Checkpoint(tmp_path / "none.pt"))
    places = [member.training[0].data_ptr() for member in session.members]
    assert places[0] == places[1] != places[2]


def test_runs_side_by_side_must_have_data_of_one_shape(network, runs, tmp_path):
    training = runs[0].training
    short = replace(runs[0], training=training._replace(inputs=training.inputs[:39], targets=training.targets[:39]))
    with pytest.raises(InputError, match="'training data of runs side by side' must be of one shape"):
        train(network, SETTINGS, [short, runs[1]], tmp_path / "none.pt")


class NoReading(TorchFunctionMode):
    """Refuses what makes the host wait for the device."""

    WAITS = {"item", "tolist", "cpu", "numpy", "nonzero", "__bool__", "__float__", "__int__", "__index__"}  # noqa: RUF012

    def __torch_function__(self, func, types, args=(), kwargs=None):
        assert getattr(func, "__name__", "") not in self.WAITS, func
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("engine", ["autograd", "torch"])
@pytest.mark.parametrize("loss_reduction", ["mean", "sum"])
def test_a_step_never_waits_for_the_device(network, runs, engine, loss_reduction, tmp_path):
    settings = replace(SETTINGS, engine=engine, loss_reduction=loss_reduction)
    members = _Session(network, settings, [runs[1]], Checkpoint(tmp_path / "none.pt")).members
    step, batch = _Step(network, settings, members, 16), torch.arange(16)[None]
    with NoReading():
        losses = step(1, 0, batch)
    assert losses.isfinite().all()
    with pytest.raises(AssertionError), NoReading():
        losses[0].item()


def test_each_call_of_captured_work_does_it_once(device):
    total = torch.zeros((), device=device)
    work = Captured(lambda: total.add_(1).clone(), device)
    assert [work().item() for _ in range(8)] == list(range(1, 9))
