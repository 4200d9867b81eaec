"""Epochs and validations of runs side by side: everything on the device, read once an epoch."""

import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from learnability.cells import Cell, Parameters
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network, hidden_units
from learnability.training.capture import Captured
from learnability.training.engines import ENGINES, AutogradEngine, is_plain
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
        """One pass over the training sequences, then validation; `milliseconds_per_step` and `seconds`.

        Args:
            check: called before each step; may raise.
        """
        began = time.perf_counter()
        orders = torch.stack([member.order(epoch) for member in self.members]).to(self.settings.device)
        batches = orders.split(self.settings.batch_size, 1)
        recorded = torch.empty(len(batches), 2, len(self.members), device=orders.device)
        for number, (batch, losses_and_norms) in enumerate(zip(batches, recorded, strict=True)):
            check()
            losses_and_norms.copy_(self._step(epoch, number, batch))
        found = recorded.permute(2, 1, 0).double().cpu().numpy()  # here the device is waited for
        stepped = time.perf_counter()
        sizes = np.array([batch.shape[1] for batch in batches])
        each = zip(self.members, found, strict=True)
        self.measure(epoch, [self._row(epoch, member, losses, norms, sizes) for member, (losses, norms) in each])
        milliseconds = 1e3 * (stepped - began) / len(batches)
        return {"milliseconds_per_step": milliseconds, "seconds": time.perf_counter() - began}

    def _step(self, epoch: int, number: int, batch: Tensor) -> Tensor:
        size = batch.shape[1]
        if size not in self._steps:
            masked = self.members[0].training.mask is not None
            kind = _Step if is_plain(self.network, self.settings.truncation, masked) else _PartedStep
            self._steps[size] = kind(self.network, self.settings, self.members, size)
        return self._steps[size](epoch, number, batch)

    def _row(
        self, epoch: int, member: Member, losses: np.ndarray, norms: np.ndarray, sizes: np.ndarray
    ) -> dict[str, float]:
        """A row of the learning curve; or, at the first step that is not finite, the end of the run."""
        bad = np.flatnonzero(~np.isfinite(losses + norms))
        good = losses[: bad[0]] if len(bad) else losses
        member.last_loss = good[-1] if len(good) else member.last_loss
        if len(bad):
            first = bad[0]
            found = f"loss {losses[first]:.4g}, gradient norm {norms[first]:.4g}"
            member.diverge(epoch, f"step {first + 1}", found)
        return {
            "training_loss": float(losses @ sizes / sizes.sum()),
            "gradient_norm": float(norms.mean()),
            "gradient_norm_max": float(norms.max()),
            "clipped_fraction": float((norms > self.settings.gradient_clip).mean()),
        }

    def measure(self, epoch: int, rows: list[dict[str, float]]) -> None:
        """Finish the epoch of each run that has not diverged: validation figures into its row, gate statistics."""
        found = self._validation()
        for member, row, loss, finite, gates in zip(self.members, rows, *found, strict=True):
            if member.diverged:
                continue
            if finite and np.isfinite(loss):
                figures = {"validation_loss": loss, "r_squared": 1 - loss / member.baseline}
                member.finish_epoch(epoch, row | figures, gates)
            else:
                member.diverge(epoch, "after its last step", f"validation loss {loss:.4g} or a parameter is not finite")


class _Step:
    """One optimiser step of each run on batches of one size.

    Its engine is its own: a captured graph writes into the engine's buffers for ever.
    """

    def __init__(self, network: Network, settings: TrainingSettings, members: list[Member], size: int) -> None:
        self.settings, self.members = settings, members
        self.engine = ENGINES[settings.engine](network, [member.parameters for member in members])
        self.batch = torch.empty(len(members), size, dtype=torch.int64, device=settings.device)
        self._captured = Captured(self._take, settings.device)

    def __call__(self, epoch: int, number: int, batch: Tensor) -> Tensor:
        """Take a step of an epoch on sequences `batch` (model, sequence); losses and gradient norms (2, model)."""
        self.batch.copy_(batch)
        return self._captured()

    def _take(self) -> Tensor:
        inputs, targets = self._chosen("inputs"), self._chosen("targets")
        return self._updated(self.engine.losses_and_gradients(inputs, targets), inputs.shape[2])

    def _chosen(self, part: str) -> Tensor:
        """Inputs, targets or masks of the batch."""
        chosen = zip(self.members, self.batch, strict=True)
        return torch.stack([getattr(member.training, part)[indices] for member, indices in chosen])

    def _updated(self, losses: Tensor, steps: int) -> Tensor:
        """Losses beside norms of the gradients, whose steps are taken."""
        factor = steps if self.settings.loss_reduction == "sum" else 1
        return torch.stack([losses, torch.stack([self._update(member, factor) for member in self.members])])

    def _update(self, member: Member, factor: int) -> Tensor:
        """Clip the gradient and step; its norm before clipping."""
        parameters = member.parameters.values()
        if factor != 1:
            for parameter in parameters:
                parameter.grad.mul_(factor)  # type: ignore[union-attr]
        norm = torch.nn.utils.clip_grad_norm_(parameters, self.settings.gradient_clip)
        member.optimizer.step()
        return norm


