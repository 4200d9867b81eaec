"""Resumable state of training runs: written whole or not at all, beside the state before."""

import io
import json
import logging
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import InputError
from learnability.core.store import writing

log = logging.getLogger(__name__)

UNREADABLE = (
    *(OSError, EOFError, RuntimeError, TypeError, ValueError, LookupError, AssertionError, AttributeError),
    pickle.UnpicklingError,
)
"""Errors of torch, depending on where a file is damaged."""
ROWS = ("curve", "gates")


@dataclass(frozen=True)
class RunState:
    """The full state of a run after `epoch`; the data order is drawn from (seed, epoch) and needs no state.

    Args:
        epoch: last finished epoch.
        parameters, optimizer: their states, exact.
        curve, gates: rows of the learning curve and of the gate statistics so far.
        snapshots: parameters at the log-spaced epochs so far, by epoch.
    """

    epoch: int = 0
    parameters: Parameters = field(default_factory=dict)
    optimizer: dict[str, Any] = field(default_factory=dict)
    curve: list[dict[str, float]] = field(default_factory=list)
    gates: list[dict[str, float]] = field(default_factory=list)
    snapshots: dict[int, dict[str, Tensor]] = field(default_factory=dict)


class Checkpoint:
    """States of runs by fingerprint, at `path` and, one writing older, at `previous`.

    Args:
        kind: of the states, a dataclass of what torch saves.
        parts: named tuples that they may hold.
    """

    def __init__(self, path: Path, kind: type = RunState, parts: Sequence[type] = ()) -> None:
        self.path, self.kind, self.parts = path, kind, parts
        self.previous = path.with_suffix(f".previous{path.suffix}")

    def save(self, states: Mapping[str, Any]) -> None:
        """Write atomically; the file at `path` moves to `previous`. A kill at any moment leaves one of them whole.

        Raises:
            WritingFailed: on a full disk; both files are then as they were.
        """
        content = io.BytesIO()
        torch.save({fingerprint: _as_text(state) for fingerprint, state in states.items()}, content)
        with writing(self.path, self.previous) as temporary:
            temporary.write_bytes(content.getbuffer())

    def load(self) -> dict[str, Any]:
        """The latest readable states; none if there is no file. A damaged file gives way to the one before it.

        Raises:
            InputError: if there are files and none can be read.
        """
        bad_paths = []
        for path in (self.path, self.previous):
            if path.exists():
                try:
                    states = self._read(path)
                except UNREADABLE as error:
                    bad_paths.append(path)
                    log.warning("The checkpoint %s cannot be read: %s: %s", path, type(error).__name__, error)
                else:
                    path.replace(self.path)
                    return states
        if bad_paths:
            names = " and ".join(f"'{path}'" for path in bad_paths)
            raise InputError(f"{names} must be a checkpoint. Remove what cannot be read to start over.")
        return {}

    def remove(self) -> None:
        """Remove both files."""
        for path in (self.path, self.previous):
            path.unlink(missing_ok=True)

    def _read(self, path: Path) -> dict[str, Any]:
        with torch.serialization.safe_globals([*self.parts]):
            states = torch.load(path, map_location="cpu", weights_only=True)
        return {
            fingerprint: self.kind(**state | {name: json.loads(state[name]) for name in ROWS if name in state})
            for fingerprint, state in states.items()
        }


def _as_text(state: Any) -> dict[str, Any]:
    """Rows as text, for torch's pickler is slow on many small things."""
    return vars(state) | {name: json.dumps(rows) for name, rows in vars(state).items() if name in ROWS}
