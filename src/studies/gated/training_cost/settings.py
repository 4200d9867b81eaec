"""Settings of Sec. 14."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values, check_reservoir
from studies.settings.reservoirs import ReservoirDraw
from studies.settings.sections import INCREASING, Count, Distinct, Filled, NotNegative, Positive, Section


class Settings(Section):
    """Section 14, what a reservoir's readout costs, and a network trained by BPTT to the same error on NARMA-10."""

    units: Annotated[Distinct[Count], INCREASING, Field(min_length=2)]
    """Units of a reservoir and of each network, increasing."""
    sequences: Annotated[int, Field(ge=2)]
    """Sequences for training, and as many for validation."""
    steps: Annotated[int, Field(ge=10)]
    """Steps of a sequence."""
    epochs: Count
    """Passes over the training sequences by BPTT."""
    batch_size: Count
    """Sequences in an update."""
    learning_rates: Annotated[Distinct[Positive], Field(min_length=3)]
    """Learning rates of Adam, of which the one with the lowest validation loss counts."""
    reservoir: ReservoirDraw
    """Arguments of draw_reservoir, but for the units."""
    penalties: Filled[NotNegative]
    """Values of λ to choose from."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    check_reservoir(f"{key}.reservoir", settings["reservoir"], config, settings["units"][0], "units")
    requirement = f"at most the sequences ({settings['sequences']})"
    require(settings["batch_size"] <= settings["sequences"], f"{key}.batch_size", requirement, settings["batch_size"])