class _PartedStep(_Step):
    """A step with masks, in parts that carry the state on, or with random steps: of the autograd engine alone."""

    engine: AutogradEngine

    def __call__(self, epoch: int, number: int, batch: Tensor) -> Tensor:
        self.batch.copy_(batch)
        inputs, targets = self._chosen("inputs"), self._chosen("targets")
        masks = None if self.members[0].training.mask is None else self._chosen("mask")
        noisy = self.engine.network.cell.is_noisy
        generators = [member.generator(epoch, number) for member in self.members] if noisy else None
        length, states, found = self.settings.truncation or inputs.shape[2], None, []
        for start in range(0, inputs.shape[2], length):
            part = slice(start, start + length)
            mask = None if masks is None else masks[:, :, part]
            x, y = inputs[:, :, part], targets[:, :, part]
            losses, states = self.engine.losses_and_states(x, y, mask, states, generators)
            found.append(self._updated(losses, x.shape[2]))
        return torch.stack(found).mean(0)


class _Validation:
    """How runs do on their validation sequences as they stand."""

    def __init__(self, network: Network, settings: TrainingSettings, members: list[Member]) -> None:
        self.network, self.members = network, members
        self.has_gate = type(network.cell).gate is not Cell.gate
        self.engine = ENGINES[settings.engine](network, [member.parameters for member in members])
        self._captured = Captured(self._measure, settings.device)

    def __call__(self) -> tuple[list[float], list[bool], Sequence[Tensor | None]]:
        """For each run: loss, whether its parameters are finite, gates (sequence, time, gate) if it has any."""
        losses, finite, gates = self._captured()
        return losses.tolist(), finite.tolist(), gates

    def _measure(self) -> tuple[Tensor, Tensor, Sequence[Tensor | None]]:
        first = self.members[0].validation
        costs: list[list[Tensor]] = []
        gates: Sequence[Tensor | None] = [None] * len(self.members)
        for start in range(0, len(first.targets), VALIDATION_CHUNK):
            chunk = slice(start, start + VALIDATION_CHUNK)
            if self.has_gate:
                inputs = torch.stack([member.validation.inputs[chunk] for member in self.members])
                each = zip(self.members, self.engine.states(inputs), inputs, strict=True)
                parts = [(member, aligned(states), aligned(x)) for member, states, x in each]
                predictions = [self.network.predict(member.parameters, states[:, 1:]) for member, states, _ in parts]
                if not start:
                    gates = [self._gate(m, s[:GATE_SEQUENCES, :-1], x[:GATE_SEQUENCES]) for m, s, x in parts]
            else:
                predictions = [self._predictions(member, member.validation.inputs[chunk]) for member in self.members]
            each_cost = zip(self.members, predictions, strict=True)
            costs.append([self._cost(member, predicted, chunk) for member, predicted in each_cost])
        totals = torch.stack([torch.stack(parts).sum() for parts in zip(*costs, strict=True)])
        finite = torch.stack([_all_finite(member.parameters) for member in self.members])
        count = first.targets[..., 0].numel() if first.targets.dim() > 2 else first.targets.numel()
        if first.mask is None:
            return totals / count, finite, gates
        counts = torch.stack([member.validation.mask.sum() for member in self.members])  # type: ignore[union-attr]
        return totals / counts, finite, gates

    def _predictions(self, member: Member, inputs: Tensor) -> Tensor:
        hidden = hidden_units(self.network.cell, member.parameters, inputs)
        return self.network.read_out(member.parameters, hidden)

    def _cost(self, member: Member, predictions: Tensor, chunk: slice) -> Tensor:
        """Σ ℓ over the targets that count."""
        loss, data = LOSSES[self.network.loss], member.validation
        if data.mask is None:
            return loss.sum(predictions, data.targets[chunk])
        return loss.each(predictions, data.targets[chunk])[data.mask[chunk]].double().sum()

    def _gate(self, member: Member, states: Tensor, inputs: Tensor) -> Tensor | None:
        return self.network.cell.gate(member.parameters, states, inputs)


def _all_finite(parameters: Parameters) -> Tensor:
    return torch.stack([parameter.isfinite().all() for parameter in parameters.values()]).all()
