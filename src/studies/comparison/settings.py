"""Settings that all cells have in common."""

from typing import Annotated, Literal

from pydantic import Field

from studies.settings.sections import (
    INCREASING,
    NOT_GIVEN,
    Count,
    Distinct,
    Name,
    NotNegative,
    OpenSection,
    Positive,
    Section,
    SomeDistinct,
)


class ComparedTask(OpenSection):
    """Settings of a task, and how many sequences of it each seed has."""

    name: str
    """The same as `task.name`."""
    training_sequences: Count
    """Sequences on which each network is trained."""
    validation_sequences: Count
    """Sequences by which a rate is chosen."""
    test_sequences: Count
    """Sequences by which the networks at the chosen rate are judged."""


class RaceOptimizer(Section):
    """The optimiser of all trainings, but for the rate."""

    method: Literal["adam", "adamw", "rmsprop", "sgd"]
    """Name of the method, as in torch."""
    weight_decay: NotNegative = NOT_GIVEN
    """The same as in `optimizers`."""


class Race(Section):
    """Settings that all cells have in common."""

    parameters: Count
    """A cell has as many units as at most so many parameters give."""
    rates: Annotated[SomeDistinct[Positive], INCREASING]
    """Learning rates that are tried, increasing."""
    tried: Count
    """Seeds of each rate that is tried."""
    seeds: Annotated[int, Field(ge=2)]
    """Further seeds at the best rate, by which cells are compared."""
    updates: Annotated[int, Field(ge=2)]
    """Updates of every training."""
    batch_size: Count
    """Sequences of an update."""
    gradient_clip: Positive
    """Largest global L2 norm of the gradient."""
    optimizer: RaceOptimizer
    """The optimiser of all trainings, but for the rate."""
    measured: Annotated[int, Field(ge=20)]
    """Sequences on which gradients and memory are measured."""

    @property
    def looks(self) -> list[int]:
        """Numbers of updates after which a network is looked at."""
        return [0, self.updates // 2, self.updates]


class Settings(Section):
    """The study `comparison`: recurrent cells at equal parameters, each at a rate tuned for it, at several tasks."""

    families: Annotated[dict[str, Distinct[str]], Field(min_length=1)]
    """Family → its cells, ids of `architectures`; these are compared. One without cells is left out."""
    contests: SomeDistinct[str]
    """Ids of `tasks` at which they are."""
    tasks: Annotated[dict[Name, ComparedTask], Field(min_length=1)]
    """Task id → its settings, and how many sequences of it each seed has."""
    race: Race
    """Settings that all cells have in common."""
    reading: str
    """Id of a reading that measures each lag along its own gradient."""
