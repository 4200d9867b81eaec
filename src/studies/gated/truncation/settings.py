"""Settings of Sec. 8: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.settings import Settings, duration_of
from studies.gated.truncation.question import QUESTION


def check(key: str, own: Settings, config: Settings) -> None:
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
