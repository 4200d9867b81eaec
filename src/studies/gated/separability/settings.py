"""Settings of Sec. 15: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.settings import Settings, check_increasing, check_reservoir


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_increasing(f"{key}.units", own["units"])
    check_reservoir(f"{key}.reservoir", own["reservoir"], config, own["units"][0], "units", "density")
    requirement = f"above the tolerance ({own['tolerance']})"
    require(own["coarse"] > own["tolerance"], f"{key}.coarse", requirement, own["coarse"])
