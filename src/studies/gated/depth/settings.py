"""Settings of Sec. 6: what they must be, beside the schema."""

from studies.gated.settings import Settings, check_lags


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_lags(f"{key}.lags", own["lags"], config, "depth")
