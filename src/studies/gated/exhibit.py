"""What an exhibit is made from, and what it consists of."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from learnability.cells import Parameters
from learnability.networks.network import Network
from learnability.tasks import Task

STATEMENTS = ["statement", "seed", "value"]
"""Columns of a table of statements: a value of each seed, by which a claim of the notes is judged."""


class Trained(NamedTuple):
    """A network after training, or a reservoir with its readout.

    Args:
        experiment, architecture, seed: its names.
        parameters: float64.
        curve: its learning curve, with `epoch`, `training_loss` and `validation_loss`.
        settings: of its run, with `architecture_settings`, `task`, `network` and `training`.
    """

    experiment: str
    architecture: str
    seed: int
    network: Network
    parameters: Parameters
    task: Task
    curve: pd.DataFrame
    settings: Mapping[str, Any]

    @property
    def names(self) -> dict[str, Any]:
        """As columns of a table."""
        return {"experiment": self.experiment, "architecture": self.architecture, "seed": self.seed}


class Asked(NamedTuple):
    """What an exhibit is made from.

    Args:
        settings: its own.
        seeds: of which each has streams of its own.
        root_seed: names all streams, with the seed.
        trained: networks of the experiments that the exhibit shows.
    """

    settings: Mapping[str, Any]
    seeds: Sequence[int]
    root_seed: int
    trained: Sequence[Trained] = ()


class Exhibit(NamedTuple):
    """What is shown of a section of the notes.

    Args:
        tables: by name.
        statements: numbers by which claims are judged.
    """

    tables: Mapping[str, pd.DataFrame]
    statements: pd.DataFrame


def statements(values: Iterable[tuple[str, int, float]]) -> pd.DataFrame:
    """A table of statements.

    Args:
        values: name of the statement, seed and value.
    """
    return pd.DataFrame(list(values), columns=STATEMENTS)
