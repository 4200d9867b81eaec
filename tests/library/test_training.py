import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from comparison import assert_identical
from learnability.cells import GATED
from learnability.core.errors import InputError
from learnability.networks.network import run
from learnability.tasks import DelayedSum
from learnability.training import (
    Checkpoint,
    Run,
    TrainingDiverged,
    TrainingSettings,
    log_spaced_epochs,
    loop,
    side_by_side,
    train,
)
from learnability.training.engines import ENGINES, AutogradEngine

ADAMW = {"method": "adamw", "learning_rate": 1e-2, "weight_decay": 1e-4}
SGD = {"method": "sgd", "learning_rate": 0.1}
MOMENTUM = SGD | {"momentum": 0.9}
ADAM, RMSPROP = ({"method": name, "learning_rate": 1e-3} for name in ("adam", "rmsprop"))
SETTINGS = TrainingSettings("torch", 6, 8, 1.0, "mean")


each_architecture = pytest.mark.parametrize("architecture", GATED)


class Interrupted(Exception):
    pass


@pytest.fixture
def architecture():
    return "diag_gate"


@pytest.fixture(scope="module")
def data():
    task = DelayedSum(3, 12, (1, 3), (0.8, 0.5), 0.1, root_seed=1, seed=0)
    return task.generate("training", 40), task.generate("validation", 10)


@pytest.fixture
def train_run(network, data, tmp_path):
    """Train `network` from scratch, with changes of the settings or of the run."""

    def train_run(checkpoint=tmp_path / "none.pt", progress=lambda rows: None, splits=data, **changes):
        overrides = {name: changes.pop(name) for name in ("optimizer", "seed") if name in changes}
        run = Run("the run", **{"optimizer": ADAMW, "root_seed": 1, "seed": 0} | overrides, **as_run_data(splits))
        (result,) = train(network, replace(SETTINGS, **changes), [run], checkpoint, progress)
        return result

    return train_run


@pytest.fixture
def interrupt_run(train_run, monkeypatch, tmp_path):
    """The checkpoint of a run that was stopped in its fourth epoch, with three behind it."""

    def interrupt_run(**changes):
        def stop(rows):
            if rows[0]["epoch"] == 4:
                raise Interrupted

        monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1)
        monkeypatch.setattr(loop, "CHECKPOINT_SHARE", math.inf)
        with pytest.raises(Interrupted):
            train_run(tmp_path / "run.pt", stop, **changes)
        assert [state.epoch for state in Checkpoint(tmp_path / "run.pt").load().values()] == [3]
        return tmp_path / "run.pt"

    return interrupt_run


def as_run_data(splits):
    return dict(zip(("training", "validation"), splits, strict=True))


def change(run):
    """Parameters after minus before, as one vector."""
    return torch.cat([(p - run.snapshots[0][name]).flatten() for name, p in run.parameters.items()])


@each_architecture
@pytest.mark.parametrize("engine", sorted(set(ENGINES) - {"autograd", "cuda"}))
def test_engines_agree_after_50_steps_of_adamw(engine, train_run, device):
    result, expected = train_run(engine=engine, device=device, epochs=10), train_run(engine="autograd", epochs=10)
    for name, p in expected.parameters.items():
        torch.testing.assert_close(result.parameters[name], p, rtol=0, atol=1e-5)


@each_architecture
def test_the_loss_falls(train_run):
    curve = train_run(epochs=30).curve
    assert curve["training_loss"].iloc[-1] < 0.5 * curve["training_loss"].iloc[1]
    assert curve["validation_loss"].iloc[-1] < 0.5 * curve["validation_loss"].iloc[0]


def test_a_seed_gives_the_same_run_bit_for_bit_and_another_seed_does_not(train_run):
    first = train_run()
    assert_identical(first, train_run())
    assert change(first).allclose(change(train_run(seed=1))) is False


@each_architecture
@pytest.mark.parametrize("optimizer", [ADAMW, MOMENTUM, ADAM, RMSPROP], ids=["adamw", "momentum", "adam", "rmsprop"])
def test_a_resumed_run_is_the_uninterrupted_one_bit_for_bit(interrupt_run, train_run, optimizer):
    checkpoint, epochs = interrupt_run(optimizer=optimizer), []
    resumed_run = train_run(checkpoint, lambda rows: epochs.append(rows[0]["epoch"]), optimizer=optimizer)
    assert epochs == [4, 5, 6]
    assert_identical(resumed_run, train_run(optimizer=optimizer))


@pytest.mark.parametrize("changes", [{"seed": 1}, {"optimizer": SGD}, {"batch_size": 10}, {"epochs": 5}], ids=str)
def test_a_checkpoint_of_other_settings_is_ignored(interrupt_run, train_run, changes):
    assert_identical(train_run(interrupt_run(), **changes), train_run(**changes))


