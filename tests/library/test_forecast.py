"""The task `forecast`: windows of a measured series, the electrocardiogram that comes along, and wrong files."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from learnability.core.errors import InputError
from learnability.tasks import Forecast, Task, build_task
from learnability.tasks.sources import BUILT_IN, DATA, SPLITS

HEART = Forecast(128, root_seed=1, seed=0, horizon=6)
SEGMENTS = {"training": 15, "validation": 5, "diagnostic": 5}
STEPS = 720
SERIES = {split: np.arange(30.0).reshape(3, 10) + 100 * n for n, split in enumerate(SPLITS)}


@pytest.fixture
def series(tmp_path):
    """Store arrays in an .npz file and give the task of it; T = 4 and h = 2 leave five places in ten steps."""

    def store(**changes):
        path = tmp_path / "series.npz"
        np.savez(path, **{name: array for name, array in (SERIES | changes).items() if array is not None})
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        return Forecast(4, 1, 0, horizon=2, source=str(path), sha256=digest)

    return store


@pytest.fixture(scope="module")
def heart():
    with np.load(DATA / BUILT_IN["heart"][0]) as file:
        return {split: file[split] for split in file}


def test_a_forecast_is_a_task_of_numbers():
    task = build_task({"name": "forecast", "duration": 30, "horizon": 3}, 1, 0)
    assert isinstance(task, Task) and task == Forecast(30, 1, 0, horizon=3)
    assert (task.input_size, task.outputs, task.loss, task.dependencies) == (1, 0, "squared_error", {})
    assert build_task({"name": "forecast", "duration": 30}, 1, 0).horizon == 1


@pytest.mark.parametrize("horizon", [1, 6, 40])
@pytest.mark.parametrize("split", SPLITS)
def test_the_target_is_the_input_some_steps_later(split, horizon):
    task = replace(HEART, horizon=horizon)
    x, y, mask, scored = task.generate(split, 50)
    assert x.shape == (50, 128, 1) and y.shape == (50, 128)
    assert x.dtype == y.dtype == np.float32
    assert mask is None and scored is None
    np.testing.assert_array_equal(x[:, horizon:, 0], y[:, :-horizon])
    np.testing.assert_array_equal(x, task.generate(split, 50).inputs)
    np.testing.assert_array_equal(x, replace(task, root_seed=5, seed=3).generate(split, 50).inputs)


def test_all_windows_lie_within_a_segment_and_each_occurs_once(series):
    for split, segments in SERIES.items():
        x, y, *_ = series().generate(split, 15)
        expected = [row[start : start + 6] for row in segments for start in range(5)]
        np.testing.assert_array_equal(x[..., 0], [window[:4] for window in expected])
        np.testing.assert_array_equal(y, [window[2:] for window in expected])


@pytest.mark.parametrize("count", [1, 2, 5, 7, 14])
def test_fewer_windows_are_spread_evenly(series, count):
    first = series().generate("training", count).inputs[:, 0, 0]
    places = first // 10 * 5 + first % 10
    gaps = np.diff(places)
    assert (gaps >= 15 // count).all() and (gaps <= -(-15 // count)).all()
    assert abs(places[0] - (14 - places[-1])) <= 1


def test_more_windows_than_there_are_places_are_refused(series):
    with pytest.raises(InputError, match=r"'task.training_sequences' must be at most the 15 that there are. Got 16"):
        series().generate("training", 16)
    available = 15 * (STEPS - 128 - 6 + 1)
    assert len(HEART.generate("training", available).inputs) == available
    with pytest.raises(InputError, match=f"at most the {available} that there are"):
        HEART.generate("training", available + 1)


def test_a_further_split_is_refused():
    with pytest.raises(InputError, match=r"'split' must be one of training, validation, diagnostic. Got 'longer'"):
        HEART.generate("longer", 1)


def test_windows_longer_than_a_segment_are_refused(series):
    limit = r"'task.duration \+ task.horizon' must be at most 10, the steps of a segment of 'training'. Got 11"
    assert len(replace(series(), duration=8).generate("training", 3).inputs) == 3
    for changes in ({"duration": 9}, {"horizon": 7}):
        with pytest.raises(InputError, match=limit):
            replace(series(), **changes).generate("training", 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"duration": 0}, r"'task.duration' must be at least 1. Got 0"),
        ({"horizon": 0}, r"'task.horizon' must be at least 1. Got 0"),
        ({"source": "a.npz"}, r"'task.sha256' must be the SHA-256 of 'a.npz', 64 hexadecimal digits. Got ''"),
        ({"source": "http://[::1", "sha256": 64 * "0"}, r"'task.source' must be a URL"),
    ],
)
def test_wrong_settings_are_refused_by_name(changes, message):
    with pytest.raises(InputError, match=message):
        replace(HEART, **changes)


def test_another_file_is_refused_by_its_checksum(series):
    with pytest.raises(InputError, match=f"must be the file with SHA-256 {64 * '0'}"):
        replace(series(), sha256=64 * "0").generate("training", 1)
    with pytest.raises(InputError, match=r"must be a file that can be read\. Got FileNotFoundError"):
        Forecast(4, 1, 0, source="none.npz", sha256=64 * "0").generate("training", 1)


X = np.ones((3, 10))
WRONG = {
    "text": np.full((3, 10), "high"),
    "dates": np.full((3, 10), np.datetime64("2026-11-27")),
    "complex": X * 1j,
    "truth values": X > 0,
    "objects": np.full((3, 10), None),
    "no segments": X[:0],
    "no steps": X[:, :0],
    "one segment alone": X[0],
    "segments of vectors": X[..., None],
    "NaN": X * np.nan,
    "infinite": X * np.inf,
    "beyond float32": X * 1e300,
    "none": None,
}


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("case", WRONG)
def test_arrays_that_are_no_series_are_refused_in_one_line(series, case, split):
    with pytest.raises(InputError, match=r"must be an \.npz file of numbers training, validation, diag") as caught:
        series(**{split: WRONG[case]}).generate("training", 1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"no archive", b"PK, but no archive"])
def test_files_that_are_no_archive_are_refused_in_one_line(tmp_path, content):
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    task = Forecast(4, 1, 0, source=str(path), sha256=hashlib.sha256(content).hexdigest())
    with pytest.raises(InputError, match=r"must be an \.npz file of numbers training") as caught:
        task.generate("training", 1)
    assert "\n" not in str(caught.value)


def test_other_data_of_the_library_are_no_series():
    for source in BUILT_IN.keys() - {"heart"}:
        with pytest.raises(InputError, match=r"must be an \.npz file of numbers training"):
            replace(HEART, source=source).generate("training", 1)


def test_series_too_large_are_refused_by_what_the_file_says_of_them(series, monkeypatch):
    monkeypatch.setattr("learnability.tasks.forecast.LARGEST", 100)
    monkeypatch.setattr("numpy.load", lambda *_: pytest.fail("the series was read"))
    with pytest.raises(InputError, match="must be series of at most"):
        series().generate("training", 1)


def test_whole_numbers_are_taken_as_they_are(series):
    whole = np.arange(30).reshape(3, 10)
    np.testing.assert_array_equal(series(training=whole).generate("training", 1).targets, [[14, 15, 16, 17]])


def test_the_electrocardiogram_is_five_minutes_in_separate_segments(heart):
    assert {split: segments.shape for split, segments in heart.items()} == {n: (c, STEPS) for n, c in SEGMENTS.items()}
    assert sum(SEGMENTS.values()) * STEPS == 5 * 60 * 60
    assert all(segments.dtype == np.float32 for segments in heart.values())
    windows = {row.tobytes() for segments in heart.values() for row in segments.reshape(-1, 20)}
    assert len(windows) == 25 * STEPS // 20
    for split, segments in heart.items():
        task = replace(HEART, duration=STEPS - 1, horizon=1)
        np.testing.assert_array_equal(task.generate(split, SEGMENTS[split]).inputs[..., 0], segments[:, :-1])


def test_segments_follow_one_another_in_turns(heart):
    """A segment starts near the value that its predecessor in time ended at, but not near any other."""
    series = np.empty((25, STEPS), np.float32)
    turns = np.arange(25) % 5
    for split, places in (("training", (0, 1, 3)), ("validation", (4,)), ("diagnostic", (2,))):
        series[np.isin(turns, places)] = heart[split]
    first, *further = (np.abs(series[gap:, 0] - series[:-gap, -1]).mean() for gap in range(1, 6))
    assert 2 * first < min(further)


def test_the_training_part_is_centred_and_scaled(heart):
    values = heart["training"].astype(float)
    assert values.mean() == pytest.approx(0, abs=1e-4)
    assert values.var() == pytest.approx(1, abs=1e-4)
    for segments in heart.values():
        np.testing.assert_array_equal(segments, segments.astype(float).round(4).astype(np.float32))


def test_the_electrocardiogram_has_the_mean_that_scipy_tells(heart):
    """-0.1651 mV in all; the low-pass and the change of rate leave it nearly as it is."""
    mean = np.concatenate(list(heart.values())).astype(float).mean()
    assert mean * 0.6048 - 0.1791 == pytest.approx(-0.16510875, abs=2e-3)


def test_heartbeats_come_about_twice_a_second(heart):
    """Slopes resemble later ones most after about 34 steps of a sixtieth of a second, in all parts."""
    for segments in heart.values():
        slopes = np.abs(np.diff(segments.astype(float)))
        slopes -= slopes.mean(1, keepdims=True)
        products = [(slopes[:, lag:] * slopes[:, : STEPS - 1 - lag]).mean() for lag in range(15, 90)]
        assert 30 <= 15 + np.argmax(products) <= 40
