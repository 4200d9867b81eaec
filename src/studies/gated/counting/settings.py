"""Settings of Sec. 10.1: what they must be, beside the schema."""

from learnability.core.errors import require
from studies.gated.settings import Settings

EQUAL = 0.03
"""Largest difference of the parameters of networks that count, as a share."""


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    longest, tested = own["longest_trained"], own["longest_tested"]
    require(tested >= 2 * longest, f"{key}.longest_tested", f"at least {2 * longest}", tested)
    shown = longest * own["repeats"]
    requirement = f"at most the sequences of an epoch, longest_trained × repeats ({shown})"
    require(own["batch_size"] <= shown, f"{key}.batch_size", requirement, own["batch_size"])
    # W x, U h, b of each gate; two symbols are shown, and two classes told apart
    gates, symbols, classes = {"rnn": 1, "gru": 3, "lstm": 4}, 2, 2
    sizes = {
        name: gates[name] * units * (symbols + units + 1) + classes * (units + 1)
        for name, units in own["hidden_sizes"].items()
    }
    fits = max(sizes.values()) <= (1 + EQUAL) * min(sizes.values())
    require(fits, f"{key}.hidden_sizes", f"of parameters equal within {EQUAL:.0%}", sizes)
