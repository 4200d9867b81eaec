"""Settings of trainings on fewer sequences than a race has."""

from typing import Annotated

from pydantic import Field

from studies.settings.sections import INCREASING, Count, Distinct, Section, SomeDistinct


class SampleSizes(Section):
    """Trainings on fewer sequences than a race has, at the rate of the race, for the question `sample_sizes`."""

    task: str
    """Id of a contest, a delayed sum, whose races are the trainings on all sequences."""
    sequences: Annotated[SomeDistinct[Count], INCREASING]
    """Numbers of training sequences N, increasing, all fewer than the `training_sequences` of the task."""
    seeds: Annotated[int, Field(ge=2)]
    """Seeds of each N, the first of the race's `seeds`."""
    longer: Distinct[str]
    """Cells that go on to twice the updates, to see how far N₅₀ depends on the number of updates."""
