"""A member of the runs that train side by side: parameters, optimiser, and the state that a checkpoint keeps."""

import copy
import hashlib
import json
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network
from learnability.tasks import Sequences
from learnability.training.checkpoint import RunState
from learnability.training.milestones import updates_until
from learnability.training.optimizers import build_optimizer
from learnability.training.settings import Run, TrainingSettings

log = logging.getLogger(__name__)

GATE_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


class Data(NamedTuple):
    """Sequences on the device."""

    inputs: Tensor
    targets: Tensor
    mask: Tensor | None
    scored: Tensor | None
    """Targets of classes on which accuracy is taken."""

    @classmethod
    def of(cls, sequences: Sequences, network: Network, device: str) -> "Data":
        """Data from NumPy arrays: numbers in float32, classes in int64, and 0 for targets that do not count.

        Raises:
            InputError: unless they are what the network takes and predicts.
        """
        inputs, mask = np.asarray(sequences.inputs, np.float32), sequences.mask
        size = network.cell.input_size
        require(inputs.ndim == 3 and inputs.shape[2] == size, "inputs", f"(sequence, time, {size})", inputs.shape)
        require(bool(np.isfinite(inputs).all()), "inputs", "finite in float32", "NaN, infinity or a larger number")
        counts = np.ones(inputs.shape[:2], bool) if mask is None else mask
        scores = counts if sequences.scored is None else sequences.scored
        for name, places in (("mask", counts), ("scored", scores)):
            right = places.dtype == bool and places.shape == inputs.shape[:2]
            require(right, name, f"of truth values, {inputs.shape[:2]}", (str(places.dtype), places.shape))
            require(bool(places.any()), name, "true of one target at least", "none")
        require(bool((counts >= scores).all()), "scored", "true only where targets count", "a target that does not")
        arrays = inputs, _targets(sequences.targets, counts, network), counts, scores
        x, y, count_mask, score_mask = (torch.from_numpy(array).to(device) for array in arrays)
        return cls(x, y, None if mask is None else count_mask, score_mask if network.loss == "cross_entropy" else None)

    def copy(self) -> "Data":
        """Copy of the data in memory of its own."""
        return self._replace(**{name: part.clone() for name, part in self._asdict().items() if part is not None})


@dataclass(frozen=True)
class Trained:
    """Results of a run.

    Args:
        parameters: final weights.
        snapshots: weights by epoch, from 0 (initialisation) to the last.
        diverged: where and how the run diverged after that epoch; empty if it did not.
        curve: one row an epoch: training and validation loss, R², gradient norm before clipping, clipped fraction; of
            classes also the accuracy on the validation sequences.
        gates: one row an epoch: mean, standard deviation and quantiles of the gate over units, t and sequences.
        updates: as `updates_until` counts them, of a run that ends when nothing is left to learn; none of others.
    """

    parameters: Parameters
    snapshots: dict[int, Parameters]
    diverged: str
    curve: pd.DataFrame
    gates: pd.DataFrame
    updates: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def ending(self) -> dict[str, Any]:
        """`diverged` and `updates`, where there is anything to say."""
        entries = {"diverged": self.diverged, "updates": self.updates}
        return {name: value for name, value in entries.items() if value}


