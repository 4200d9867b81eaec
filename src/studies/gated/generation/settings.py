"""Settings of Sec. 17: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.generation.question import QUESTION
from studies.gated.settings import Settings, check_reservoir, duration_of


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    reservoir = own["reservoir"]
    check_reservoir(f"{key}.reservoir.drawn", reservoir["drawn"], config, reservoir["drawn"]["units"])
    for experiment in QUESTION.experiments:
        duration = duration_of(config, experiment)
        requirement = f"below the duration of '{experiment}' ({duration})"
        require(reservoir["washout"] < duration, f"{key}.reservoir.washout", requirement, reservoir["washout"])
