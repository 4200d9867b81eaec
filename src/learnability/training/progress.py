"""Training told as it goes: now and then a line."""

import logging
import time
from collections.abc import Callable, Iterable
from statistics import fmean

from learnability.core.progress import Spacing, about

log = logging.getLogger(__name__)

SECONDS = 30
"""Least time between two lines."""


class Progress:
    """Called with each epoch's rows of the learning curves; logs the first, the last, and one in 30 s or 5 % between.

    Args:
        epochs: of the whole run.
        clock: seconds, by which lines are spaced.
    """

    def __init__(self, epochs: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.epochs = epochs
        self._spacing = Spacing(SECONDS, clock)
        self._seconds: list[float] = []

    def __call__(self, rows: list[dict[str, float]]) -> None:
        """Report one epoch: losses, milliseconds a step, time left; of several runs, the least and the largest."""
        if not rows:
            return
        row = rows[0]
        epoch, remaining_epochs = int(row["epoch"]), self.epochs - int(row["epoch"])
        self._seconds.append(row["seconds"])
        if remaining_epochs and not self._spacing.due():
            return
        loss, validation, r_squared = (
            _range(row[name] for row in rows) for name in ("training_loss", "validation_loss", "r_squared")
        )
        words = [f"epoch {epoch} of {self.epochs}", f"loss {loss}", f"validation {validation}", f"R² {r_squared}"]
        words += [f"{row['milliseconds_per_step']:.1f} ms a step"]
        words += [f"{about(remaining_epochs * fmean(self._seconds))} left"] if remaining_epochs else []
        log.info(" · ".join(words))


def _range(values: Iterable[float]) -> str:
    distinct = set(values)
    return " … ".join(f"{value:.4f}" for value in sorted({min(distinct), max(distinct)}))
