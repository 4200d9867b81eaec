"""Settings of Sec. 7.2."""

from typing import Annotated

from pydantic import Field

from studies.gated.checks import Values, check_lags
from studies.settings.sections import INCREASING, Between, Count, Distinct, Section


class Settings(Section):
    """Sec. 7.2: what penalties on hidden units and on their changes do to saturation, gradients and loss."""

    sequences: Count
    """Sequences on which activations and gradients are measured."""
    test_sequences: Annotated[int, Field(ge=3)]
    """Sequences on which learned shares are measured."""
    saturated: Between
    """|tanh| from which on a unit counts as saturated."""
    lags: Annotated[Distinct[Count], INCREASING, Field(min_length=2)]
    """ℓ, steps, increasing, over which gradients are measured."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_lags(f"{key}.lags", settings["lags"], config, "activity_sum", "activity_denoise")