def test_a_checkpoint_of_other_data_is_ignored(interrupt_run, train_run, data):
    training, validation = data
    other_data = training._replace(targets=2 * training.targets), validation
    assert_identical(train_run(interrupt_run(), splits=other_data), train_run(splits=other_data))


def test_a_damaged_checkpoint_costs_the_epochs_since_the_one_before(interrupt_run, train_run):
    checkpoint, epochs = interrupt_run(), []
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    resumed_run = train_run(checkpoint, lambda rows: epochs.append(rows[0]["epoch"]))
    assert epochs == [3, 4, 5, 6]
    assert_identical(resumed_run, train_run())


@pytest.fixture
def faulty(monkeypatch):
    """An engine whose gradient is not finite at a step of the third epoch; the losses until then."""

    def make(step):
        losses = []

        class Faulty(AutogradEngine):
            def losses_and_gradients(self, inputs, targets):
                loss = super().losses_and_gradients(inputs, targets)
                losses.append(loss.item())
                if len(losses) == 2 * 5 + step:  # five steps an epoch
                    self.models[0]["b_h"].grad[0] = torch.nan
                return loss

        monkeypatch.setitem(ENGINES, "faulty", Faulty)
        return losses

    return make


@pytest.mark.parametrize("step", [1, 2])
def test_divergence_names_epoch_step_and_last_finite_loss_and_keeps_the_checkpoint(train_run, faulty, tmp_path, step):
    losses = faulty(step)
    with pytest.raises(TrainingDiverged, match=f"epoch 3, step {step}: .*gradient norm nan") as caught:
        train_run(tmp_path / "run.pt", engine="faulty")
    assert f"last finite loss {losses[2 * 5 + step - 2]:.4g}" in str(caught.value)
    (good,) = Checkpoint(tmp_path / "run.pt").load().values()
    assert good.epoch == 2
    assert all(p.isfinite().all() for p in good.parameters.values())


def test_where_it_is_asked_for_a_run_that_diverges_ends_with_its_last_good_epoch(train_run, faulty):
    faulty(2)
    result = train_run(engine="faulty", keep_diverged=True)
    assert result.diverged.startswith("Training of ") and "epoch 3, step 2: " in result.diverged
    assert list(result.curve["epoch"]) == [0, 1, 2] and list(result.snapshots) == [0, 1, 2]
    whole = train_run(engine="autograd")
    assert not whole.diverged
    for name, parameter in result.parameters.items():
        assert torch.equal(parameter, whole.snapshots[2][name])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_missing_value_is_found_in_its_own_step(engine, train_run, data, tmp_path, device, monkeypatch):
    monkeypatch.setattr("learnability.training.member._targets", lambda targets, *_: targets)  # not looked at
    training, validation = data
    targets = training.targets.copy()
    targets[7, 3] = np.nan
    with pytest.raises(TrainingDiverged, match=r"epoch 1, step 1: loss nan.*last finite loss nan"):
        splits = training._replace(targets=targets), validation
        train_run(tmp_path / "run.pt", splits=splits, engine=engine, batch_size=40, device=device)
    assert not (tmp_path / "run.pt").exists()


def test_an_epoch_that_ends_in_parameters_that_are_not_finite_is_no_success(train_run, tmp_path):
    wild = SGD | {"learning_rate": 3e38}
    with pytest.raises(TrainingDiverged, match=r"epoch 1, after its last step: .*not finite.*no checkpoint"):
        train_run(
            tmp_path / "run.pt", optimizer=wild, gradient_clip=1e30, loss_reduction="sum", batch_size=40, epochs=1
        )
    assert not (tmp_path / "run.pt").exists()


def test_a_batch_larger_than_the_data_is_refused(train_run):
    with pytest.raises(InputError, match=r"'batch_size' must be at most 40 .*Got 41"):
        train_run(batch_size=41)


@pytest.mark.parametrize(
    ("key", "value"), [("engine", "magic"), ("loss_reduction", "median"), ("optimizer", SGD | {"method": "magic"})]
)
def test_unknown_names_are_refused(train_run, key, value):
    with pytest.raises(InputError, match=r"Got '(magic|median)'"):
        train_run(**{key: value})


@pytest.mark.parametrize(
    ("epochs", "expected"),
    [
        (0, [0]),
        (1, [0, 1]),
        (2, [0, 1, 2]),
        (60, [0, 1, 2, 5, 10, 20, 50, 60]),
        (100, [0, 1, 2, 5, 10, 20, 50, 100]),
        (500, [0, 1, 2, 5, 10, 20, 50, 100, 200, 500]),
    ],
)
def test_log_spaced_epochs(epochs, expected):
    assert log_spaced_epochs(epochs) == expected


