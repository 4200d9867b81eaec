"""Settings of Sec. 16."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values, check_reservoir, check_scales
from studies.settings.reservoirs import ReservoirDraw
from studies.settings.sections import Count, Filled, Positive, Section, Share


class Settings(Section):
    """Section 16, time scales of the layers of a deep reservoir."""

    units: Count
    """Units of each layer; of the shallow reservoir as many as all layers have."""
    graded_leaks: Annotated[list[Share], Field(min_length=2)]
    """Leak rates of the layers, the first of which all layers have where they are the same."""
    reservoir: ReservoirDraw
    """Further arguments of draw_reservoir."""
    input_scale: Positive
    """Factor of the input weights of the first layer."""
    layer_scale: Positive
    """Factor of the input weights of further layers."""
    varied: dict[str, Filled[Positive]]
    """Values of settings, one setting at a time, at which equal layers are measured too: `layer_scale`, whose least and
    largest ratios are stated, and others of the exhibit or of its `reservoir`."""
    lags: Count
    """Longest lag, and steps behind a changed input."""
    steps: Annotated[int, Field(ge=10)]
    """Steps of the series that is recalled, half of it to fit and half to judge."""
    sequences: Count
    """Sequences in which an input is changed."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    require("layer_scale" in settings["varied"], f"{key}.varied.layer_scale", "given", None)
    scales = [f"varied.{name}" for name in ("layer_scale", "input_scale") if name in settings["varied"]]
    check_scales(key, settings, "layer_scale", "input_scale", *scales, largest=10)
    reservoir, options = settings["reservoir"], ("layer_scale", "input_scale", "units")
    check_reservoir(f"{key}.reservoir", reservoir, config, settings["units"], "units", "input_scale", "leak")
    numbers = [name for name in reservoir if isinstance(reservoir[name], int | float)]
    for name, values in settings["varied"].items():
        requirement = f"one of {', '.join([*options, *numbers])}"
        require(name in (*options, *numbers), f"{key}.varied", requirement, name)
        whole = name != "units" or all(isinstance(value, int) for value in values)
        require(whole, f"{key}.varied.{name}", "whole numbers", values)
        share = name != "density" or max(values) <= 1
        require(share, f"{key}.varied.{name}", "at most 1", values)
        if name in ("units", "density"):
            for value in values:
                sizes = {"units": settings["units"], "density": reservoir.get("density", 1), name: value}
                check_reservoir(f"{key}.varied", {"density": sizes["density"]}, config, sizes["units"])
    most = (settings["steps"] - 4) // 2
    require(settings["lags"] <= most, f"{key}.lags", f"at most half of steps - 4 ({most})", settings["lags"])
