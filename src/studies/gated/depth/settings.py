"""Settings of Sec. 6."""

from typing import Annotated

from pydantic import Field

from studies.gated.checks import Values, check_lags
from studies.settings.sections import INCREASING, Count, Distinct, Section


class Settings(Section):
    """Sec. 6: time scales of the layers of stacked LSTMs, before and after training."""

    sequences: Annotated[int, Field(ge=3)]
    """Sequences on which time scales and gradients are measured."""
    test_sequences: Annotated[int, Field(ge=3)]
    """Sequences on which learned shares are measured."""
    lags: Annotated[Distinct[Count], INCREASING, Field(min_length=3)]
    """ℓ, steps, increasing, of correlations and gradients."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_lags(f"{key}.lags", settings["lags"], config, "depth")
