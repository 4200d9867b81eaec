"""Training on classes: accuracy, fresh sequences, and a memory of one segment alone."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch

from interrupted import interrupt
from learnability.cells.linearization import affine
from learnability.core.errors import InputError
from learnability.networks.accuracy import measure_accuracy, measure_answers
from learnability.networks.network import Network, hidden_units
from learnability.tasks import Copy, Pixels, Sequences
from learnability.training import Run, TrainingSettings, loop, train
from learnability.training.engines import AutogradEngine
from networks import Remembering

TASK = Copy(4, root_seed=1, seed=0, symbols=2, alphabet=3)
ADAMW = {"method": "adamw", "learning_rate": 0.03, "weight_decay": 0.0}
SETTINGS = TrainingSettings("autograd", 4, 5, 1.0, "mean")


@dataclass(frozen=True)
class Forgetting(Remembering):
    """A cell whose memory is of one segment alone."""

    def carried(self, state):
        return state[0], state[0][:, None]


def network_of(task):
    return Network.for_task({"cell": "lstm", "gate_init": 0.5}, task, 8, readout_bias=True)


def run_of(task, name="a run", count=20):
    splits = [task.generate(split, count) for split in ("training", "validation")]
    return Run(name, ADAMW, task.root_seed, task.seed, *splits, task)


def accuracy_one_by_one(network, theta, sequences):
    """Answer by answer."""
    right = []
    mask = np.ones(sequences.targets.shape, bool) if sequences.scored is None else sequences.scored
    hidden = hidden_units(network.cell, theta, torch.from_numpy(sequences.inputs).to(theta["w"]))
    for n, t in zip(*np.nonzero(mask), strict=True):
        scores = [float(theta["w"][k] @ hidden[n, t] + theta["b"][k]) for k in range(network.outputs)]
        right.append(scores.index(max(scores)) == sequences.targets[n, t])
    return np.mean(right)


def test_accuracy_is_the_share_of_right_answers_where_they_are_scored(tmp_path):
    network, run = network_of(TASK), run_of(TASK, count=270)
    (result,) = train(network, replace(SETTINGS, epochs=2), [run], tmp_path / "run.pt")
    expected = accuracy_one_by_one(network, result.parameters, run.validation)
    assert result.curve["validation_accuracy"].iloc[-1] == pytest.approx(expected)
    assert measure_accuracy(network, result.parameters, run.validation) == pytest.approx(expected)
    whole = run.validation._replace(scored=None)
    everywhere = measure_accuracy(network, result.parameters, whole)
    assert everywhere == pytest.approx(accuracy_one_by_one(network, result.parameters, whole))
    assert everywhere != pytest.approx(expected)
    with_mask = run.validation._replace(scored=None, mask=run.validation.scored)
    assert measure_accuracy(network, result.parameters, with_mask) == pytest.approx(expected)


def test_the_loss_of_answers_is_the_mean_where_targets_count():
    network, sequences = network_of(TASK), TASK.generate("validation", 130)
    theta = network.initial_parameters(1, 0)
    hidden = hidden_units(network.cell, theta, torch.from_numpy(sequences.inputs).double())
    scores = network.read_out(theta, hidden).movedim(-1, 1)
    losses = torch.nn.functional.cross_entropy(scores, torch.from_numpy(sequences.targets), reduction="none").numpy()
    for batch, mean in (
        (sequences, losses.mean()),
        (sequences._replace(mask=sequences.scored), losses[sequences.scored].mean()),
    ):
        answers = measure_answers(network, theta, batch)
        assert answers.loss == pytest.approx(mean)
        assert answers.accuracy == measure_accuracy(network, theta, batch)


def test_a_network_is_put_to_a_delay_that_it_has_not_learned():
    network = network_of(TASK)
    longer = replace(TASK, delay=9).generate("diagnostic", 30)
    theta = network.initial_parameters(1, 0)
    assert measure_accuracy(network, theta, longer) == pytest.approx(accuracy_one_by_one(network, theta, longer))


def test_accuracy_is_of_classes_alone(tmp_path, normal):
    network = Network.build({"cell": "const_gate", "gate_value": 0.5}, 3, 5, False)
    data = Sequences(normal(8, 6, 3).float().numpy(), normal(8, 6).float().numpy())
    with pytest.raises(InputError, match=r"'loss' must be cross_entropy where accuracy is asked for"):
        measure_accuracy(network, network.initial_parameters(0, 0), data)
    (result,) = train(
        network, replace(SETTINGS, epochs=1), [Run("a run", ADAMW, 1, 0, data, data)], tmp_path / "run.pt"
    )
    assert "validation_accuracy" not in result.curve


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda mask: mask[:, :-1], "'scored' must be of truth values"),
        (lambda mask: mask.astype(int), "'scored' must be of truth values"),
        (lambda mask: mask & False, "'scored' must be true of one target at least"),
    ],
)
def test_where_accuracy_is_taken_is_checked(tmp_path, change, message):
    run = run_of(TASK)
    wrong = replace(run, validation=run.validation._replace(scored=change(run.validation.scored)))
    with pytest.raises(InputError, match=message):
        train(network_of(TASK), SETTINGS, [wrong], tmp_path / "run.pt")


def test_what_does_not_count_is_not_scored(tmp_path):
    run = run_of(TASK)
    wrong = replace(run, validation=run.validation._replace(mask=~run.validation.scored))
    with pytest.raises(InputError, match="'scored' must be true only where targets count"):
        train(network_of(TASK), SETTINGS, [wrong], tmp_path / "run.pt")


def test_every_epoch_of_fresh_sequences_is_its_own(tmp_path):
    """The same updates as one epoch after another on sequences made by hand."""
    network, fresh = network_of(TASK), replace(SETTINGS, epochs=3, fresh=True)
    (result,) = train(network, fresh, [run_of(TASK)], tmp_path / "fresh.pt")
    session = loop._Session(network, SETTINGS, [run_of(TASK)], loop.Checkpoint(tmp_path / "x.pt"))
    (member,) = session.members
    optimizer = torch.optim.AdamW(member.parameters.values(), lr=0.03, weight_decay=0.0)
    for epoch in (1, 2, 3):
        x, y = (torch.from_numpy(part) for part in TASK.generate(f"fresh {epoch}", 20)[:2])
        for batch in member.order(epoch).split(5):
            AutogradEngine(network, [member.parameters]).losses_and_gradients(x[None, batch], y[None, batch])
            torch.nn.utils.clip_grad_norm_(member.parameters.values(), 1.0)
            optimizer.step()
    for name, parameter in member.parameters.items():
        torch.testing.assert_close(result.parameters[name], parameter)
    targets = [TASK.generate(split, 200).targets for split in ("training", "validation", "fresh 1", "fresh 2")]
    assert len({part.tobytes() for part in targets}) == 4


def test_training_on_fresh_sequences_goes_on_bit_for_bit(tmp_path):
    network, settings = network_of(TASK), replace(SETTINGS, fresh=True)
    runs = [run_of(TASK, "0"), run_of(replace(TASK, seed=1), "1")]
    before = [part.copy() for part in runs[0].training[:2]]

    whole = train(network, settings, runs, tmp_path / "whole.pt")
    interrupt(network, settings, runs, tmp_path / "run.pt", 3)
    for whole_run, resumed_run in zip(whole, train(network, settings, runs, tmp_path / "run.pt"), strict=True):
        assert whole_run.curve.equals(resumed_run.curve)
        for name, parameter in whole_run.parameters.items():
            assert torch.equal(parameter, resumed_run.parameters[name])
    for part, was in zip(runs[0].training[:2], before, strict=True):
        np.testing.assert_array_equal(part, was)  # the caller's sequences are as they were
    (alone,) = train(network, settings, runs[1:], tmp_path / "alone.pt")
    assert torch.equal(alone.parameters["w"], whole[1].parameters["w"])
    (repetition,) = train(network, SETTINGS, runs[:1], tmp_path / "run.pt")
    assert not torch.equal(repetition.parameters["w"], whole[0].parameters["w"])


def test_a_checkpoint_of_fresh_sequences_is_of_its_task(tmp_path):
    network, settings = network_of(TASK), replace(SETTINGS, fresh=True, epochs=1)
    run = run_of(TASK)
    train(network, settings, [run], tmp_path / "run.pt")
    other_run = replace(run, task=replace(TASK, seed=5))
    (result,) = train(network, settings, [other_run], tmp_path / "run.pt")
    (expected,) = train(network, settings, [other_run], tmp_path / "other.pt")
    assert torch.equal(result.parameters["w"], expected.parameters["w"])


def test_fresh_sequences_need_a_task_that_has_more(tmp_path):
    settings = replace(SETTINGS, fresh=True)
    with pytest.raises(InputError, match="'task of a run' must be given where every epoch has fresh sequences"):
        train(network_of(TASK), settings, [replace(run_of(TASK), task=None)], tmp_path / "run.pt")
    pixels = Pixels(64, root_seed=1, seed=0)
    with pytest.raises(InputError, match=r"'split' must be one of training, validation, diagnostic. Got 'fresh 1'"):
        train(network_of(pixels), settings, [run_of(pixels, count=5)], tmp_path / "run.pt")
    assert not list(tmp_path.iterdir())


def test_a_memory_is_begun_anew_in_each_part_and_the_rest_carried(normal, tmp_path):
    network = Network(Forgetting(5, 4), True, 4, "cross_entropy")
    theta = network.initial_parameters(0, 0)
    sequences = TASK.generate("training", 6)
    x, y = torch.from_numpy(sequences.inputs).double(), torch.from_numpy(sequences.targets)
    h, expected = torch.zeros(6, 4, dtype=torch.float64), []
    for t in range(8):
        past = [h] if t % 3 == 0 else [*past, h]
        h = torch.tanh(affine(theta, "h", h + torch.stack(past).mean(0), x[:, t]))
        expected.append(h)
    torch.testing.assert_close(hidden_units(network.cell, theta, x, 3), torch.stack(expected, 1))
    engine, states, losses = AutogradEngine(network, [theta]), None, []
    for start in (0, 3, 6):
        part = slice(start, start + 3)
        loss, states = engine.losses_and_states(x[None, :, part], y[None, :, part], states=states)
        losses.append(loss * len(expected[part]))
    step_losses = torch.nn.functional.cross_entropy(
        network.read_out(theta, torch.stack(expected, 1)).movedim(-1, 1), y, reduction="none"
    )
    assert (sum(losses) / 8).item() == pytest.approx(step_losses.mean().item())
    run = Run("a run", ADAMW, 1, 0, sequences, sequences)
    (result,) = train(network, replace(SETTINGS, epochs=1, truncation=3), [run], tmp_path / "run.pt")
    initial = network.initial_parameters(1, 0)
    hidden = hidden_units(network.cell, initial, x, 3)
    cost = torch.nn.functional.cross_entropy(network.read_out(initial, hidden).movedim(-1, 1), y)
    assert result.curve["validation_loss"].iloc[0] == pytest.approx(cost.item(), rel=1e-5)
    found_accuracy = measure_accuracy(network, result.parameters, sequences, truncation=3)
    assert result.curve["validation_accuracy"].iloc[-1] == pytest.approx(found_accuracy)
