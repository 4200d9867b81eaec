"""Where a training runs: each takes a GPU of its own, by a file lock, of those that CUDA_VISIBLE_DEVICES shows."""

import fcntl
import logging
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import torch

from learnability.core.errors import InputError

LOCKS = Path(tempfile.gettempdir()) / f"learnability-gpus-{os.getuid()}"
"""The same for all of a user's processes on a machine, whatever folder they work in."""

log = logging.getLogger(__name__)


def gpus() -> list[str]:
    """Identities (UUIDs) of the visible GPUs, in torch's order: an index alone means another GPU in another process."""
    return [str(torch.cuda.get_device_properties(place).uuid) for place in range(torch.cuda.device_count())]


@contextmanager
def training_device(name: str) -> Iterator[str]:
    """The device that `name` stands for, `cpu` or `cuda`: then torch's current one, which no other training uses.

    Args:
        name: `cpu`; `cuda`, a GPU; `auto`, a GPU if any is visible, else the CPU. Logged.

    Raises:
        InputError: for `cuda` where no GPU is visible.
    """
    devices = [] if name == "cpu" else gpus()
    if name == "cuda" and not devices:
        raise InputError("'training.device' must be cpu or auto where no GPU is visible. Got 'cuda'.")
    if not devices:
        log.info("Device: cpu (%s).", "named in the configuration" if name == "cpu" else "auto: no GPU is visible")
        yield "cpu"
        return
    with claimed(devices) as place:
        torch.cuda.set_device(place)
        log.info("Device: GPU %d of %d, %s.", place + 1, len(devices), devices[place])
        yield "cuda"


@contextmanager
def claimed(devices: Sequence[str], folder: Path | None = None, pause: float = 1.0) -> Iterator[int]:
    """Hold one of the devices, the first that nobody holds; wait while there is none.

    The system frees the lock of a process that ends, however it ends.

    Args:
        folder: of the locks, by default `LOCKS`.
        pause: seconds between looks.

    Yields:
        The device's place in `devices`.
    """
    folder = folder or LOCKS
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as files:
        locks = [files.enter_context((folder / f"{device}.lock").open("w")) for device in devices]
        place = _first_free(locks)
        if place is None:
            log.info("All GPUs (%d) are taken: waiting for one.", len(devices))
        while place is None:
            time.sleep(pause)
            place = _first_free(locks)
        yield place


def _first_free(locks: Sequence[IO[str]]) -> int | None:
    for place, lock in enumerate(locks):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        return place
    return None
