"""Settings of Sec. 7.2: what they must be, beside the schema."""

from studies.gated.settings import Settings, check_lags


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_lags(f"{key}.lags", own["lags"], config, "activity_sum", "activity_denoise")
