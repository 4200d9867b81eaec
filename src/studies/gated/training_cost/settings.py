"""Settings of Sec. 14: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.settings import Settings, check_increasing, check_reservoir


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_increasing(f"{key}.units", own["units"])
    check_reservoir(f"{key}.reservoir", own["reservoir"], config, own["units"][0], "units")
    requirement = f"at most the sequences ({own['sequences']})"
    require(own["batch_size"] <= own["sequences"], f"{key}.batch_size", requirement, own["batch_size"])
