"""SIGTERM, the word before the kill of schedulers such as Slurm: work is put away first."""

import signal
from types import FrameType

from learnability.core.errors import LearnabilityError


class Terminated(LearnabilityError):
    """SIGTERM came; finished work is kept."""

    status = 128 + signal.SIGTERM


class Termination:
    """A context in which SIGTERM is noted, to be acted on where `check` is called. For the main thread."""

    def __init__(self) -> None:
        self._noted = False

    def __enter__(self) -> "Termination":
        self._before = signal.signal(signal.SIGTERM, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGTERM, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted = True

    def check(self) -> None:
        """Raise `Terminated` if SIGTERM has come."""
        if self._noted:
            raise Terminated("SIGTERM")
