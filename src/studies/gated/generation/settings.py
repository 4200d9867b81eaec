"""Settings of Sec. 17."""

from learnability.core.errors import require
from studies.gated.checks import Values, check_reservoir, duration_of
from studies.gated.generation.question import QUESTION
from studies.settings.reservoirs import SizedReservoirDraw
from studies.settings.sections import Count, Filled, NotNegative, Positive, Section, Whole


class Lyapunov(Section):
    """Arguments of lyapunov_exponent."""

    steps: Count
    """Steps over which the exponent of a series is averaged."""
    count: Count
    """Pairs of starts."""


class Reservoir(Section):
    """A reservoir beside the trained networks."""

    drawn: SizedReservoirDraw
    """Arguments of draw_reservoir."""
    penalties: Filled[NotNegative]
    """Values of λ to choose from."""
    washout: Whole
    """Steps of each sequence that its readout is not fitted to."""


class Settings(Section):
    """Section 17, series that networks continue on their own outputs."""

    warm_up: Count
    """Steps of the true series that a network is given first."""
    lyapunov_times: Positive
    """Lyapunov times of a series for which it is continued."""
    sequences: Count
    """Sequences of the test split."""
    lost: Positive
    """A network has lost the series once its error exceeds this share of the standard deviation of the series."""
    lyapunov: Lyapunov
    """Arguments of lyapunov_exponent."""
    reservoir: Reservoir
    """A reservoir beside the trained networks."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    reservoir = settings["reservoir"]
    check_reservoir(f"{key}.reservoir.drawn", reservoir["drawn"], config, reservoir["drawn"]["units"])
    for experiment in QUESTION.experiments:
        duration = duration_of(config, experiment)
        requirement = f"below the duration of '{experiment}' ({duration})"
        require(reservoir["washout"] < duration, f"{key}.reservoir.washout", requirement, reservoir["washout"])
