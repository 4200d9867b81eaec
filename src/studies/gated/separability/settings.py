"""Settings of Sec. 15."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values, check_reservoir
from studies.settings.reservoirs import ReservoirDraw
from studies.settings.sections import INCREASING, Between, Count, Distinct, Section


class Settings(Section):
    """Section 15, Cover's theorem: dichotomies of points that a linear readout of reservoir states separates."""

    points: Annotated[int, Field(ge=2)]
    """D, sequences of random inputs, each a point by its last state."""
    dichotomies: Count
    """Random ones, of which the separable share is taken."""
    steps: Count
    """Steps of a sequence."""
    input_size: Count
    """Numbers in an input, uniform between -1 and 1."""
    units: Annotated[Distinct[Count], INCREASING, Field(min_length=2)]
    """Units of reservoirs, increasing."""
    reservoir: ReservoirDraw
    """Arguments of draw_reservoir, but for the units; dense."""
    tolerance: Between
    """Singular values of the points below this share of the largest count as 0."""
    coarse: Between
    """Larger tolerance, by which small directions of the states are left out."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_reservoir(f"{key}.reservoir", settings["reservoir"], config, settings["units"][0], "units", "density")
    requirement = f"above the tolerance ({settings['tolerance']})"
    require(settings["coarse"] > settings["tolerance"], f"{key}.coarse", requirement, settings["coarse"])
