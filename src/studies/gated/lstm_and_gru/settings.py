"""Settings of Sec. 9 and 10."""

from typing import Annotated

from pydantic import Field

from studies.settings.sections import Count, Section


class Settings(Section):
    """Sec. 9 and 10: LSTM and GRU at the same number of units, and at as equal a number of parameters as whole units
    allow."""

    test_sequences: Annotated[int, Field(ge=3)]
    """Sequences on which learned shares are measured."""
    batch_size: Count
    """Sequences of the gradient whose time is measured."""
    rounds: Count
    """Rounds in each of which either network takes its turn; medians of ratios within rounds count."""
