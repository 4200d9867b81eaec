"""Settings of Sec. 12: what they must be, beside the schema."""

from studies.gated.settings import Settings, check_increasing


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for leak rates that do not increase."""
    check_increasing(f"{key}.leaks", own["leaks"])
