"""Settings of Sec. 10.1."""

from typing import Annotated

from pydantic import Field

from learnability.core.errors import require
from studies.gated.checks import Values
from studies.settings.sections import Count, Distinct, Positive, Section


class HiddenSizes(Section):
    """Units, of parameters that are equal within 3 %."""

    rnn: Count
    """Units of the RNN."""
    gru: Count
    """Units of the GRU."""
    lstm: Count
    """Units of the LSTM."""


class Settings(Section):
    """Section 10.1, which networks count: aⁿbⁿ up to some n, and longer ones that were not trained on."""

    longest_trained: Annotated[int, Field(ge=2)]
    """Networks are trained on every n from 1 to this one."""
    longest_tested: Annotated[int, Field(ge=4)]
    """Longest n that networks are tested on, at least twice `longest_trained`; all shorter n are tested."""
    hidden_sizes: HiddenSizes
    """Units, of parameters that are equal within 3 %."""
    learning_rates: Annotated[Distinct[Positive], Field(min_length=3)]
    """Learning rates of Adam, of which the one with the lowest loss where it is trained counts."""
    repeats: Count
    """Number of times that each n is shown in an epoch."""
    epochs: Count
    """Passes over all that is shown."""
    batch_size: Count
    """Sequences in an update."""


EQUAL = 0.03
"""Largest difference of the parameters of networks that count, as a share."""


def check(key: str, settings: Values, config: Values) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    longest, longest_tested = settings["longest_trained"], settings["longest_tested"]
    require(longest_tested >= 2 * longest, f"{key}.longest_tested", f"at least {2 * longest}", longest_tested)
    sequences = longest * settings["repeats"]
    requirement = f"at most the sequences of an epoch, longest_trained × repeats ({sequences})"
    require(settings["batch_size"] <= sequences, f"{key}.batch_size", requirement, settings["batch_size"])
    # W x, U h, b of each gate; two symbols are shown, and two classes told apart
    gates, symbols, classes = {"rnn": 1, "gru": 3, "lstm": 4}, 2, 2
    sizes = {
        name: gates[name] * units * (symbols + units + 1) + classes * (units + 1)
        for name, units in settings["hidden_sizes"].items()
    }
    fits = max(sizes.values()) <= (1 + EQUAL) * min(sizes.values())
    require(fits, f"{key}.hidden_sizes", f"of parameters equal within {EQUAL:.0%}", sizes)
