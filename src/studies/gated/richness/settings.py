"""Settings of Sec. 11 and 12."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Given, check_increasing, check_reservoir, check_scales
from studies.settings.reservoirs import Sized
from studies.settings.sections import Between, Count, Distinct, Positive, Section, Whole


class Settings(Section):
    """Sections 11 and 12, how many dimensions the states of a reservoir have, and what is nonlinear in them."""

    reservoir: Sized
    """Arguments of draw_reservoir, but for the spectral radius and the scale of inputs."""
    radii: Annotated[Distinct[Positive], Field(min_length=2)]
    """Spectral radii ρ of the recurrent weights, increasing, at least one below 1."""
    input_scales: Annotated[Distinct[Positive], Field(min_length=2)]
    """Factors of the input weights, the weak one first."""
    steps: Annotated[int, Field(ge=10)]
    """Steps of a series, behind the washout."""
    washout: Whole
    """Steps before that."""
    lags: Count
    """Last inputs of which states may be a linear function."""
    share: Between
    """Share of the variance that as few components as possible hold."""


def check(key: str, own: Given, config: Given) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    units = own["reservoir"]["units"]
    check_reservoir(f"{key}.reservoir", own["reservoir"], config, units, "spectral_radius", "input_scale")
    check_scales(key, own, "radii", "input_scales")
    requirement = "at least one below 1, where a linear filter is stable"
    require(min(own["radii"]) < 1, f"{key}.radii", requirement, own["radii"])
    check_increasing(f"{key}.radii", own["radii"])
    check_increasing(f"{key}.input_scales", own["input_scales"])
    steps, washout, lags = own["steps"], own["washout"], own["lags"]
    counted = steps - max(0, lags - washout)
    require(counted >= 4, f"{key}.steps", f"at least 4 more than the lags behind the washout ({lags - washout})", steps)
