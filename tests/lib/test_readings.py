from pathlib import Path

import pytest
import yaml

from learnability.errors import InputError
from learnability.readings import NoiseOptions, check_reading
from learnability.stable import ESTIMATORS

CONFIG = yaml.safe_load((Path(__file__).parents[2] / "config" / "config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CONFIG["readings"])
def test_named_readings_hold(name):
    check_reading(CONFIG["readings"][name], CONFIG["window"])


@pytest.mark.parametrize(
    ("part", "key", "value", "message"),
    [
        ("statistic", "orientation", "per_unit", "'orientation' must be global with noise total. Got 'per_unit'"),
        ("noise", "tail_index", "per_lag", "'tail_index' must be shared with noise total"),
        (
            "statistic",
            "sampling",
            "first",
            "'sampling: first' is not available yet; use pooled or last or sequence_mean",
        ),
        ("detection", "family_wise", 0.6, "'family_wise' must be in"),
    ],
)
def test_options_that_exclude_one_another_are_refused_by_name(part, key, value, message):
    reading = CONFIG["readings"]["recommended"]
    with pytest.raises(InputError, match=message):
        check_reading(reading | {part: reading[part] | {key: value}}, CONFIG["window"])


def test_every_estimator_can_be_chosen():
    assert NoiseOptions.BUILT["estimator"] == tuple(ESTIMATORS)
