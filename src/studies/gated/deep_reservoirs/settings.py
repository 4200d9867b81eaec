"""Settings of Sec. 16: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.settings import Settings, check_reservoir, check_scales


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    coupled = [f"varied.{name}" for name in ("layer_scale", "input_scale") if name in own["varied"]]
    check_scales(key, own, "layer_scale", "input_scale", *coupled, largest=10)
    reservoir, allowed = own["reservoir"], ("layer_scale", "input_scale", "units")
    check_reservoir(f"{key}.reservoir", reservoir, config, own["units"], "units", "input_scale", "leak")
    numbers = [name for name in reservoir if isinstance(reservoir[name], int | float)]
    for name, values in own["varied"].items():
        requirement = f"one of {', '.join([*allowed, *numbers])}"
        require(name in (*allowed, *numbers), f"{key}.varied", requirement, name)
        whole = name != "units" or all(isinstance(value, int) for value in values)
        require(whole, f"{key}.varied.{name}", "whole numbers", values)
        share = name != "density" or max(values) <= 1
        require(share, f"{key}.varied.{name}", "at most 1", values)
        if name in ("units", "density"):
            for value in values:
                varied = {"units": own["units"], "density": reservoir.get("density", 1), name: value}
                check_reservoir(f"{key}.varied", {"density": varied["density"]}, config, varied["units"])
    most = (own["steps"] - 4) // 2
    require(own["lags"] <= most, f"{key}.lags", f"at most half of steps - 4 ({most})", own["lags"])
