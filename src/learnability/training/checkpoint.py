"""Resumable state of a training run: written whole or not at all."""

import pickle
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from learnability.errors import InputError
from learnability.store import writing

UNREADABLE = (
    *(OSError, EOFError, RuntimeError, TypeError, ValueError, LookupError, AssertionError),
    pickle.UnpicklingError,
)
"""What torch raises, depending on where a file is damaged."""


@dataclass
class Checkpoint:
    """All that the run after `epoch` hangs on; the data order is drawn from (seed, epoch) and needs no state.

    Args:
        fingerprint: digest of the run's settings; a checkpoint of other settings is not this run's.
        epoch: last finished epoch.
        parameters, optimizer: their states, exact.
        curve, gates: rows of the learning curve and of the gate statistics so far.
        snapshots: parameters at the log-spaced epochs so far, by epoch.
    """

    fingerprint: str
    epoch: int
    parameters: dict[str, Tensor]
    optimizer: dict[str, Any]
    curve: list[dict[str, float]]
    gates: list[dict[str, float]]
    snapshots: dict[int, dict[str, Tensor]]

    def save(self, path: Path) -> None:
        """Write to `path` atomically."""
        with writing(path) as temporary:
            torch.save(asdict(self), temporary)

    @classmethod
    def load(cls, path: Path) -> "Checkpoint":
        """Read `path`; raise `InputError` if it is no checkpoint."""
        try:
            return cls(**torch.load(path, map_location="cpu", weights_only=True))
        except UNREADABLE as error:
            raise InputError(f"'{path}' must be a checkpoint; remove it to start anew. Got {error}.") from error
