"""Associative recall, sequence by sequence."""

import numpy as np
import pytest

from learnability.core.errors import InputError
from learnability.tasks import Recall, Task, build_task

SETTINGS = {"name": "recall", "duration": 9, "pairs": 3, "keys": 4, "values": 5}
TASK = build_task(SETTINGS, root_seed=1, seed=0)


def test_a_sequence_is_written_out():
    """Alone it can catch an answer that is of another key than the one asked for."""
    sequences = TASK.generate("training", 50)
    for x, y, mask in zip(*sequences[:3], strict=True):
        steps = np.flatnonzero(x[:-1].any(1))
        pairs = {int(step[:4].argmax()): int(step[4:].argmax()) for step in x[steps]}
        assert len(steps) == len(pairs) == 3
        assert (x[steps].sum(1) == 2).all()
        assert x[-1].sum() == x[-1, :4].sum() == 1
        assert y[-1] == pairs[int(x[-1].argmax())]
        assert mask.tolist() == 8 * [False] + [True]


def test_places_keys_and_values_are_uniform():
    sequences = TASK.generate("training", 20_000)
    x = sequences.inputs
    np.testing.assert_allclose(x[:, :-1].any(-1).mean(0), 3 / 8, atol=0.02)
    np.testing.assert_allclose(x[:, -1, :4].mean(0), 1 / 4, atol=0.02)
    np.testing.assert_allclose(np.bincount(sequences.targets[:, -1]) / 20_000, 1 / 5, atol=0.02)


def test_noise_is_of_its_size_and_spares_the_question():
    noisy = build_task(SETTINGS | {"noise_sd": 0.3}, root_seed=1, seed=0).generate("training", 2000)
    plain = TASK.generate("training", 2000)
    difference = noisy.inputs - plain.inputs
    assert abs(difference[:, :-1].std() - 0.3) < 0.01
    np.testing.assert_array_equal(difference[:, -1], 0)
    np.testing.assert_array_equal(noisy.targets, plain.targets)


def test_splits_and_seeds_differ_and_come_again():
    again = build_task(SETTINGS, root_seed=1, seed=0)
    assert isinstance(TASK, Task)
    np.testing.assert_array_equal(again.generate("training", 5).inputs, TASK.generate("training", 5).inputs)
    assert (again.generate("validation", 50).targets != TASK.generate("training", 50).targets).any()


@pytest.mark.parametrize(
    ("setting", "value"), [("pairs", 0), ("keys", 2), ("values", 1), ("duration", 3), ("noise_sd", -1)]
)
def test_a_setting_out_of_range_is_refused(setting, value):
    with pytest.raises(InputError, match=f"task.{setting}"):
        Recall(**{**{k: v for k, v in SETTINGS.items() if k != "name"}, setting: value}, root_seed=1, seed=0)
