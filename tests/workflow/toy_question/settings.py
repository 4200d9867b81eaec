"""Settings of Sec. 12."""

from pydantic import Field

from studies.gated.checks import Values, check_increasing
from studies.settings.sections import Filled, Section, Share


class Settings(Section):
    """Sec. 12: half-lives of leaky units."""

    leaks: Filled[Share] = Field(default=[0.1, 0.3, 0.5])
    """Leak rates, increasing."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for leak rates that do not increase."""
    check_increasing(f"{key}.leaks", settings["leaks"])
