"""Trainings that are stopped in their middle, for tests that compare them with undisturbed ones."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from learnability.networks.network import Network
from learnability.training import Run, TrainingSettings, loop, train


class Interrupted(Exception):
    pass


def interrupt(network: Network, settings: TrainingSettings, runs: Sequence[Run], path: Path, epoch: int) -> None:
    """Train up to the end of an epoch; the checkpoint is of the one before."""

    def stop(rows):
        if rows[0]["epoch"] == epoch:
            raise Interrupted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "CHECKPOINT_SECONDS", -1)
        patch.setattr(loop, "CHECKPOINT_SHARE", float("inf"))
        with pytest.raises(Interrupted):
            train(network, settings, runs, path, stop)
