from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from learnability.core.errors import InputError
from learnability.core.store import write_dataset
from learnability.core.streams import numpy_generator, seed_sequence
from learnability.tasks import DelayedSum, Sequences, delayed_sum, read_sequences, write_sequences

TASK = DelayedSum(4, 30, (2, 5, 29), (0.6, -0.5, 0.3), 0.3, root_seed=1, seed=0)
SPLITS = ("training", "validation", "diagnostic")


def test_targets_are_equation_44():
    x, y, *_ = replace(TASK, noise_sd=0.0).generate("training", 3)
    u = TASK.direction.astype(float)
    for n in range(3):
        for t in range(1, 31):
            terms = zip(TASK.lags, TASK.coefficients, strict=True)
            expected = sum(c * (u @ x[n, t - lag - 1]) for lag, c in terms if t > lag)
            assert y[n, t - 1] == pytest.approx(expected, abs=1e-6)


def test_the_noise_is_added_to_the_target_and_hangs_on_nothing_else():
    clean, noisy = replace(TASK, noise_sd=0.0).generate("training", 400), TASK.generate("training", 400)
    np.testing.assert_array_equal(noisy.inputs, clean.inputs)
    noise = noisy.targets - clean.targets
    assert noise.var() == pytest.approx(0.09, rel=5 * np.sqrt(2 / noise.size))
    assert abs(noise.mean()) < 5 * 0.3 / np.sqrt(noise.size)
    noisier = replace(TASK, noise_sd=0.6).generate("training", 400)
    np.testing.assert_allclose(noisier.targets - clean.targets, 2 * noise, atol=1e-6)


def test_predicting_zero_costs_the_noise_floor_and_the_squares_of_the_coefficients():
    y = TASK.generate("training", 4000).targets
    for t, expected in ((1, 0.09), (3, 0.09 + 0.36), (6, 0.09 + 0.36 + 0.25), (30, 0.09 + 0.36 + 0.25 + 0.09)):
        assert y[:, t - 1].var() == pytest.approx(expected, rel=5 * np.sqrt(2 / 4000))


def test_inputs_are_white_and_normal():
    x = TASK.generate("training", 500).inputs.astype(float)
    assert x.shape == (500, 30, 4)
    count = x[..., 0].size
    np.testing.assert_allclose(np.cov(x.reshape(-1, 4).T), np.eye(4), atol=5 * np.sqrt(2 / count))
    assert abs((x[:, 1:] * x[:, :-1]).mean()) < 5 / np.sqrt(4 * count)
    assert (x**4).mean() == pytest.approx(3, abs=5 * np.sqrt(96 / (4 * count)))


def test_the_direction_is_a_unit_vector_of_the_seed():
    assert np.linalg.norm(TASK.direction) == pytest.approx(1, abs=1e-6)
    np.testing.assert_array_equal(TASK.direction, replace(TASK, noise_sd=1.0, lags=(1, 2, 3)).direction)
    for variant in (replace(TASK, seed=1), replace(TASK, root_seed=2)):
        assert abs(TASK.direction @ variant.direction) < 0.99


def test_splits_share_the_direction():
    for split in SPLITS:
        x, y, *_ = replace(TASK, lags=(1,), coefficients=(1.0,), noise_sd=0.0).generate(split, 5)
        estimate = np.linalg.lstsq(x[:, :-1].reshape(-1, 4), y[:, 1:].ravel(), rcond=None)[0]
        np.testing.assert_allclose(estimate, TASK.direction, atol=1e-5)


def test_a_split_is_always_the_same():
    for first, again in zip(TASK.generate("training", 5)[:2], TASK.generate("training", 5)[:2], strict=True):
        np.testing.assert_array_equal(first, again)


def test_more_sequences_begin_with_the_fewer():
    few, many = TASK.generate("training", 5), TASK.generate("training", 8)
    for part, more in zip(few[:2], many[:2], strict=True):
        np.testing.assert_array_equal(part, more[:5])


def test_splits_seeds_and_studies_share_no_stream_but_the_direction(monkeypatch):
    keys = []

    def record_key(*key):
        keys.append(key)
        return numpy_generator(*key)

    monkeypatch.setattr(delayed_sum, "numpy_generator", record_key)
    tasks = [replace(TASK, root_seed=root_seed, seed=seed) for root_seed in (1, 2) for seed in (0, 1)]
    rows = [row for task in tasks for split in SPLITS for row in task.generate(split, 20).inputs.reshape(-1, 4)]
    assert len({row.tobytes() for row in rows}) == len(rows)
    streams = Counter((sequence.entropy, sequence.spawn_key) for sequence in (seed_sequence(*key) for key in keys))
    directions = {
        (root_seed, seed_sequence(root_seed, seed, "direction").spawn_key) for root_seed in (1, 2) for seed in (0, 1)
    }
    assert {stream for stream, times in streams.items() if times > 1} == directions
    assert len(streams) == len(directions) + 2 * len(tasks) * len(SPLITS)  # inputs and noise of each split


