"""Checks of the configuration, which the workflow finds by the name of the study."""

from collections.abc import Mapping
from typing import Any

from learnability.core.errors import require


def check(config: Mapping[str, Any]) -> None:
    """Raise `InputError` unless gradients are measured at the lag that the task has."""
    lags, delay = config["measurement"]["lags"], config["task"]["delay"]
    require(delay in lags, "measurement.lags", f"given with task.delay ({delay}) in it", lags)
