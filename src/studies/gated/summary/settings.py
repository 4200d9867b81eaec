"""Settings of Sec. 18."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values, duration_of
from studies.gated.summary.question import QUESTION
from studies.settings.sections import Count, Filled, Section


class Settings(Section):
    """Section 18: every cell by one method."""

    families: Annotated[dict[str, Filled[str]], Field(min_length=1)]
    """Family → its architectures and reservoirs, in the order of the figure."""
    longest_lag: Count
    """Longest lag up to which inputs are recalled, steps."""
    sequences: Annotated[int, Field(ge=10)]
    """Sequences on which memory capacity is measured."""
    batch_size: Count
    """Sequences of a gradient whose cost is taken."""
    repeats: Count
    """Repeats of each gradient; the fastest counts."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    (experiment,) = QUESTION.experiments
    reservoirs = config["gated"]["reservoirs"]
    reservoir_names = list(reservoirs["networks"]) if reservoirs["experiment"] == experiment else []
    networks = [*config["gated"]["experiments"][experiment]["networks"], *reservoir_names]
    members = [name for names in settings["families"].values() for name in names]
    fits = sorted(members) == sorted(set(members)) and set(networks) <= set(members)
    requirement = f"families of which one holds each network of '{experiment}': {', '.join(networks)}"
    require(fits, f"{key}.families", requirement, members)
    unknown = [name for name in members if name not in config["figures"]["labels"]]
    require(not unknown, f"{key}.families", "of networks and reservoirs with a label", unknown)
    duration = duration_of(config, experiment)
    requirement = f"below the duration of '{experiment}' ({duration})"
    require(settings["longest_lag"] < duration, f"{key}.longest_lag", requirement, settings["longest_lag"])
