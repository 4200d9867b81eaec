"""Settings of Sec. 18: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.settings import Settings, duration_of
from studies.gated.summary.question import QUESTION


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    (experiment,) = QUESTION.experiments
    reservoirs = config["gated"]["reservoirs"]
    fitted = list(reservoirs["networks"]) if reservoirs["experiment"] == experiment else []
    shown = [*config["gated"]["experiments"][experiment]["networks"], *fitted]
    named = [name for names in own["families"].values() for name in names]
    fits = sorted(named) == sorted(set(named)) and set(shown) <= set(named)
    requirement = f"families of which one holds each network of '{experiment}': {', '.join(shown)}"
    require(fits, f"{key}.families", requirement, named)
    unknown = [name for name in named if name not in config["figures"]["labels"]]
    require(not unknown, f"{key}.families", "of networks and reservoirs with a label", unknown)
    duration = duration_of(config, experiment)
    requirement = f"below the duration of '{experiment}' ({duration})"
    require(own["longest_lag"] < duration, f"{key}.longest_lag", requirement, own["longest_lag"])
