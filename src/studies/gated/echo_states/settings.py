"""Settings of Sec. 11 to 13: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.settings import Settings, check_reservoir, check_scales


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_reservoir(f"{key}.reservoir", own["reservoir"], config, own["reservoir"]["units"], "spectral_radius")
    check_scales(key, own, "radii", "inputs.weak", "inputs.strong")
    radii, series = own["radii"], own["steps"]
    requirement = "at least one up to 1 and one above"
    require(min(radii) <= 1 < max(radii), f"{key}.radii", requirement, radii)
    requirement = f"with lags at most the steps of a series ({series})"
    require(own["washout"] + own["lags"] <= series, f"{key}.washout", requirement, own["washout"])
    require(own["washout"] < series, f"{key}.washout", f"below the steps of a series ({series})", own["washout"])
    weights = own["counterexamples"]["weights"]
    square = len(weights) >= 1 and all(len(row) == len(weights) for row in weights)
    require(square, f"{key}.counterexamples.weights", "a square matrix", weights)
    require(own["tolerance"] < 1, f"{key}.tolerance", "below 1", own["tolerance"])
