"""Settings of Sec. 1: what they must be, beside the schema."""

import math

from learnability.core.errors import require
from studies.gated.settings import Settings, check_increasing

EXPONENTS = 300
"""Largest power of 10 of a product of Jacobians."""


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    for name in ("steps", "scales", "lags"):
        check_increasing(f"{key}.{name}", own[name])
    require(own["steps"][-1] % 2 == 0, f"{key}.steps", "such that the last is even", own["steps"][-1])
    largest = max(own["lags"][-1] * abs(math.log10(scale)) for scale in own["scales"])
    requirement = f"such that no scale to the power of the longest lag passes 10^±{EXPONENTS}"
    require(largest < EXPONENTS, f"{key}.scales", requirement, own["scales"])
