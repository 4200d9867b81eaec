from dataclasses import replace

import pytest

from learnability.core.errors import InputError
from learnability.stats.stable import ESTIMATORS
from learnability.windows.readings import NoiseOptions, Reading, whole_readings
from paper_scale import CONFIG


@pytest.mark.parametrize("name", CONFIG["readings"])
def test_named_readings_hold(name):
    Reading.of(CONFIG["readings"][name], CONFIG["window"])


@pytest.mark.parametrize(
    ("part", "key", "value", "message"),
    [
        ("statistic", "orientation", "per_unit", "'orientation' must be global with noise total. Got 'per_unit'"),
        ("noise", "tail_index", "per_lag", "'tail_index' must be shared with noise total"),
        (
            "statistic",
            "sampling",
            "first",
            "'sampling' must be one of pooled, last, sequence_mean. Got 'first'",
        ),
        ("detection", "family_wise", 0.6, "'family_wise' must be in"),
    ],
)
def test_options_that_exclude_one_another_are_refused_by_name(part, key, value, message):
    reading = CONFIG["readings"]["gradient_step"]
    with pytest.raises(InputError, match=message):
        Reading.of(reading | {part: reading[part] | {key: value}}, CONFIG["window"])


def test_defaults_are_the_reading_of_one_gradient_step():
    window = {key: tuple(value) if isinstance(value, list) else value for key, value in CONFIG["window"].items()}
    assert Reading() == Reading.of(CONFIG["readings"]["gradient_step"], window)
    assert whole_readings({"plain": {}})["plain"] == CONFIG["readings"]["gradient_step"]


def test_a_reading_like_another_differs_in_what_it_says_alone():
    like = {"like": "gradient_step", "detection": {"detector": "median"}}
    whole = whole_readings(
        CONFIG["readings"] | {"own": like, "further": {"like": "own", "noise": {"numerical_floor": 1}}}
    )
    base = CONFIG["readings"]["gradient_step"]
    assert whole["own"] == base | {"detection": base["detection"] | {"detector": "median"}}
    assert whole["further"] == whole["own"] | {"noise": base["noise"] | {"numerical_floor": 1}}
    assert {name: whole[name] for name in CONFIG["readings"]} == CONFIG["readings"]


def test_a_reading_may_have_a_threshold_of_its_own():
    readings = whole_readings(CONFIG["readings"])
    by_name = {name: Reading.of(parts, CONFIG["window"]) for name, parts in readings.items()}
    thresholds = {name: reading.detection.snr_threshold for name, reading in by_name.items()}
    assert thresholds == dict.fromkeys(readings, 0.1) | {"published_code_later": 20}
    first, later = by_name["published_code"], by_name["published_code_later"]
    changes = {"sampling": "sequence_mean", "sign_batch": 0}, {"snr_threshold": 20}
    assert later.statistic == replace(first.statistic, **changes[0])
    assert later.noise == first.noise
    assert later.detection == replace(first.detection, **changes[1])


@pytest.mark.parametrize(
    ("readings", "message"),
    [
        ({"a": {"like": "b"}}, "'readings.a.like' must be one of a. Got 'b'"),
        (
            {"a": {"like": "b"}, "b": {"like": "a"}},
            "'readings.a.like' must be another reading, not one that is like it",
        ),
    ],
)
def test_a_reading_like_none_or_like_itself_is_refused(readings, message):
    with pytest.raises(InputError, match=message):
        whole_readings(readings)


def test_every_estimator_can_be_chosen():
    assert NoiseOptions.CHOICES["estimator"] == tuple(ESTIMATORS)
