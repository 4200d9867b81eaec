"""Settings of Sec. 12."""

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values
from studies.settings.sections import Filled, Section, Share


class Settings(Section):
    """Sec. 12: half-lives of leaky units."""

    leaks: Filled[Share] = Field(default=[0.1, 0.3, 0.5])
    """Leak rates, increasing."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for leak rates that do not increase."""
    leaks = settings["leaks"]
    require(leaks == sorted(leaks), f"{key}.leaks", "increasing", leaks)
