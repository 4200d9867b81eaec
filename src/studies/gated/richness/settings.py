"""Settings of Sec. 11 and 12."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values, check_reservoir, check_scales
from studies.settings.reservoirs import SizedReservoirDraw
from studies.settings.sections import INCREASING, Between, Count, Distinct, Positive, Section, Whole


class Settings(Section):
    """Sections 11 and 12, how many dimensions the states of a reservoir have, and what is nonlinear in them."""

    reservoir: SizedReservoirDraw
    """Arguments of draw_reservoir, but for the spectral radius and the scale of inputs."""
    radii: Annotated[Distinct[Positive], INCREASING, Field(min_length=2)]
    """Spectral radii ρ of the recurrent weights, increasing, at least one below 1."""
    input_scales: Annotated[Distinct[Positive], INCREASING, Field(min_length=2)]
    """Factors of the input weights, the weak one first."""
    steps: Annotated[int, Field(ge=10)]
    """Steps of a series, behind the washout."""
    washout: Whole
    """Steps before that."""
    lags: Count
    """Last inputs of which states may be a linear function."""
    share: Between
    """Share of the variance that as few components as possible hold."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    units = settings["reservoir"]["units"]
    check_reservoir(f"{key}.reservoir", settings["reservoir"], config, units, "spectral_radius", "input_scale")
    check_scales(key, settings, "radii", "input_scales")
    requirement = "at least one below 1, where a linear filter is stable"
    require(min(settings["radii"]) < 1, f"{key}.radii", requirement, settings["radii"])
    steps, washout, lags = settings["steps"], settings["washout"], settings["lags"]
    usable = steps - max(0, lags - washout)
    require(usable >= 4, f"{key}.steps", f"at least 4 more than the lags behind the washout ({lags - washout})", steps)
