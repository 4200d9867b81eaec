"""Settings of Sec. 14 and 15."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values, check_reservoir, check_scales
from studies.settings.reservoirs import SizedReservoirDraw
from studies.settings.sections import INCREASING, Count, Filled, NotNegative, Positive, Section, Whole


class Capacity(Section):
    """Memory capacity, of inputs uniform between -1 and 1."""

    input_scales: Annotated[list[Positive], INCREASING, Field(min_length=2)]
    """Factors of the input weights, the weak one first."""
    lags: Count
    """Longest lag ℓ that is recalled, and the washout."""
    steps: Annotated[int, Field(ge=10)]
    """Steps of the series, half of it to fit and half to judge."""


class Narma(Section):
    """NARMA-10 by a readout of the reservoir, and of as many last inputs."""

    input_scale: Positive
    """Factor of the input weights."""
    steps: Annotated[int, Field(ge=10)]
    """Steps of the series to fit, to choose λ, and to judge."""
    washout: Whole
    """Steps of each that do not count."""
    penalties: Filled[NotNegative]
    """Values of λ to choose from."""


class Products(Section):
    """The product of the last two inputs, uniform between -1 and 1."""

    radius: Positive
    """Spectral radius."""
    bias_scale: Positive
    """Factor of the bias of the reservoir that has one."""
    steps: Annotated[int, Field(ge=10)]
    """Steps of the series to fit, and to judge."""
    washout: Whole
    """Steps of each that do not count."""


class Inverted(Section):
    """The readout as it is printed, with an inverse, beside the same solved, on NARMA-10."""

    radii: Filled[Positive]
    """Spectral radii."""
    penalties: Annotated[list[Positive], Field(min_length=2)]
    """Values of λ."""


class Washouts(Section):
    """Steps at the start of NARMA-10 that are left out."""

    radius: Positive
    """Spectral radius."""
    penalty: NotNegative
    """λ of the readout."""
    steps: Annotated[list[Whole], INCREASING, Field(min_length=2)]
    """Washouts, the shortest first."""


class Suffixes(Section):
    """States behind sequences of ±1."""

    radii: Annotated[list[Positive], INCREASING, Field(min_length=1, max_length=4)]
    """Spectral radii, at most four, in order."""
    input_scale: Positive
    """Factor of the input weights."""
    sequences: Annotated[int, Field(ge=3)]
    """Number of sequences."""
    steps: Annotated[int, Field(ge=2)]
    """Steps of a sequence, longer than the longest common suffix."""
    longest: Count
    """Common suffix."""


class Settings(Section):
    """Sections 14 and 15, what a reservoir remembers, and what a readout of it solves."""

    reservoir: SizedReservoirDraw
    """Arguments of draw_reservoir, but for the spectral radius and the scale of inputs."""
    radii: Annotated[Filled[Positive], INCREASING]
    """Spectral radii ρ of the recurrent weights, in order."""
    capacity: Capacity
    """Memory capacity, of inputs uniform between -1 and 1."""
    narma: Narma
    """NARMA-10 by a readout of the reservoir, and of as many last inputs."""
    products: Products
    """The product of the last two inputs, uniform between -1 and 1."""
    inverted: Inverted
    """The readout as it is printed, with an inverse, beside the same solved, on NARMA-10."""
    washouts: Washouts
    """Steps at the start of NARMA-10 that are left out."""
    suffixes: Suffixes
    """States behind sequences of ±1."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    units = settings["reservoir"]["units"]
    check_reservoir(f"{key}.reservoir", settings["reservoir"], config, units, "spectral_radius", "input_scale")
    check_scales(
        key, settings, "radii", "capacity.input_scales", "narma.input_scale", "products.radius", "products.bias_scale"
    )
    check_scales(key, settings, "inverted.radii", "washouts.radius", "suffixes.radii", "suffixes.input_scale")
    capacity, narma, products, suffixes = (settings[name] for name in ("capacity", "narma", "products", "suffixes"))
    most = capacity["steps"] - 4
    require(capacity["lags"] <= most, f"{key}.capacity.lags", f"at most steps - 4 ({most})", capacity["lags"])
    for name, part in {"narma": narma, "products": products}.items():
        requirement = f"below the steps of a series ({part['steps']})"
        require(part["washout"] < part["steps"], f"{key}.{name}.washout", requirement, part["washout"])
    washouts = settings["washouts"]["steps"]
    requirement = f"below narma.steps ({narma['steps']})"
    require(washouts[-1] < narma["steps"], f"{key}.washouts.steps", requirement, washouts)
    requirement = f"below the steps of a sequence ({suffixes['steps']})"
    require(suffixes["longest"] < suffixes["steps"], f"{key}.suffixes.longest", requirement, suffixes["longest"])
