"""Trainings that end when nothing is left to learn, and how many updates they took until then."""

import pandas as pd
import pytest

from learnability.core.errors import InputError
from learnability.networks.network import Network
from learnability.tasks import Copy, DelayedSum
from learnability.training import Run, TrainingSettings, side_by_side, train, updates_until
from learnability.training.member import is_learned

TASK = Copy(2, root_seed=1, seed=0, symbols=1, alphabet=2)


def settings(**changes):
    return TrainingSettings("autograd", 9, 10, 1.0, "mean", **changes)


def run_of(task, network_settings, changes, path):
    network = Network.for_task(network_settings, task, 4, readout_bias=True)
    splits = [task.generate(split, 20) for split in ("training", "validation")]
    optimizer = {"method": "adam", "learning_rate": 0.001}
    return train(network, settings(**changes), [Run("a run", optimizer, 1, 0, *splits)], path / "run.pt")[0]


def rows(*accuracies):
    return [{"epoch": epoch, "validation_accuracy": accuracy} for epoch, accuracy in enumerate(accuracies)]


@pytest.mark.parametrize(
    ("accuracies", "perfect", "expected"),
    [
        ((0.5, 1.0, 1.0), 2, True),
        ((1.0, 1.0, 0.99), 2, False),
        ((1.0, 0.5, 1.0), 2, False),
        ((1.0,), 2, False),
        ((1.0, 1.0), 0, False),
        ((), 1, False),
    ],
)
def test_only_validations_in_a_row_up_to_the_last_count(accuracies, perfect, expected):
    assert is_learned(rows(*accuracies), perfect) == expected


def test_updates_are_those_until_the_first_validation_that_passes():
    curve = pd.DataFrame(rows(0.1, 0.9, 0.4, 0.99, 1.0, 0.2))
    assert updates_until(curve, 100) == {"all": 500, "until_0.9": 100, "until_0.99": 300}
    assert updates_until(pd.DataFrame(rows(0.1, 0.95)), 100) == {"all": 100, "until_0.9": 100, "until_0.99": None}


def test_a_run_ends_after_so_many_validations_in_a_row_without_an_error(monkeypatch, tmp_path):
    shares = iter([0.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0, 0.0])
    validate = side_by_side._Validation.__call__

    def pretend_accuracy(self):
        losses, _, finite, gates = validate(self)
        return losses, [next(shares)], finite, gates

    monkeypatch.setattr(side_by_side._Validation, "__call__", pretend_accuracy)
    run = run_of(TASK, {"cell": "rnn"}, {"perfect_validations": 3}, tmp_path)
    assert list(run.curve["validation_accuracy"]) == [0.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0]
    assert max(run.snapshots) == 6
    assert run.ending == {"updates": {"all": 12, "until_0.9": 2, "until_0.99": 2}}


def test_what_has_no_classes_is_never_perfect(tmp_path):
    task = DelayedSum(3, 12, (1, 3), (0.8, 0.5), 0.1, root_seed=1, seed=0)
    with pytest.raises(InputError, match=r"'perfect_validations' must be 0 but for classes\. Got 2"):
        run_of(task, {"cell": "rnn"}, {"perfect_validations": 2}, tmp_path)
