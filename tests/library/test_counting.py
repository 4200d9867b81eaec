"""Counting, sequence by sequence."""

import numpy as np

from learnability.tasks import build_task

SETTINGS = {"name": "count", "duration": 20, "most": 3}
TASK = build_task(SETTINGS, root_seed=1, seed=0)


def test_a_sequence_is_written_out():
    """Alone it can catch an answer that counts marks before the reset."""
    sequences = TASK.generate("training", 200)
    for x, y, mask in zip(*sequences[:3], strict=True):
        answer, before = 0, 0
        for mark, reset, _ in x[:-1]:
            assert mark * reset == 0
            before, answer = (answer, 0) if reset else (before, answer + int(mark))
        assert before <= 3
        assert y[-1] == answer
        assert x[:, 1].sum() == 1
        assert x[:, 2].tolist() == mask.tolist() == 19 * [0] + [1]


def test_without_a_reset_all_marks_count():
    x, y, *_ = build_task(SETTINGS | {"is_reset": False}, root_seed=1, seed=0).generate("training", 100)
    np.testing.assert_array_equal(x[..., 0].sum(1), y[:, -1])
    assert x[..., 1].sum() == 0


def test_numbers_places_and_resets_are_uniform():
    """Alone it can catch a count that the step of the reset tells."""
    x, y, *_ = TASK.generate("training", 20_000)
    numbers, resets = y[:, -1], x[..., 1].argmax(1)
    np.testing.assert_allclose(np.bincount(numbers) / 20_000, 1 / 4, atol=0.02)
    np.testing.assert_allclose(np.bincount(resets, minlength=16)[3:16] / 20_000, 1 / 13, atol=0.01)
    before = (x[..., 0] * (np.arange(20) < resets[:, None])).sum(1)
    np.testing.assert_allclose(np.bincount(before.astype(int)) / 20_000, 1 / 4, atol=0.02)
    assert abs(np.corrcoef([numbers, resets, before])[np.triu_indices(3, 1)]).max() < 0.03
    middle = resets == 9
    np.testing.assert_allclose(x[middle, :9, 0].mean(0), 1.5 / 9, atol=0.05)
    np.testing.assert_allclose(x[middle, 10:-1, 0].mean(0), 1.5 / 9, atol=0.05)
