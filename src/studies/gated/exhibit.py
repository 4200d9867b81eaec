"""Exhibits: their parts, and the settings and networks that they are made from."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from learnability.cells import Parameters
from learnability.core.store import read_table
from learnability.networks.network import Network
from learnability.networks.weights import read_weights
from learnability.tasks import Task, build_task

STATEMENTS = ["statement", "seed", "value"]
"""Columns of a table of statements: a value of each seed, by which a claim of the notes is judged."""


class Trained(NamedTuple):
    """A network after training, or a reservoir with its readout.

    Args:
        experiment, architecture, seed: names of the network.
        parameters: float64.
        curve: learning curve, with `epoch`, `training_loss` and `validation_loss`.
        settings: settings of the run, with `architecture_settings`, `task`, `network` and `training`.
    """

    experiment: str
    architecture: str
    seed: int
    network: Network
    parameters: Parameters
    task: Task
    curve: pd.DataFrame
    settings: Mapping[str, Any]

    @classmethod
    def load(cls, run: Mapping[str, Any], weights: str, curve: str, root_seed: int) -> "Trained":
        """Return the network that is stored in files.

        Args:
            run: names and settings of the network.
        """
        task = build_task(run["task"], root_seed, run["seed"])
        network = Network.for_task(run["architecture_settings"], task, **run["network"])
        parameters = read_weights(weights)
        network.check(parameters)
        names = run["experiment"], run["architecture"], run["seed"]
        return cls(*names, network, parameters, task, read_table(curve), run)

    @property
    def names(self) -> dict[str, Any]:
        """Experiment, architecture and seed, as columns of a table."""
        return {"experiment": self.experiment, "architecture": self.architecture, "seed": self.seed}


class ExhibitRequest(NamedTuple):
    """Settings, networks and tables that an exhibit is made from.

    Args:
        settings: settings of the exhibit.
        seeds: each has streams of its own.
        root_seed: names all streams, with the seed.
        trained: networks of the experiments that the exhibit shows, and reservoirs.
        measured: `training_windows` and `training_responses` of these networks, if the exhibit shows windows.
    """

    settings: Mapping[str, Any]
    seeds: Sequence[int]
    root_seed: int
    trained: Sequence[Trained] = ()
    measured: Mapping[str, pd.DataFrame] = {}


class Exhibit(NamedTuple):
    """Tables and statements that show a section of the notes.

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
