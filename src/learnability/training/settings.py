"""Settings of a training: common to runs side by side, and of a single run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from learnability.core.errors import lookup, require
from learnability.tasks import Sequences, Task
from learnability.training.engines import ENGINES


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of training, the same for all runs.

    Args:
        engine: name of the gradient engine (`ENGINES`).
        epochs: passes over the training sequences.
        batch_size: sequences in a mini-batch; the last one of an epoch may be smaller.
        gradient_clip: largest global L2 norm of the gradient.
        loss_reduction: `mean` over t, or `sum` over t as in Eq. 1 (batches are averaged in both).
        device: `cpu` or `cuda`.
        truncation: steps over which a gradient goes back, each such segment of a batch an update of its own that
            starts from the state behind the segment before; 0: over the whole sequence, one update a batch.
        fresh: True if no sequence is shown twice: each epoch has as many as there are training sequences, others each
            time, made by the task of the run.
        keep_diverged: True if a run that diverges ends with its last good epoch, in place of an error.
        perfect_validations: validations in a row without an error, of classes, after which a run ends; 0: after all
            epochs. More than one, for accuracy may collapse once more.
    """

    engine: str
    epochs: int
    batch_size: int
    gradient_clip: float
    loss_reduction: str
    device: str = "cpu"
    truncation: int = 0
    fresh: bool = False
    keep_diverged: bool = False
    perfect_validations: int = 0

    def __post_init__(self) -> None:
        lookup(ENGINES, "engine", self.engine)
        require(self.epochs >= 1, "epochs", "at least 1", self.epochs)
        require(self.batch_size >= 1, "batch_size", "at least 1", self.batch_size)
        require(self.gradient_clip > 0, "gradient_clip", "positive", self.gradient_clip)
        require(self.loss_reduction in ("mean", "sum"), "loss_reduction", "mean or sum", self.loss_reduction)
        require(self.truncation >= 0, "truncation", "at least 0", self.truncation)
        require(self.perfect_validations >= 0, "perfect_validations", "at least 0", self.perfect_validations)
        require(self.device != "cuda" or torch.cuda.is_available(), "device", "cpu (no GPU here)", "cuda")


@dataclass(frozen=True)
class Run:
    """Settings and data of a single run.

    Args:
        name: of the run in messages.
        optimizer: see `build_optimizer`.
        root_seed, seed: name the streams of initialisation and data order.
        training, validation: its data; runs that hold the same object share its memory on the device.
        task: makes the sequences of each epoch, with `TrainingSettings.fresh`.
    """

    name: str
    optimizer: Mapping[str, Any]
    root_seed: int
    seed: int
    training: Sequences
    validation: Sequences
    task: Task | None = None

    @classmethod
    def of(
        cls,
        described: Mapping[str, Any],
        root_seed: int,
        training: Sequences,
        validation: Sequences,
        *,
        task: Task | None = None,
    ) -> "Run":
        """The run that a job describes: `architecture` and `optimizer` by name, `optimizer_settings`, `seed`."""
        name = "{architecture} {optimizer} seed {seed}".format(**described)
        return cls(name, described["optimizer_settings"], root_seed, described["seed"], training, validation, task)
