"""Settings of Sec. 11 and 12: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.settings import Settings, check_increasing, check_reservoir, check_scales


def check(key: str, own: Settings, config: Settings) -> None:
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
