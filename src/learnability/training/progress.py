"""Training told as it goes: a line an epoch to the log, a bar on a terminal."""

import logging
from typing import TextIO

import pandas as pd
from tqdm import tqdm

log = logging.getLogger(__name__)


class Progress:
    """Called with each epoch's rows of the learning curves; a context manager.

    Args:
        epochs: of the whole run.
        name: of the run or runs.
        terminal: where a bar goes, if it is a terminal.
    """

    def __init__(self, epochs: int, name: str, terminal: TextIO) -> None:
        self.epochs = epochs
        self._bar = tqdm(
            total=epochs, desc=name, unit="epoch", file=terminal, disable=not terminal.isatty(), leave=False
        )

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def __call__(self, rows: list[dict[str, float]]) -> None:
        """Report one epoch: losses, milliseconds a step, time left; of several runs, the least and the largest."""
        if not rows:
            return
        row, seen = rows[0], pd.DataFrame(rows)
        epoch = int(row["epoch"])
        loss, validation, r_squared = (_range(seen[name]) for name in ("training_loss", "validation_loss", "r_squared"))
        log.info(
            "epoch %d/%d  loss %s  validation %s  R² %s  %.1f ms/step  %d min %02d s left",
            *(epoch, self.epochs, loss, validation, r_squared),
            *(row["milliseconds_per_step"], *divmod(round(row["seconds"] * (self.epochs - epoch)), 60)),
        )
        self._bar.n = epoch
        self._bar.set_postfix(loss=loss, refresh=True)


def _range(values: pd.Series) -> str:
    return " … ".join(f"{value:.4f}" for value in sorted({values.min(), values.max()}))
