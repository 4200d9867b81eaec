"""Epochs and validations of runs side by side: everything on the device, read once an epoch."""

import time
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from learnability.cells import Parameters
from learnability.networks.network import Network
from learnability.training.capture import Captured
from learnability.training.engines import ENGINES
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
        for batch, losses_and_norms in zip(batches, recorded, strict=True):
            check()
            losses_and_norms.copy_(self._step(batch))
        found = recorded.permute(2, 1, 0).double().cpu().numpy()  # here the device is waited for
        stepped = time.perf_counter()
        sizes = np.array([batch.shape[1] for batch in batches])
        each = zip(self.members, found, strict=True)
        self.measure(epoch, [self._row(epoch, member, losses, norms, sizes) for member, (losses, norms) in each])
        milliseconds = 1e3 * (stepped - began) / len(batches)
        return {"milliseconds_per_step": milliseconds, "seconds": time.perf_counter() - began}

    def _step(self, batch: Tensor) -> Tensor:
        size = batch.shape[1]
        if size not in self._steps:
            self._steps[size] = _Step(self.network, self.settings, self.members, size)
        return self._steps[size](batch)

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
                figures = {"validation_loss": loss, "r_squared": 1 - loss / member.variance}
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

    def __call__(self, batch: Tensor) -> Tensor:
        """Take the step on sequences `batch` (model, sequence); losses and gradient norms (2, model)."""
        self.batch.copy_(batch)
        return self._captured()

    def _take(self) -> Tensor:
        chosen = list(zip(self.members, self.batch, strict=True))
        inputs = torch.stack([member.training[0][indices] for member, indices in chosen])
        targets = torch.stack([member.training[1][indices] for member, indices in chosen])
        losses = self.engine.losses_and_gradients(inputs, targets)
        factor = inputs.shape[2] if self.settings.loss_reduction == "sum" else 1
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


class _Validation:
    """How runs do on their validation sequences as they stand."""

    def __init__(self, network: Network, settings: TrainingSettings, members: list[Member]) -> None:
        self.network, self.members = network, members
        self.engine = ENGINES[settings.engine](network, [member.parameters for member in members])
        self._captured = Captured(self._measure, settings.device)

    def __call__(self) -> tuple[list[float], list[bool], list[Tensor]]:
        """For each run: loss, whether its parameters are finite, gates (sequence, time, gate)."""
        losses, finite, gates = self._captured()
        return losses.tolist(), finite.tolist(), gates

    def _measure(self) -> tuple[Tensor, Tensor, list[Tensor]]:
        sequences, duration = self.members[0].validation[1].shape
        squared: list[list[Tensor]] = []
        gates: list[Tensor] = []
        for start in range(0, sequences, VALIDATION_CHUNK):
            chunk = slice(start, start + VALIDATION_CHUNK)
            inputs = torch.stack([member.validation[0][chunk] for member in self.members])
            states = self.engine.states(inputs)
            each = [(m, aligned(s), aligned(x)) for m, s, x in zip(self.members, states, inputs, strict=True)]
            squared.append([self._squared_error(member, s, member.validation[1][chunk]) for member, s, _ in each])
            if not start:
                gates = [self._gate(member, s[:GATE_SEQUENCES, :-1], x[:GATE_SEQUENCES]) for member, s, x in each]
        totals = torch.stack([torch.stack(parts).sum() for parts in zip(*squared, strict=True)])
        finite = torch.stack([_all_finite(member.parameters) for member in self.members])
        return totals / (sequences * duration), finite, gates

    def _squared_error(self, member: Member, states: Tensor, targets: Tensor) -> Tensor:
        errors = self.network.predict(member.parameters, states[:, 1:]) - targets
        return errors.double().square().sum()

    def _gate(self, member: Member, states: Tensor, inputs: Tensor) -> Tensor:
        return self.network.cell.gate(member.parameters, states, inputs)


def _all_finite(parameters: Parameters) -> Tensor:
    return torch.stack([parameter.isfinite().all() for parameter in parameters.values()]).all()
