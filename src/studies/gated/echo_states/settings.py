"""Settings of Sec. 11 to 13."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values, check_reservoir, check_scales
from studies.settings.reservoirs import SizedReservoirDraw
from studies.settings.sections import Count, Distinct, Positive, Section, Whole


class Inputs(Section):
    """Standard deviation of white noise by which reservoirs are driven, by its name."""

    none: Annotated[float, Field(ge=0, le=0)]
    """Strength 0: no input."""
    weak: Positive
    """Input scale of states that stay near 0."""
    strong: Positive
    """Input scale of states that are driven to their bounds."""


class Counterexamples(Section):
    """Counterexamples to the rule of thumb that the spectral radius decides."""

    weights: list[list[float]]
    """W of a reservoir without input, of spectral radius below 1 and two attractors."""
    steps: Annotated[int, Field(ge=2)]
    """Steps that are shown."""


class Settings(Section):
    """Section 13, how long a reservoir remembers where it started."""

    reservoir: SizedReservoirDraw
    """Arguments of draw_reservoir, but for the spectral radius."""
    radii: Annotated[Distinct[Positive], Field(min_length=2)]
    """Spectral radii ρ of the recurrent weights, at least one up to 1 and one above."""
    inputs: Inputs
    """Standard deviation of white noise by which reservoirs are driven, by its name."""
    sequences: Count
    """Sequences over which products of Jacobians are averaged."""
    lags: Annotated[int, Field(ge=10)]
    """Longest k of ∂h_t/∂h_{t-k}."""
    washout: Whole
    """Steps before products and exponents are measured."""
    steps: Count
    """Steps of a series, over which exponents are averaged and states may meet."""
    starts: Count
    """States, beside 0, from which the same inputs are followed."""
    tolerance: Positive
    """Largest distance of last states that counts as one state."""
    counterexamples: Counterexamples
    """Counterexamples to the rule of thumb that the spectral radius decides."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_reservoir(
        f"{key}.reservoir", settings["reservoir"], config, settings["reservoir"]["units"], "spectral_radius"
    )
    check_scales(key, settings, "radii", "inputs.weak", "inputs.strong")
    radii, series = settings["radii"], settings["steps"]
    requirement = "at least one up to 1 and one above"
    require(min(radii) <= 1 < max(radii), f"{key}.radii", requirement, radii)
    requirement = f"with lags at most the steps of a series ({series})"
    require(settings["washout"] + settings["lags"] <= series, f"{key}.washout", requirement, settings["washout"])
    require(
        settings["washout"] < series, f"{key}.washout", f"below the steps of a series ({series})", settings["washout"]
    )
    weights = settings["counterexamples"]["weights"]
    square = len(weights) >= 1 and all(len(row) == len(weights) for row in weights)
    require(square, f"{key}.counterexamples.weights", "a square matrix", weights)
    require(settings["tolerance"] < 1, f"{key}.tolerance", "below 1", settings["tolerance"])
