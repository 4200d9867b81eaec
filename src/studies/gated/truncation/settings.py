"""Settings of Sec. 8."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values, duration_of
from studies.gated.truncation.question import QUESTION
from studies.settings.sections import Count, Section


class Settings(Section):
    """Sec. 8: what is learned across the cuts of truncated gradients, and what an update costs."""

    sequences: Annotated[int, Field(ge=3)]
    """Sequences on which learned shares are measured."""
    batch_size: Count
    """Sequences of the gradient whose cost is measured."""
    rounds: Count
    """Rounds in each of which the cost of every window is measured once; medians over rounds count."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    names = QUESTION.experiments
    durations = {name: duration_of(config, name) for name in names}
    requirement = "of one duration in all experiments of the exhibit 'truncation'"
    require(len(set(durations.values())) == 1, "gated.experiments", requirement, durations)
    training = {name: {**config["training"], **config["gated"]["experiments"][name]["training"]} for name in names}
    windows = {name: training[name]["truncation"] or durations[name] for name in names}
    requirement = "windows of which one is the whole sequence, and each another"
    fits = len(set(windows.values())) == len(windows) and max(windows.values()) == max(durations.values())
    require(fits, "gated.experiments: training.truncation", requirement, windows)
