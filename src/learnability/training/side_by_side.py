"""Epochs and validations of runs side by side: everything on the device, read once an epoch."""

import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.networks.losses import LOSSES, hits
from learnability.networks.network import Network, hidden_units
from learnability.training.capture import Captured
from learnability.training.clipping import clip_gradient
from learnability.training.engines import ENGINES, AutogradEngine, NativeEngine, extras
from learnability.training.engines.engine import aligned
from learnability.training.member import Member
from learnability.training.settings import TrainingSettings

VALIDATION_CHUNK = 250
"""Sequences run at once in validation: bounds memory, whatever the size of the set."""
GATE_SEQUENCES = 32
"""Validation sequences behind the gate statistics: a gate has T x H values in each."""


class SideBySide:
    """Runs that take their epochs together; one that diverges is left behind with its last good state."""

    def __init__(self, network: Network, settings: TrainingSettings, members: list[Member]) -> None:
        self.network, self.settings, self.members = network, settings, members
        self._steps: dict[int, _Step] = {}
        self._validation = _Validation(network, settings, members)

    def run_epoch(self, epoch: int, check: Callable[[], None]) -> dict[str, float]:
        """Take a pass over the training sequences, then validate; return `milliseconds_per_step` and `seconds`.

        Args:
            check: called before each step; may raise.
        """
        began = time.perf_counter()
        for member in self.members:
            member.renew(epoch)
        orders = torch.stack([member.order(epoch) for member in self.members]).to(self.settings.device)
        batches = orders.split(self.settings.batch_size, 1)
        records: list[Tensor] = []
        for number, batch in enumerate(batches):
            check()
            records.append(self._step(epoch, number, batch).clone())
        updates = torch.cat(records).permute(2, 1, 0).double().cpu().numpy()  # here the device is waited for
        end_of_steps = time.perf_counter()
        pairs = zip(self.members, updates, strict=True)
        self.measure(epoch, [self._row(epoch, member, *values[:, values[2] > 0]) for member, values in pairs])
        milliseconds = 1e3 * (end_of_steps - began) / len(batches)
        return {"milliseconds_per_step": milliseconds, "seconds": time.perf_counter() - began}

    def _step(self, epoch: int, number: int, batch: Tensor) -> Tensor:
        size = batch.shape[1]
        if size not in self._steps:
            has_mask = self.members[0].training.mask is not None
            kind = _PartedStep if extras(self.network, self.settings.truncation, has_mask) else _Step
            self._steps[size] = kind(self.network, self.settings, self.members, size)
        return self._steps[size](epoch, number, batch)

    def _row(
        self, epoch: int, member: Member, losses: np.ndarray, norms: np.ndarray, weights: np.ndarray
    ) -> dict[str, float]:
        """A row of the learning curve; or, at the first update that is not finite, the end of the run."""
        bad = np.flatnonzero(~np.isfinite(losses + norms))
        good = losses[: bad[0]] if len(bad) else losses
        member.last_loss = good[-1] if len(good) else member.last_loss
        if len(bad):
            first = bad[0]
            fault = f"loss {losses[first]:.4g}, gradient norm {norms[first]:.4g}"
            member.diverge(epoch, f"step {first + 1}", fault)
        return {
            "training_loss": float(losses @ weights / weights.sum()),
            "gradient_norm": float(norms.mean()),
            "gradient_norm_max": float(norms.max()),
            "clipped_fraction": float((norms > self.settings.gradient_clip).mean()),
        }

    def measure(self, epoch: int, rows: list[dict[str, float]]) -> None:
        """Finish the epoch of each run that has not diverged: validation figures into its row, gate statistics."""
        validation = self._validation()
        for member, row, loss, accuracy, finite, gates in zip(self.members, rows, *validation, strict=True):
            if member.diverged:
                continue
            if finite and np.isfinite(loss):
                r_squared = 1 - loss / member.baseline if member.baseline else np.nan
                figures = {"validation_loss": loss, "r_squared": r_squared}
                figures |= {} if accuracy is None else {"validation_accuracy": accuracy}
                member.finish_epoch(epoch, row | figures, gates)
            else:
                member.diverge(epoch, "after its last step", f"validation loss {loss:.4g} or a parameter is not finite")


