"""Settings of Sec. 2: what they must be, beside the schema."""

from studies.gated.settings import Settings, check_increasing


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_increasing(f"{key}.inputs", own["inputs"])
