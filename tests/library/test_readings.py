from pathlib import Path

import pytest
import yaml

from learnability.core.errors import InputError
from learnability.stats.stable import ESTIMATORS
from learnability.windows.readings import NoiseOptions, Reading

CONFIG = yaml.safe_load((Path(__file__).parents[2] / "config" / "config.yaml").read_text(encoding="utf-8"))


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
    reading = CONFIG["readings"]["recommended"]
    with pytest.raises(InputError, match=message):
        Reading.of(reading | {part: reading[part] | {key: value}}, CONFIG["window"])


def test_every_estimator_can_be_chosen():
    assert NoiseOptions.CHOICES["estimator"] == tuple(ESTIMATORS)
