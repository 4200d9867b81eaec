"""What tasks with one answer, behind noisy inputs, have in common: counting and associative recall."""

import numpy as np
import pytest

from learnability.core.errors import InputError
from learnability.tasks import Task, build_task

SETTINGS = {
    "count": {"name": "count", "duration": 20, "most": 3},
    "recall": {"name": "recall", "duration": 9, "pairs": 3, "keys": 4, "values": 5},
}
both_tasks = pytest.mark.parametrize("name", SETTINGS)


@both_tasks
def test_noise_is_of_its_size_and_spares_the_question(name):
    plain, noisy = (
        build_task(SETTINGS[name] | {"noise_sd": size}, 1, 0).generate("training", 2000) for size in (0.0, 0.3)
    )
    difference = noisy.inputs - plain.inputs
    assert abs(difference[:, :-1].std() - 0.3) < 0.01
    np.testing.assert_array_equal(difference[:, -1], 0)
    np.testing.assert_array_equal(noisy.targets, plain.targets)


@both_tasks
def test_splits_and_seeds_differ_and_come_again(name):
    task, again, other = (build_task(SETTINGS[name], root_seed=1, seed=seed) for seed in (0, 0, 1))
    assert isinstance(task, Task)
    sequences = task.generate("training", 50)
    np.testing.assert_array_equal(again.generate("training", 50).inputs, sequences.inputs)
    assert (again.generate("validation", 50).targets != sequences.targets).any()
    for inputs in (again.generate("validation", 50).inputs, other.generate("training", 50).inputs):
        assert (inputs != sequences.inputs).any()


@pytest.mark.parametrize(
    ("name", "setting", "value"),
    [
        *(("count", "most", 0), ("count", "duration", 7), ("count", "noise_sd", -1)),
        *(("recall", "pairs", 0), ("recall", "keys", 2), ("recall", "values", 1)),
        *(("recall", "duration", 3), ("recall", "noise_sd", -1)),
    ],
)
def test_a_setting_out_of_range_is_refused(name, setting, value):
    with pytest.raises(InputError, match=f"task.{setting}"):
        build_task(SETTINGS[name] | {setting: value}, root_seed=1, seed=0)
