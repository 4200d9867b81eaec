"""The training loop: epochs of runs side by side, checkpoints, and how a training ends.

Runs of one network are trained side by side by one engine. They share nothing but the time at which a step is taken:
each has its data, data order, clipping, optimiser, curve and end, and is what it would be alone.
"""

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from learnability.core.errors import LearnabilityError, require
from learnability.networks.network import Network
from learnability.training.checkpoint import Checkpoint
from learnability.training.engines import check_engine, extras
from learnability.training.member import Data, Member, Trained
from learnability.training.settings import Run, TrainingSettings
from learnability.training.side_by_side import SideBySide
from learnability.training.termination import Terminated, Termination

log = logging.getLogger(__name__)

CHECKPOINT_SECONDS = 60
CHECKPOINT_SHARE = 0.01
"""Largest share of the time that goes into checkpoints: where they take long, they are rarer."""


class TrainingDiverged(LearnabilityError):
    """The loss, its gradient or the parameters of a run are no longer finite."""


def train(
    network: Network,
    settings: TrainingSettings,
    runs: Sequence[Run],
    checkpoint: Path,
    progress: Callable[[list[dict[str, float]]], None] = lambda rows: None,
) -> list[Trained]:
    """Train `network` once for each of `runs`, going on from `checkpoint` where it holds earlier parts of these runs.

    Args:
        progress: called after each epoch with the rows of the learning curves, `milliseconds_per_step` and `seconds`.

    Raises:
        InputError: for an engine that lacks something, a batch larger than a training set, data that the network does
            not take, or of different shapes, no task for fresh sequences, perfect validations of what has no classes,
            or a checkpoint that cannot be read.
        TrainingDiverged: when the loss, the gradient or a parameter of some run is not finite. That run ends there, the
            others go on to their end first; the checkpoint then holds the last good state of each. With
            `TrainingSettings.keep_diverged` only for a run that has no good epoch.
        Terminated: after SIGTERM; the checkpoint then holds the last finished epoch.
        WritingFailed: when a checkpoint cannot be written; the one before is then still there.
    """
    demands = extras(network, settings.truncation, runs[0].training.mask is not None)
    check_engine(settings.engine, network, demands)
    for split in ("training", "validation"):
        kinds = {
            (data.inputs.shape, data.targets.shape, data.mask is not None)
            for data in (getattr(run, split) for run in runs)
        }
        require(len(kinds) == 1, f"{split} data of runs side by side", "of one shape, all with masks or none", kinds)
    count = len(runs[0].training.inputs)
    require(settings.batch_size <= count, "batch_size", f"at most {count} (training sequences)", settings.batch_size)
    can_renew = not settings.fresh or all(run.task for run in runs)
    require(can_renew, "task of a run", "given where every epoch has fresh sequences", None)
    can_be_perfect = not settings.perfect_validations or network.loss == "cross_entropy"
    require(can_be_perfect, "perfect_validations", "0 but for classes", settings.perfect_validations)
    session = _Session(network, settings, runs, Checkpoint(checkpoint))
    with Termination() as termination:
        session.run(progress, termination.check)
    return [member.result() for member in session.members]


class _Session:
    """The runs, their checkpoint, and who takes part in the next epoch."""

    def __init__(
        self, network: Network, settings: TrainingSettings, runs: Sequence[Run], checkpoint: Checkpoint
    ) -> None:
        self.network, self.settings, self.checkpoint = network, settings, checkpoint
        splits = {id(split): split for run in runs for split in (run.training, run.validation)}
        device_data = {key: Data.of(split, network, settings.device) for key, split in splits.items()}
        self.members = [
            Member(network, settings, run, device_data[id(run.training)], device_data[id(run.validation)])
            for run in runs
        ]
        states = checkpoint.load()
        for member in self.members:
            if member.fingerprint in states:
                member.resume(states[member.fingerprint])
                log.info("%s goes on after epoch %d from %s.", member.run.name, member.state.epoch, checkpoint.path)
            elif states:
                log.info("The checkpoint %s holds no %s: starting over.", checkpoint.path, member.run.name)

    def run(self, progress: Callable[[list[dict[str, float]]], None], check: Callable[[], None]) -> None:
        """Train all epochs of all runs; `check` is called before each step and may raise `Terminated`."""
        if fresh := [member for member in self.members if not member.state.curve]:
            SideBySide(self.network, self.settings, fresh).measure(0, [{} for _ in fresh])
        last_save, cost, group = time.monotonic(), 0.0, None
        while due := self._due():
            if group is None or group.members != due:
                group = SideBySide(self.network, self.settings, due)
            try:
                timing = group.run_epoch(due[0].state.epoch + 1, check)
            except Terminated:
                self._save()
                raise Terminated(
                    f"Terminated by SIGTERM; {self._holdings()} and the same call goes on from it."
                ) from None
            progress([member.state.curve[-1] | timing for member in due if not member.diverged])
            if time.monotonic() - last_save > max(CHECKPOINT_SECONDS, cost / CHECKPOINT_SHARE):
                began = time.monotonic()
                self._save()
                last_save = time.monotonic()
                cost = last_save - began
        failures = [member for member in self.members if not (self.settings.keep_diverged and member.state.epoch)]
        if messages := [member.diverged for member in failures if member.diverged]:
            remainder = "no checkpoint: the first epoch was not finished"
            if any(member.state.epoch for member in self.members):
                self._save()
                remainder = self._holdings()
            raise TrainingDiverged(f"{' '.join(messages)} {remainder}. A smaller learning rate may help.")

    def _due(self) -> list[Member]:
        """The runs that are furthest behind: all, unless the checkpoint held some of them only."""
        active = [member for member in self.members if not member.diverged and not member.is_finished]
        first = min((member.state.epoch for member in active), default=0)
        return [member for member in active if member.state.epoch == first]

    def _save(self) -> None:
        members = [member for member in self.members if member.state.curve]
        self.checkpoint.save({member.fingerprint: member.state for member in members})

    def _holdings(self) -> str:
        epochs = sorted({member.state.epoch for member in self.members})
        return f"the checkpoint {self.checkpoint.path} holds epoch {' and '.join(map(str, epochs))}"
