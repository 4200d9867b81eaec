"""Settings that all cells have in common, and checks of a configuration of the study."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from learnability.core.errors import require, require_one_of
from learnability.windows.readings import whole_readings
from studies.settings.sections import (
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
    rates: SomeDistinct[Positive]
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


def check_comparison(config: Mapping[str, Any]) -> None:
    """Raise `InputError` for the first setting, beside the schema, with which cells cannot be compared."""
    section, key = config["comparison"], "comparison"
    cells = [name for members in section["families"].values() for name in members]
    for name in cells:
        require_one_of(f"{key}.families", name, config["architectures"])
        require(cells.count(name) == 1, f"{key}.families", f"such that '{name}' is in one of them", cells.count(name))
        for table in ("colours", "labels"):
            require(name in config["figures"][table], f"figures.{table}.{name}", "given", None)
    require(len(cells) > 0, f"{key}.families", "such that one has a cell", section["families"])
    for name in section["contests"]:
        require_one_of(f"{key}.contests", name, section["tasks"])
    rates = section["race"]["rates"]
    require(rates == sorted(rates), f"{key}.race.rates", "increasing", rates)
    require_one_of(f"{key}.reading", section["reading"], config["readings"])
    probe = whole_readings(config["readings"])[section["reading"]]["statistic"]["probe"]
    require(probe == "own_gradient", f"{key}.reading", "one along each lag's own gradient", section["reading"])
    device = config["training"]["device"]
    require(
        device == "cpu", "training.device", "cpu in the study comparison, whose trainings are many and short", device
    )
    for name, task in section["tasks"].items():
        batch, sequences = section["race"]["batch_size"], task["training_sequences"]
        require(
            batch <= sequences,
            f"{key}.race.batch_size",
            f"at most {sequences}, the training sequences of {name}",
            batch,
        )