class Member:
    """The moving parts of one run.

    Args:
        training, validation: on the device.
    """

    def __init__(
        self,
        network: Network,
        settings: TrainingSettings,
        run: Run,
        training: Data,
        validation: Data,
    ) -> None:
        self.run, self.network, self.settings = run, network, settings
        self.training, self.validation = training.copy() if settings.fresh else training, validation
        self.fingerprint = _fingerprint(network, settings, run)
        initial = network.initial_parameters(run.root_seed, run.seed)
        self.parameters = {name: tensor.float().to(settings.device) for name, tensor in initial.items()}
        self.optimizer = build_optimizer(run.optimizer, self.parameters, network.cell.ORTHOGONAL)
        self.state, self.last_loss, self.diverged = RunState(), math.nan, ""
        self.snapshot_epochs = log_spaced_epochs(settings.epochs)
        mask = self.validation.mask
        targets = self.validation.targets if mask is None else self.validation.targets[mask][None]
        self.baseline = LOSSES[network.loss].baseline(targets)

    @property
    def is_finished(self) -> bool:
        """True after all epochs, or enough validations in a row without an error."""
        return self.state.epoch >= self.settings.epochs or is_learned(
            self.state.curve, self.settings.perfect_validations
        )

    def resume(self, state: RunState) -> None:
        self.state = state
        for name, parameter in self.parameters.items():
            parameter.copy_(state.parameters[name])
        self.optimizer.load_state_dict(copy.deepcopy(state.optimizer))  # the optimiser works in place

    def renew(self, epoch: int) -> None:
        """Put the training sequences of an epoch in place of those before, if it has its own."""
        if self.settings.fresh and self.run.task:
            sequences = self.run.task.generate(f"fresh {epoch}", len(self.training.inputs))
            for tensor, part in zip(self.training, Data.of(sequences, self.network, self.settings.device), strict=True):
                if tensor is not None and part is not None:
                    tensor.copy_(part)

    def order(self, epoch: int) -> Tensor:
        """The order of the training sequences, drawn from (seed, epoch)."""
        generator = numpy_generator(self.run.root_seed, self.run.seed, "order", epoch)
        return torch.from_numpy(generator.permutation(len(self.training.inputs)))

    def generator(self, epoch: int, step: int) -> torch.Generator:
        """Generator of random steps at one step of an epoch, on the CPU."""
        number = numpy_generator(self.run.root_seed, self.run.seed, "noise", epoch, step).integers(2**63)
        return torch.Generator().manual_seed(int(number))

    def finish_epoch(self, epoch: int, row: Mapping[str, float], gates: Tensor | None) -> None:
        """Put the results of an epoch into the state, with a snapshot if one is due."""
        before, parameters = self.state, {name: p.clone() for name, p in self.parameters.items()}
        snapshots = before.snapshots
        if epoch in self.snapshot_epochs:
            snapshots = snapshots | {epoch: _on_cpu(parameters)}
        self.state = RunState(
            epoch,
            parameters,
            copy.deepcopy(self.optimizer.state_dict()),
            [*before.curve, {"epoch": epoch, **row}],
            [*before.gates, {"epoch": epoch} | (gate_statistics(gates) if gates is not None else {})],
            snapshots,
        )

    def diverge(self, epoch: int, place: str, fault: str) -> None:
        """End the run: its state stays that after the last good epoch."""
        self.diverged = (
            f"Training of {self.run.name} diverged at epoch {epoch}, {place}: {fault}; "
            f"last finite loss {self.last_loss:.4g}; last good epoch {self.state.epoch};"
        )
        log.warning("%s", self.diverged)

    def result(self) -> Trained:
        state = self.state
        parameters = _on_cpu(state.parameters)
        snapshots = state.snapshots | {state.epoch: parameters}
        curve, updates = pd.DataFrame(state.curve), -(-len(self.training.inputs) // self.settings.batch_size)
        milestones = updates_until(curve, updates) if self.settings.perfect_validations else {}
        return Trained(parameters, snapshots, self.diverged, curve, pd.DataFrame(state.gates), milestones)


def is_learned(curve: Sequence[Mapping[str, float]], perfect_validations: int) -> bool:
    """True if the last `perfect_validations` rows of a curve have an accuracy of 1; never with 0 of them."""
    last = curve[len(curve) - perfect_validations :] if 0 < perfect_validations <= len(curve) else []
    return bool(last) and all(row["validation_accuracy"] == 1 for row in last)


def log_spaced_epochs(epochs: int) -> list[int]:
    """0, 1, 2, 5, 10, 20, 50, … up to `epochs`, which is always the last."""
    grid = {step * 10**power for power in range(len(str(epochs))) for step in (1, 2, 5)}
    return sorted({0, epochs} | {epoch for epoch in grid if epoch < epochs})


def gate_statistics(gates: Tensor) -> dict[str, float]:
    """Mean, standard deviation (overall and between units) and quantiles of gates (sequence, time, unit)."""
    values = gates.double()
    moments = [values.mean(), values.std(correction=0), values.mean((0, 1)).std(correction=0)]
    quantiles = {
        f"q{100 * level:02.0f}": value for level, value in zip(GATE_QUANTILES, _quantiles(values), strict=True)
    }
    return dict(zip(("mean", "sd", "sd_between_units"), torch.stack(moments).tolist(), strict=True)) | quantiles


def _quantiles(values: Tensor) -> list[float]:
    """Quantiles: torch sorts, fast on a GPU; NumPy partitions, fast on a CPU."""
    if values.is_cuda:
        return torch.quantile(values.flatten(), values.new_tensor(GATE_QUANTILES)).tolist()
    return np.quantile(values.numpy(), GATE_QUANTILES).tolist()


def _fingerprint(network: Network, settings: TrainingSettings, run: Run) -> str:
    """Digest of network, settings and data of a run."""
    identity = {"optimizer": run.optimizer, "root_seed": run.root_seed, "seed": run.seed}
    if settings.fresh:
        identity["task"] = repr(run.task)
    digest = hashlib.sha256(
        json.dumps([repr(network), asdict(settings), identity], sort_keys=True, default=dict).encode()
    )
    for split in (run.training, run.validation):
        for name, values in split._asdict().items():
            if values is not None:
                digest.update(f"{name} {values.dtype} {values.shape}".encode())
                digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()


def _targets(targets: np.ndarray, counts: np.ndarray, network: Network) -> np.ndarray:
    """Targets as the loss takes them, 0 where they do not count."""
    of_classes = network.loss == "cross_entropy"
    shape = counts.shape + ((network.outputs,) if network.outputs and not of_classes else ())
    require(targets.shape == shape, "targets", f"of shape {shape}", targets.shape)
    where = counts.reshape(counts.shape + (1,) * (targets.ndim - 2))
    values = np.where(where, targets, np.zeros((), targets.dtype))
    if of_classes:
        are_classes = values.dtype.kind in "iu" and bool(values.min() >= 0 and values.max() < network.outputs)
        actual = f"{targets.dtype} from {values.min()} to {values.max()}"
        require(are_classes, "targets", f"classes, whole numbers from 0 to {network.outputs - 1}", actual)
        return values.astype(np.int64)
    require(bool(np.isfinite(values).all()), "targets", "finite", "NaN or infinity")
    return values.astype(np.float32)


def _on_cpu(parameters: Parameters) -> Parameters:
    return {name: tensor.cpu() for name, tensor in parameters.items()}
