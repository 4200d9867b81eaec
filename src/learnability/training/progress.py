"""Training told as it goes: a line an epoch to the log, a bar on a terminal."""

import logging
from typing import TextIO

from tqdm import tqdm

log = logging.getLogger(__name__)


class Progress:
    """Called with each epoch's row of the learning curve; a context manager.

    Args:
        epochs: of the whole run.
        name: of the run.
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

    def __call__(self, row: dict[str, float]) -> None:
        """Report one epoch: losses, milliseconds a step, time left."""
        epoch = int(row["epoch"])
        left = row["seconds"] * (self.epochs - epoch)
        log.info(
            "epoch %d/%d  loss %.4f  validation %.4f  R² %.3f  %.1f ms/step  %d min %02d s left",
            *(epoch, self.epochs, row["training_loss"], row["validation_loss"], row["r_squared"]),
            *(row["milliseconds_per_step"], *divmod(round(left), 60)),
        )
        self._bar.n = epoch
        self._bar.set_postfix(loss=f"{row['training_loss']:.4f}", refresh=True)
