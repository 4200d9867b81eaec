"""Interface of a task: its sequences, its loss, and the lags that matter."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Protocol, runtime_checkable

from learnability.core.errors import require
from learnability.core.registry import find
from learnability.tasks.registry import TASKS
from learnability.tasks.sequences import Sequences


@runtime_checkable
class Task(Protocol):
    """A dataclass whose fields are its settings, with `root_seed` and `seed`, which name its streams."""

    @property
    def input_size(self) -> int:
        """D, numbers in x_t."""

    @property
    def outputs(self) -> int:
        """Numbers in ŷ_t: 0 for a scalar, one score for each class or token."""

    @property
    def loss(self) -> str:
        """A name in `learnability.networks.losses.LOSSES`."""

    @property
    def dependencies(self) -> Mapping[int, float]:
        """Lag ℓ → weight of x_{t-ℓ} in y_t, where they are known."""

    def generate(self, split: str, count: int) -> Sequences:
        """`count` sequences of a split ("training", "validation", "diagnostic"), always the same ones."""


def build_task(settings: Mapping[str, Any], root_seed: int, seed: int) -> Task:
    """The task that settings name.

    Args:
        settings: `name`, and the task's fields. Other settings are ignored: the number of sequences, and fields
            of another task in a configuration that this one is laid over.

    Raises:
        InputError: for an unknown task, or one that lacks a setting.
    """
    require("name" in settings, "task", "given a name", sorted(settings))
    kind = find(TASKS, "task.name", settings["name"])
    task_fields = [field for field in fields(kind) if field.name not in ("root_seed", "seed")]
    names = ", ".join(sorted(field.name for field in task_fields))
    required = {field.name for field in task_fields if field.default is MISSING and field.default_factory is MISSING}
    absent = sorted(required - set(settings))
    require(not absent, "task", f"given {names} for {settings['name']}", f"no {', '.join(absent)}")
    arguments = {field.name: settings[field.name] for field in task_fields if field.name in settings}
    task: Task = kind(**arguments, root_seed=root_seed, seed=seed)
    return task
