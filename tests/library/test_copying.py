"""Copy and denoise, sequence by sequence, and what is to be had without memory."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from learnability.core.errors import InputError
from learnability.tasks import Copy, Denoise, Task, build_task

COPY, DENOISE = Copy(30, root_seed=1, seed=0), Denoise(30, root_seed=1, seed=0)
TINY = {"delay": 3, "symbols": 2, "alphabet": 3, "root_seed": 1, "seed": 0}
BLANK, MARKER = 0, 9

both_tasks = pytest.mark.parametrize("task", [COPY, DENOISE], ids=["copy", "denoise"])


def decode(sequences):
    """Inputs as classes; each is one-hot."""
    assert set(np.unique(sequences.inputs)) == {0, 1}
    assert (sequences.inputs.sum(-1) == 1).all()
    return sequences.inputs.argmax(-1)


def test_a_sequence_of_copy_is_written_out():
    sequences = COPY.generate("training", 20)
    for x, y in zip(decode(sequences), sequences.targets, strict=True):
        symbols = list(x[:10])
        assert set(symbols) <= set(range(1, 9))
        assert list(x) == symbols + 29 * [BLANK] + [MARKER] + 10 * [BLANK]
        assert list(y) == 40 * [BLANK] + symbols


def test_a_sequence_of_denoise_is_written_out():
    sequences = DENOISE.generate("training", 20)
    for x, y in zip(decode(sequences), sequences.targets, strict=True):
        symbols = [symbol for symbol in x[:39] if symbol != BLANK]
        assert len(symbols) == 10
        assert set(symbols) <= set(range(1, 9))
        assert list(x[39:]) == [MARKER] + 10 * [BLANK]
        assert list(y) == 40 * [BLANK] + symbols


@both_tasks
def test_all_steps_count_and_the_answer_is_scored(task):
    sequences = task.generate("training", 3)
    assert sequences.mask is None
    np.testing.assert_array_equal(sequences.scored, np.tile(np.arange(50) >= 40, (3, 1)))
    assert sequences.inputs.shape == (3, task.duration, task.input_size)
    assert (task.duration, task.input_size, task.outputs) == (50, 10, 9)
    assert isinstance(task, Task)


@both_tasks
def test_inputs_and_classes_that_never_occur_change_nothing_else(task):
    more = replace(task, unused=2)
    assert (more.input_size, more.outputs) == (12, 11)
    plain, wide = (variant.generate("training", 3) for variant in (task, more))
    np.testing.assert_array_equal(wide.inputs[..., :10], plain.inputs)
    assert not wide.inputs[..., 10:].any()
    np.testing.assert_array_equal(wide.targets, plain.targets)


@both_tasks
def test_symbols_are_uniform_and_independent(task):
    symbols = task.generate("training", 4000).targets[:, -10:] - 1
    counts = np.bincount(symbols.ravel(), minlength=8)
    assert abs(counts / symbols.size - 1 / 8).max() < 5 * np.sqrt(1 / 8 * 7 / 8 / symbols.size)
    for first, second in combinations(range(10), 2):
        pairs = np.bincount(8 * symbols[:, first] + symbols[:, second], minlength=64)
        assert ((pairs - 4000 / 64) ** 2 / (4000 / 64)).sum() < 63 + 6 * np.sqrt(2 * 63)  # χ² of 63 degrees of freedom


def test_all_sets_of_places_are_equally_likely():
    places = decode(Denoise(**TINY).generate("training", 12000))[:, :4] > 0
    sets, counts = np.unique(places, axis=0, return_counts=True)
    assert len(sets) == 6  # of two places among four
    assert abs(counts / 12000 - 1 / 6).max() < 5 * np.sqrt(1 / 6 * 5 / 6 / 12000)


@both_tasks
def test_a_split_is_always_the_same_and_shares_nothing(task):
    for part, again in zip(task.generate("training", 8)[:2], task.generate("training", 8)[:2], strict=True):
        np.testing.assert_array_equal(part, again)
    for part, more in zip(task.generate("training", 5)[:2], task.generate("training", 8)[:2], strict=True):
        np.testing.assert_array_equal(part, more[:5])
    tasks = [task, replace(task, seed=1), replace(task, root_seed=2)]
    rows = [row.tobytes() for variant in tasks for split in "abc" for row in variant.generate(split, 50).targets]
    assert len(set(rows)) == len(rows)


def test_another_delay_has_the_same_symbols_inputs_and_classes():
    longer = replace(COPY, delay=200)
    assert (longer.input_size, longer.outputs, longer.duration) == (COPY.input_size, COPY.outputs, 220)
    ends = [task.generate("diagnostic", 5).targets[:, -10:] for task in (COPY, longer)]
    np.testing.assert_array_equal(*ends)


@pytest.mark.parametrize("kind", [Copy, Denoise])
def test_the_baseline_is_the_best_that_sees_the_time_and_the_present_input_alone(kind):
    """The entropy of y_t given t and x_t, counted over all sequences there are."""
    task = kind(**TINY)
    starts = [(0, 1)] if kind is Copy else combinations(range(4), 2)
    joint = np.zeros((task.duration, task.input_size, task.outputs))
    for places, symbols in product(starts, product(range(1, 4), repeat=2)):
        x, y = np.zeros(task.duration, int), np.zeros(task.duration, int)
        x[list(places)], x[4], y[-2:] = symbols, 4, symbols
        joint[np.arange(task.duration), x, y] += 1
    joint /= joint[0].sum()
    conditional = joint / np.maximum(joint.sum(-1, keepdims=True), 1e-300)
    entropies = -(joint * np.log(np.where(conditional > 0, conditional, 1))).sum((1, 2))
    assert task.baseline == pytest.approx(entropies.mean())
    samples = task.generate("training", 3000)
    probabilities = [
        conditional[t, x, y]
        for xs, ys in zip(decode(samples), samples.targets, strict=True)
        for t, x, y in zip(range(7), xs, ys, strict=True)
    ]
    assert -np.log(probabilities).mean() == pytest.approx(task.baseline)  # of every draw: 1/3 at the end and 1 before


def test_baselines_are_those_of_the_papers():
    assert Copy(100, root_seed=1, seed=0).baseline == pytest.approx(10 * np.log(8) / 120)
    assert Denoise(100, root_seed=1, seed=0).baseline == pytest.approx(10 * np.log(8) / 120)


def test_a_symbol_comes_again_after_the_lag_that_is_known():
    sequences = COPY.generate("training", 3)
    (lag,) = COPY.dependencies
    np.testing.assert_array_equal(sequences.targets[:, lag:], decode(sequences)[:, :-lag])
    assert not DENOISE.dependencies


@pytest.mark.parametrize("name", ["copy", "denoise"])
def test_tasks_go_by_name(name):
    settings = {"name": name, "delay": 30, "lags": [3], "duration": 9, "training_sequences": 2}
    assert build_task(settings, 1, 0) == {"copy": COPY, "denoise": DENOISE}[name]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"delay": 0}, "'task.delay' must be at least 1. Got 0"),
        ({"symbols": 0}, "'task.symbols' must be at least 1. Got 0"),
        ({"alphabet": 1}, "'task.alphabet' must be at least 2. Got 1"),
    ],
)
def test_wrong_settings_are_refused_by_name(changes, message):
    with pytest.raises(InputError, match=message):
        replace(DENOISE, **changes)
