"""Settings of Sec. 1."""

import math
from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values
from studies.settings.sections import INCREASING, Count, Distinct, NotNegative, Positive, Section, SomeDistinct


class Settings(Section):
    """Sec. 1: the identity recurrence on one symbol that matters and steps that do not, before training."""

    hidden_size: Annotated[int, Field(ge=2)]
    """H."""
    symbols: Annotated[int, Field(ge=2)]
    """Number of symbols, one of which comes first."""
    distractors: Count
    """Further inputs, of which one comes at each step after it."""
    steps: Annotated[Distinct[Count], INCREASING, Field(min_length=2)]
    """Irrelevant steps, increasing; the last an even number."""
    sequences: Annotated[int, Field(ge=20)]
    """Training sequences of a readout, and as many test sequences."""
    penalty: NotNegative
    """λ of the ridge regression."""
    scales: Annotated[SomeDistinct[Positive], INCREASING]
    """Scales by which the orthogonal U of RNNs is multiplied, increasing."""
    lags: Annotated[SomeDistinct[Count], INCREASING]
    """ℓ of ‖∂h_T/∂h_{T-ℓ}‖, steps, increasing."""
    gradient_sequences: Count
    """Sequences over which norms are averaged."""


EXPONENTS = 300
"""Largest power of 10 of a product of Jacobians."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    require(settings["steps"][-1] % 2 == 0, f"{key}.steps", "such that the last is even", settings["steps"][-1])
    largest = max(settings["lags"][-1] * abs(math.log10(scale)) for scale in settings["scales"])
    requirement = f"such that no scale to the power of the longest lag passes 10^±{EXPONENTS}"
    require(largest < EXPONENTS, f"{key}.scales", requirement, settings["scales"])
