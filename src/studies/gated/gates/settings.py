"""Settings of Sec. 2."""

from typing import Annotated

from pydantic import Field

from studies.settings.sections import INCREASING, Count, NotNegative, Section, WithZero


class Probe(Section):
    """Linear probes of h and of c of LSTMs."""

    sequences: Annotated[int, Field(ge=4)]
    """Half of them to fit, half to judge."""
    penalty: NotNegative
    """λ of the probes."""


class Settings(Section):
    """Sec. 2: a gate as a soft switch, and gates of the networks that `refinements` shows."""

    inputs: Annotated[WithZero[float], INCREASING, Field(min_length=3)]
    """Values of a, of σ(a), increasing, with 0 among them."""
    sequences: Count
    """Sequences on which gates are measured after training."""
    probe: Probe
    """Linear probes of h and of c of LSTMs."""
