"""The training loop: mini-batches, clipping, an optimiser, a learning curve, snapshots, checkpoints."""

import copy
import hashlib
import json
import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from learnability.cells import Parameters
from learnability.errors import LearnabilityError, lookup, require
from learnability.network import Network, run
from learnability.streams import numpy_generator
from learnability.tasks import Sequences
from learnability.training.checkpoint import Checkpoint
from learnability.training.engines import ENGINES
from learnability.training.optimizers import build_optimizer

log = logging.getLogger(__name__)

CHECKPOINT_SECONDS = 60
VALIDATION_CHUNK = 250
"""Sequences run at once in validation: bounds memory, whatever the size of the set."""
GATE_SEQUENCES = 32
"""Validation sequences behind the gate statistics: a gate has T x H values in each."""
GATE_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


class TrainingDiverged(LearnabilityError):
    """The loss, its gradient or the parameters are no longer finite."""


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is trained.

    Args:
        engine: name of the gradient engine (`ENGINES`).
        epochs: passes over the training sequences.
        batch_size: sequences in a mini-batch; the last one of an epoch may be smaller.
        gradient_clip: largest global L2 norm of the gradient.
        loss_reduction: `mean` over t, or `sum` over t as in Eq. 1 (batches are averaged in both).
        optimizer: see `build_optimizer`.
        study, seed: name the streams of initialisation and data order.
        device: `cpu` or `cuda`.
    """

    engine: str
    epochs: int
    batch_size: int
    gradient_clip: float
    loss_reduction: str
    optimizer: Mapping[str, Any]
    study: int
    seed: int
    device: str = "cpu"

    def __post_init__(self) -> None:
        lookup(ENGINES, "engine", self.engine)
        require(self.epochs >= 1, "epochs", "at least 1", self.epochs)
        require(self.batch_size >= 1, "batch_size", "at least 1", self.batch_size)
        require(self.gradient_clip > 0, "gradient_clip", "positive", self.gradient_clip)
        require(self.loss_reduction in ("mean", "sum"), "loss_reduction", "mean or sum", self.loss_reduction)
        require(self.device != "cuda" or torch.cuda.is_available(), "device", "cpu (no GPU here)", "cuda")


@dataclass(frozen=True)
class Trained:
    """What a run leaves behind.

    Args:
        parameters: final weights.
        snapshots: weights by epoch, from 0 (initialisation) on.
        curve: one row an epoch: training and validation loss, R², gradient norm before clipping, clipped fraction.
        gates: one row an epoch: mean, standard deviation and quantiles of the gate over units, t and sequences.
    """

    parameters: Parameters
    snapshots: dict[int, Parameters]
    curve: pd.DataFrame
    gates: pd.DataFrame


def log_spaced_epochs(epochs: int) -> list[int]:
    """0, 1, 2, 5, 10, 20, 50, … up to `epochs`, which is always the last."""
    grid = {step * 10**power for power in range(len(str(epochs))) for step in (1, 2, 5)}
    return sorted({0, epochs} | {epoch for epoch in grid if epoch < epochs})


def train(
    network: Network,
    settings: TrainingSettings,
    training: Sequences,
    validation: Sequences,
    checkpoint: Path,
    progress: Callable[[dict[str, float]], None] = lambda row: None,
) -> Trained:
    """Train `network`, going on from `checkpoint` if it holds an earlier part of this very run.

    Args:
        progress: called after each epoch with its row of the learning curve, `milliseconds_per_step` and `seconds`.

    Raises:
        InputError: for a batch larger than the training set, or a checkpoint that cannot be read.
        TrainingDiverged: when a loss, the gradient or a parameter is not finite; the checkpoint then holds the state
            after the last good epoch.
    """
    count = len(training.inputs)
    require(settings.batch_size <= count, "batch_size", f"at most {count} (training sequences)", settings.batch_size)
    session = _Session(network, settings, _digest(network, settings, training, validation), checkpoint)
    training_tensors = _tensors(training, settings.device)
    validation_tensors = _tensors(validation, settings.device)
    state = session.state
    if not state.curve:
        session.measure(0, {}, validation_tensors)
    saved = time.monotonic()
    for epoch in range(state.epoch + 1, settings.epochs + 1):
        began = time.perf_counter()
        row = session.run_epoch(epoch, *training_tensors)
        stepping = time.perf_counter() - began
        session.measure(epoch, row, validation_tensors)
        timing = {
            "milliseconds_per_step": 1e3 * stepping / -(-count // settings.batch_size),
            "seconds": time.perf_counter() - began,
        }
        progress(state.curve[-1] | timing)
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            session.save()
            saved = time.monotonic()
    return Trained(state.parameters, state.snapshots, pd.DataFrame(state.curve), pd.DataFrame(state.gates))


class _Session:
    """The moving parts of one run: parameters, optimiser, and the state that a checkpoint keeps."""

    def __init__(self, network: Network, settings: TrainingSettings, fingerprint: str, path: Path) -> None:
        self.network, self.settings, self.path = network, settings, path
        initial = network.initial_parameters(settings.study, settings.seed)
        self.parameters = {name: tensor.float().to(settings.device) for name, tensor in initial.items()}
        self.optimizer = build_optimizer(settings.optimizer, self.parameters.values())
        self.engine = ENGINES[settings.engine](network, [self.parameters])
        self.last_loss = math.nan
        self.snapshot_epochs = log_spaced_epochs(settings.epochs)
        self.state = Checkpoint(fingerprint, 0, {}, {}, [], [], {})
        if path.exists():
            self._resume(Checkpoint.load(path))

    def _resume(self, found: Checkpoint) -> None:
        if found.fingerprint != self.state.fingerprint:
            log.info("The checkpoint %s belongs to other settings: starting anew.", self.path)
            return
        log.info("Going on after epoch %d from %s.", found.epoch, self.path)
        self.state = found
        for name, parameter in self.parameters.items():
            parameter.copy_(found.parameters[name])
        self.optimizer.load_state_dict(found.optimizer)

    def save(self) -> None:
        self.state.save(self.path)

    def copy_parameters(self) -> Parameters:
        return {name: parameter.detach().cpu().clone() for name, parameter in self.parameters.items()}

    def run_epoch(self, epoch: int, inputs: Tensor, targets: Tensor) -> dict[str, float]:
        """One pass over the training sequences in an order drawn from (seed, epoch)."""
        settings = self.settings
        order = numpy_generator(settings.study, settings.seed, "order", epoch).permutation(len(inputs))
        factor = inputs.shape[1] if settings.loss_reduction == "sum" else 1
        total, norms = 0.0, []
        batches = torch.from_numpy(order).to(inputs.device).split(settings.batch_size)
        for step, batch in enumerate(batches, 1):
            (loss,) = self.engine.losses_and_gradients(inputs[batch][None], targets[batch][None])
            if factor != 1:
                for parameter in self.parameters.values():
                    parameter.grad.mul_(factor)  # type: ignore[union-attr]
            norm = torch.nn.utils.clip_grad_norm_(self.parameters.values(), settings.gradient_clip)
            if not torch.isfinite(loss + norm):
                self._stop(epoch, f"step {step}", f"loss {loss.item():.4g}, gradient norm {norm.item():.4g}")
            self.optimizer.step()
            self.last_loss = loss.item()
            total += self.last_loss * len(batch)
            norms.append(norm.item())
        return {
            "training_loss": total / len(inputs),
            "gradient_norm": sum(norms) / len(norms),
            "gradient_norm_max": max(norms),
            "clipped_fraction": sum(norm > settings.gradient_clip for norm in norms) / len(norms),
        }

    def _stop(self, epoch: int, place: str, found: str) -> NoReturn:
        """Keep the state after the last good epoch and raise."""
        kept = "no checkpoint: the first epoch was not finished"
        if self.state.epoch:
            self.save()
            kept = f"the checkpoint {self.path} holds epoch {self.state.epoch}"
        raise TrainingDiverged(
            f"Training diverged at epoch {epoch}, {place}: {found}; last finite loss {self.last_loss:.4g}; {kept}. "
            "A smaller learning rate may help."
        )

    def measure(self, epoch: int, row: dict[str, float], validation: tuple[Tensor, Tensor]) -> None:
        """Add validation figures and gate statistics of this epoch to the state, and a snapshot if one is due."""
        inputs, targets = validation
        squared, gates = 0.0, torch.empty(0)
        for start in range(0, len(inputs), VALIDATION_CHUNK):
            x, y = inputs[start : start + VALIDATION_CHUNK], targets[start : start + VALIDATION_CHUNK]
            states = run(self.network.cell, self.parameters, x)
            errors = self.network.predict(self.parameters, states[:, 1:]) - y
            squared += errors.double().square().sum().item()
            if not start:
                few = slice(GATE_SEQUENCES)
                gates = self.network.cell.gate(self.parameters, states[few, :-1], x[few])
        loss = squared / targets.numel()
        if not all(torch.isfinite(parameter).all() for parameter in self.parameters.values()) or not np.isfinite(loss):
            self._stop(epoch, "after its last step", f"validation loss {loss:.4g} or a parameter is not finite")
        variance = targets.double().var(correction=0).item()
        self.state.curve.append({"epoch": epoch} | row | {"validation_loss": loss, "r_squared": 1 - loss / variance})
        self.state.gates.append({"epoch": epoch} | gate_statistics(gates))
        self.state.epoch = epoch
        self.state.parameters = self.copy_parameters()
        self.state.optimizer = copy.deepcopy(self.optimizer.state_dict())
        if epoch in self.snapshot_epochs:
            self.state.snapshots[epoch] = self.state.parameters


def gate_statistics(gates: Tensor) -> dict[str, float]:
    """Mean, standard deviation (overall and between units) and quantiles of gates (sequence, time, unit)."""
    values = gates.double().cpu().numpy()
    quantiles = np.quantile(values, GATE_QUANTILES)
    moments = {"mean": values.mean(), "sd": values.std(), "sd_between_units": values.mean((0, 1)).std()}
    named = {f"q{100 * level:02.0f}": value for level, value in zip(GATE_QUANTILES, quantiles, strict=True)}
    return {name: float(value) for name, value in (moments | named).items()}


def _digest(network: Network, settings: TrainingSettings, *splits: Sequences) -> str:
    """What makes a run this very run: network, settings and data (targets hang on inputs, direction and noise)."""
    described = json.dumps([repr(network), asdict(settings)], sort_keys=True, default=dict)
    digest = hashlib.sha256(described.encode())
    for split in splits:
        digest.update(split.targets.tobytes())
    return digest.hexdigest()


def _tensors(sequences: Sequences, device: str) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(sequences.inputs).to(device), torch.from_numpy(sequences.targets).to(device)
