"""The device of a training: file locks give each training its own GPU of those in CUDA_VISIBLE_DEVICES."""

import fcntl
import logging
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import torch

from learnability.core.errors import InputError, in_one_line
from learnability.core.store import is_own_file, private_folder

log = logging.getLogger(__name__)


def lock_folder() -> Path:
    """Folder of the locks, the same for all processes of a user on a machine."""
    return Path(tempfile.gettempdir()) / f"learnability-gpus-{os.getuid()}"


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
        folder: of the locks, by default `lock_folder()`.
        pause: seconds between looks.

    Yields:
        The device's place in `devices`.

    Raises:
        InputError: for a folder or a lock that another user has put there, or a link.
    """
    folder = private_folder(folder or lock_folder())
    with ExitStack() as stack:
        locks = []
        for device in devices:
            locks.append(_open_lock(folder / f"{device}.lock"))
            stack.callback(os.close, locks[-1])
        place = _first_free(locks)
        if place is None:
            log.info("All GPUs (%d) are taken: waiting for one.", len(devices))
        while place is None:
            time.sleep(pause)
            place = _first_free(locks)
        yield place


def _open_lock(path: Path) -> int:
    """A file to lock, opened through no link and left as it is."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise InputError(f"'{path}' must be a file of this user's, and no link. Got {in_one_line(error)}.") from error
    if not is_own_file(lock):
        os.close(lock)
        raise InputError(f"'{path}' must be a file of this user's, and no link. Got something else: remove it.")
    return lock


def _first_free(locks: Sequence[int]) -> int | None:
    for place, lock in enumerate(locks):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        return place
    return None