def test_snapshots_run_from_the_initial_to_the_final_parameters(network, train_run):
    run = train_run()
    assert list(run.snapshots) == [0, 1, 2, 5, 6]
    for name, p in network.initial_parameters(1, 0).items():
        assert torch.equal(run.snapshots[0][name], p.float())
        assert torch.equal(run.snapshots[6][name], run.parameters[name])


def test_summing_over_time_multiplies_the_gradient_by_the_duration(train_run):
    options = {"gradient_clip": 1e9, "optimizer": SGD, "epochs": 1}
    mean, total = train_run(**options), train_run(**options, loss_reduction="sum", batch_size=40)
    one_step = train_run(**options, batch_size=40)
    torch.testing.assert_close(change(total), 12 * change(one_step), rtol=1e-5, atol=1e-6)
    assert total.curve["gradient_norm"][1] == pytest.approx(12 * one_step.curve["gradient_norm"][1], rel=1e-5)
    smaller = train_run(**options | {"optimizer": SGD | {"learning_rate": 0.1 / 12}}, loss_reduction="sum")
    torch.testing.assert_close(change(smaller), change(mean), rtol=1e-4, atol=1e-6)


def test_a_clipped_step_has_the_length_of_the_clip(train_run):
    result = train_run(gradient_clip=1e-3, optimizer=SGD, epochs=1, batch_size=40)
    assert change(result).norm().item() == pytest.approx(0.1 * 1e-3, rel=1e-2)
    assert result.curve["clipped_fraction"][1] == 1
    assert train_run(gradient_clip=1e9, epochs=1).curve["clipped_fraction"][1] == 0


def test_each_epoch_sees_each_sequence_once_in_an_order_of_its_own(train_run, data, monkeypatch):
    sequence_ids = []

    class Recording(AutogradEngine):
        def losses_and_gradients(self, inputs, targets):
            sequence_ids.extend(inputs[0, :, 0, 0].tolist())
            return super().losses_and_gradients(inputs, targets)

    monkeypatch.setitem(ENGINES, "recording", Recording)
    for seed in (0, 1):
        train_run(engine="recording", epochs=3, batch_size=16, seed=seed)
    orders = [sequence_ids[start : start + 40] for start in range(0, 240, 40)]
    for order in orders:
        assert sorted(order) == sorted(data[0].inputs[:, 0, 0].tolist())
    assert len(set(map(tuple, orders))) == 6


@pytest.mark.parametrize("batch_size", [40, 16, 7, 1])
def test_the_training_loss_is_the_mean_over_sequences_however_they_are_batched(train_run, data, batch_size):
    # Weights that stand still: the loss of the epoch is that of the set.
    still = train_run(optimizer=SGD | {"learning_rate": 0.0}, batch_size=batch_size, epochs=2)
    assert not change(still).any()
    whole = train_run(optimizer=SGD | {"learning_rate": 0.0}, batch_size=40, epochs=1)
    for epoch in (1, 2):
        assert still.curve["training_loss"][epoch] == pytest.approx(whole.curve["training_loss"][1], rel=1e-6)


def test_the_curve_holds_the_validation_loss_of_the_weights_of_its_epoch(network, train_run, data, monkeypatch):
    monkeypatch.setattr(side_by_side, "VALIDATION_CHUNK", 4)
    run_, (_, validation) = train_run(), data
    x, y = torch.from_numpy(validation.inputs).double(), torch.from_numpy(validation.targets).double()
    for epoch, snapshot in run_.snapshots.items():
        p = {name: tensor.double() for name, tensor in snapshot.items()}
        loss = (network.predict(p, run(network.cell, p, x)[:, 1:]) - y).square().mean().item()
        row = run_.curve.set_index("epoch").loc[epoch]
        assert row["validation_loss"] == pytest.approx(loss, rel=1e-5)
        assert row["r_squared"] == pytest.approx(1 - loss / y.var(correction=0).item(), rel=1e-4)


@each_architecture
def test_gate_statistics_start_at_the_gate_of_the_initial_weights(architecture, train_run):
    gates = train_run(epochs=1).gates
    start = 0.7 if architecture == "const_gate" else 0.3
    assert gates["epoch"].tolist() == [0, 1]
    for name in ("mean", "q05", "q25", "q50", "q75", "q95"):
        assert gates[name][0] == pytest.approx(start, rel=1e-6)
    assert gates["sd"][0] == pytest.approx(0, abs=1e-7)
    assert (gates["sd"][1] > 1e-4) == (architecture != "const_gate")
    assert (gates["sd_between_units"][1] > 1e-4) == (architecture in ("diag_gate", "lstm", "gru"))