def test_the_noise_of_splits_and_seeds_is_uncorrelated():
    noises = []
    for task in (TASK, replace(TASK, seed=1)):
        for split in SPLITS:
            noisy, clean = task.generate(split, 100), replace(task, noise_sd=0.0).generate(split, 100)
            noises.append((noisy.targets - clean.targets).ravel())
    correlations = np.corrcoef(noises)[np.triu_indices(len(noises), 1)]
    assert abs(correlations).max() < 5 / np.sqrt(3000)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lags": (2, 5, 30)}, r"'task.lags' must be in \[1, 30\). Got 30"),
        ({"lags": (0, 5, 29)}, r"'task.lags' must be in \[1, 30\). Got 0"),
        ({"lags": (2, 2, 5)}, "'task.lags' must be distinct"),
        ({"coefficients": (0.6, 0.5)}, "'task.coefficients' must be 3 values"),
        ({"noise_sd": -0.1}, "'task.noise_sd' must be at least 0"),
    ],
)
def test_wrong_settings_are_refused_by_name(changes, message):
    with pytest.raises(InputError, match=message):
        replace(TASK, **changes)


def test_sequences_are_read_as_written(tmp_path):
    original = TASK.generate("training", 3)
    write_sequences(original, tmp_path / "sequences.nc", {})
    for read, value in zip(read_sequences(tmp_path / "sequences.nc")[:2], original[:2], strict=True):
        assert read.dtype == np.float32
        np.testing.assert_array_equal(read, value)


OWN_DATA = {
    "inputs": (("sequence", "time", "input"), np.ones((2, 3, 4))),
    "targets": (("sequence", "time"), np.ones((2, 3))),
}


def test_sequences_of_ones_own_may_have_another_order_and_precision(tmp_path):
    values = np.arange(24).reshape(3, 4, 2)
    write_dataset(xr.Dataset(OWN_DATA | {"inputs": (("time", "input", "sequence"), values)}), tmp_path / "own.nc")
    inputs, targets, *_ = read_sequences(tmp_path / "own.nc")
    np.testing.assert_array_equal(inputs, values.transpose(2, 0, 1))
    assert inputs.flags["C_CONTIGUOUS"]
    assert inputs.dtype == targets.dtype == np.float32


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "targets",
            None,
            r"'own.nc' must be a file with arrays .*mask and scored .*\. Got inputs \(sequence, time, input\)\.",
        ),
        (
            "inputs",
            (("batch", "time", "input"), np.ones((2, 3, 4))),
            r"Got inputs \(batch, time, input\); targets \(sequence, time\)\.",
        ),
        ("targets", (("sequence", "time", "width"), np.ones((2, 3, 1))), "must be a file with arrays"),
        ("targets", (("sequence", "time"), np.full((2, 3), b"a")), "'targets of own.nc' must be numbers"),
        ("targets", (("sequence", "time"), np.full((2, 3), np.nan)), "'targets of own.nc' must be finite in float32"),
        ("inputs", (("sequence", "time", "input"), np.full((2, 3, 4), 1e300)), "'inputs of own.nc' must be finite"),
    ],
)
def test_sequences_that_do_not_fit_are_named(tmp_path, monkeypatch, name, change, message):
    monkeypatch.chdir(tmp_path)
    arrays = {key: value for key, value in (OWN_DATA | {name: change}).items() if value is not None}
    write_dataset(xr.Dataset(arrays), "own.nc")
    with pytest.raises(InputError, match=message):
        read_sequences("own.nc")


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 2)])
def test_targets_of_a_file_that_do_not_count_may_be_anything(tmp_path, shape):
    counts, targets = np.array([[1, 1, 0], [1, 0, 0]], np.int8), np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
    dimensions, with_nan = ("sequence", "time", "output")[: len(shape)], targets.copy()
    with_nan[counts == 0] = np.nan
    with_mask = {"targets": (dimensions, with_nan), "mask": (("sequence", "time"), counts)}
    write_dataset(xr.Dataset(OWN_DATA | with_mask), tmp_path / "own.nc")
    result = read_sequences(tmp_path / "own.nc").targets
    targets[counts == 0] = 0
    np.testing.assert_array_equal(result, targets)


def test_no_sequence_is_named(tmp_path):
    write_sequences(Sequences(np.ones((0, 3, 4)), np.ones((0, 3))), tmp_path / "none.nc", {})
    with pytest.raises(InputError, match=r"'inputs of .*none.nc' must be of at least one sequence"):
        read_sequences(tmp_path / "none.nc")
