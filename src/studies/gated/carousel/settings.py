"""Settings of Sec. 4."""

from typing import Annotated

from pydantic import Field

from studies.gated.checks import Values, check_lags
from studies.settings.sections import INCREASING, Count, Distinct, Section, SomeDistinct


class Settings(Section):
    """Sec. 4.2: what passes through the memory of the LSTM that `refinements` shows, by its forget gates alone and by
    all paths."""

    biases: Annotated[Distinct[Annotated[float, Field(ge=-30, le=30)]], INCREASING, Field(min_length=1, max_length=4)]
    """b_f of the LSTM before training, increasing; f = σ(b_f)."""
    input_bias: Annotated[float, Field(ge=-30, le=30)]
    """b_i of the LSTM before training; its input gate is i = σ(b_i)."""
    lags: Annotated[SomeDistinct[Count], INCREASING]
    """ℓ of ∂c_T/∂c_{T-ℓ}, steps, increasing, below the length of a sequence."""
    sequences: Count
    """Sequences over which norms are averaged."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_lags(f"{key}.lags", settings["lags"], config, "selective")
