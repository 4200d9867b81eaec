"""Associative recall, sequence by sequence."""

import numpy as np

from learnability.tasks import build_task

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
