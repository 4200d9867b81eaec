"""Settings of Sec. 7.1."""

from typing import Annotated

from pydantic import Field

from studies.settings.sections import Count, Section


class Settings(Section):
    """Sec. 7.1: noise, overfitting and what is learned with kinds of dropout."""

    sequences: Count
    """Sequences on which noise, committees and single units are measured."""
    draws: Annotated[int, Field(ge=2)]
    """Draws of masks."""
    test_sequences: Annotated[int, Field(ge=3)]
    """Sequences on which learned shares are measured."""