class _Step:
    """An optimiser step of each run on batches of one size.

    Its engine is its own: a captured graph writes into the engine's buffers for ever.
    """

    def __init__(self, network: Network, settings: TrainingSettings, members: list[Member], size: int) -> None:
        self.settings, self.members = settings, members
        self.engine = ENGINES[settings.engine](network, [member.parameters for member in members])
        self.batch = torch.empty(len(members), size, dtype=torch.int64, device=settings.device)
        self._captured = Captured(self._take, settings.device)

    def __call__(self, epoch: int, number: int, batch: Tensor) -> Tensor:
        """Take a step of an epoch on sequences `batch` (model, sequence).

        Returns:
            (update, 3, model): losses, gradient norms and weights in the mean loss, 0 where there was no update.
        """
        self.batch.copy_(batch)
        return self._captured()

    def _take(self) -> Tensor:
        inputs, targets = self._batch_part("inputs"), self._batch_part("targets")
        losses = self.engine.losses_and_gradients(inputs, targets)
        factor = inputs.shape[2] if self.settings.loss_reduction == "sum" else 1
        norms = torch.stack([self._update(member, factor) for member in self.members])
        return torch.stack([losses, norms, torch.full_like(losses, inputs.shape[1])])[None]

    def _batch_part(self, part: str) -> Tensor:
        """Inputs, targets or masks of the batch."""
        pairs = zip(self.members, self.batch, strict=True)
        return torch.stack([getattr(member.training, part)[indices] for member, indices in pairs])

    def _update(self, member: Member, factor: float) -> Tensor:
        """Clip `factor` times the gradient and step; its norm before clipping."""
        parameters = member.parameters.values()
        if factor != 1:
            for parameter in parameters:
                parameter.grad.mul_(factor)  # type: ignore[union-attr]
        norm = clip_gradient(parameters, self.settings.gradient_clip)
        member.optimizer.step()
        return norm


class _PartedStep(_Step):
    """A step with masks, in segments that carry the state on, with random steps or regularization.

    Of the autograd engine, and of the native one where there are masks or random steps alone.
    """

    engine: AutogradEngine | NativeEngine

    def __call__(self, epoch: int, number: int, batch: Tensor) -> Tensor:
        """Take an update for each segment; a run without targets that count there takes none."""
        self.batch.copy_(batch)
        inputs, targets = self._batch_part("inputs"), self._batch_part("targets")
        masks = None if self.members[0].training.mask is None else self._batch_part("mask")
        noisy = self.engine.network.is_random
        generators = [member.generator(epoch, number) for member in self.members] if noisy else None
        length, states, updates = self.settings.truncation or inputs.shape[2], None, []
        for start in range(0, inputs.shape[2], length):
            segment = slice(start, start + length)
            mask = None if masks is None else masks[:, :, segment]
            x, y = inputs[:, :, segment], targets[:, :, segment]
            losses, states = self.engine.losses_and_states(x, y, mask, states, generators)
            counts = [x[0, ..., 0].numel()] * len(self.members) if mask is None else mask.sum((1, 2)).tolist()
            is_sum = self.settings.loss_reduction == "sum"  # over t, and the mean over sequences
            norms = [
                self._update(member, count / len(x[0]) if is_sum else 1) if count else losses.new_zeros(())
                for member, count in zip(self.members, counts, strict=True)
            ]
            updates.append(torch.stack([losses, torch.stack(norms), losses.new_tensor(counts)]))
        return torch.stack(updates)


class _Validation:
    """Validation of runs in their present state."""

    def __init__(self, network: Network, settings: TrainingSettings, members: list[Member]) -> None:
        self.network, self.members, self.truncation = network, members, settings.truncation
        start, cell = network.cell.initial_state(members[0].validation.inputs[:1, 0]), type(network.cell)
        runs_whole = isinstance(start, Tensor) and (cell.carried is Cell.carried or not settings.truncation)
        self.has_gate = cell.gate is not Cell.gate and runs_whole
        self.engine = ENGINES[settings.engine](network, [member.parameters for member in members])
        self._captured = Captured(self._measure, settings.device)

    def __call__(self) -> tuple[list[float], Sequence[float | None], list[bool], Sequence[Tensor | None]]:
        """Loss of each run, accuracy of classes, True for finite parameters, gates (sequence, time, gate)."""
        losses, accuracies, finite, gates = self._captured()
        shares = [None] * len(self.members) if accuracies is None else accuracies.tolist()
        return losses.tolist(), shares, finite.tolist(), gates

    def _measure(self) -> tuple[Tensor, Tensor | None, Tensor, Sequence[Tensor | None]]:
        first = self.members[0].validation
        costs: list[list[Tensor]] = []
        hit_counts: list[list[Tensor]] = []
        gates: Sequence[Tensor | None] = [None] * len(self.members)
        for start in range(0, len(first.targets), VALIDATION_CHUNK):
            chunk = slice(start, start + VALIDATION_CHUNK)
            if self.has_gate:
                inputs = torch.stack([member.validation.inputs[chunk] for member in self.members])
                triples = zip(self.members, self.engine.states(inputs), inputs, strict=True)
                parts = [(member, aligned(states), aligned(x)) for member, states, x in triples]
                predictions = [self.network.predict(member.parameters, states[:, 1:]) for member, states, _ in parts]
                if not start:
                    gates = [self._gate(m, s[:GATE_SEQUENCES, :-1], x[:GATE_SEQUENCES]) for m, s, x in parts]
            else:
                predictions = [self._predictions(member, member.validation.inputs[chunk]) for member in self.members]
            pairs = list(zip(self.members, predictions, strict=True))
            costs.append([self._cost(member, prediction, chunk) for member, prediction in pairs])
            if first.scored is not None:
                hit_counts.append([self._hits(member, prediction, chunk) for member, prediction in pairs])
        totals, accuracies = _totals(costs), None
        if first.scored is not None:
            score_counts = torch.stack([member.validation.scored.sum() for member in self.members])  # type: ignore[union-attr]
            accuracies = _totals(hit_counts) / score_counts.double()
        finite = torch.stack([_all_finite(member.parameters) for member in self.members])
        count = first.targets[..., 0].numel() if first.targets.dim() > 2 else first.targets.numel()
        if first.mask is None:
            return totals / count, accuracies, finite, gates
        counts = torch.stack([member.validation.mask.sum() for member in self.members])  # type: ignore[union-attr]
        return totals / counts, accuracies, finite, gates

    def _predictions(self, member: Member, inputs: Tensor) -> Tensor:
        hidden = hidden_units(self.network.cell, member.parameters, inputs, self.truncation)
        return self.network.read_out(member.parameters, hidden)

    def _cost(self, member: Member, predictions: Tensor, chunk: slice) -> Tensor:
        """Σ ℓ over the targets that count."""
        loss, data = LOSSES[self.network.loss], member.validation
        if data.mask is None:
            return loss.sum(predictions, data.targets[chunk])
        losses = loss.each(predictions, data.targets[chunk])
        return losses.where(data.mask[chunk], 0).double().sum()  # indexing by a mask would wait for the device

    def _hits(self, member: Member, predictions: Tensor, chunk: slice) -> Tensor:
        targets, places = member.validation.targets[chunk], member.validation.scored[chunk]  # type: ignore[index]
        return hits(predictions, targets, places)

    def _gate(self, member: Member, states: Tensor, inputs: Tensor) -> Tensor | None:
        return self.network.cell.gate(member.parameters, states, inputs)


def _totals(parts: list[list[Tensor]]) -> Tensor:
    """Sums over chunks, a run each."""
    return torch.stack([torch.stack(run_parts).sum() for run_parts in zip(*parts, strict=True)])


def _all_finite(parameters: Parameters) -> Tensor:
    return torch.stack([parameter.isfinite().all() for parameter in parameters.values()]).all()
