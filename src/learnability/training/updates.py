"""Training for a number of updates, whatever the number of sequences: what experiments on few sequences need.

In epochs, N sequences would confound how much there is to learn from with how long it is learned.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.networks.network import Network
from learnability.tasks import Sequences, Task
from learnability.training.engines import ENGINES, extras
from learnability.training.optimizers import build_optimizer

log = logging.getLogger(__name__)

Batch = tuple[Tensor, Tensor]
FRESH = 3200
"""Sequences that are made at once where none is shown twice."""


def train_for_updates(
    network: Network,
    initial: Parameters,
    batches: Iterable[Batch],
    optimizer: Mapping[str, Any],
    gradient_clip: float,
    engine: str,
    kept: Collection[int],
) -> dict[int, Parameters]:
    """Take an update on each batch, on the mean of the loss over its sequences and t, on the CPU in float32.

    Args:
        initial: parameters before the first update.
        batches: inputs (sequence, time, input) and targets (sequence, time).
        optimizer: see `build_optimizer`.
        gradient_clip: largest global L2 norm of the gradient.
        engine: a name in `ENGINES`.
        kept: numbers of updates after which the parameters are wanted.

    Returns:
        Parameters by number of updates. Where a loss or its gradient is not finite training ends, which is logged, and
        later ones are missing.

    Raises:
        InputError: for a network with random steps or regularization.
    """
    asked = extras(network, 0, False)
    require(not asked, "architecture", "without random steps and regularization, if updates are counted", asked)
    parameters = {name: parameter.float().clone() for name, parameter in initial.items()}
    taken_by = ENGINES[engine](network, [parameters])
    steps = build_optimizer(optimizer, parameters, network.cell.ORTHOGONAL)
    found = {0: {name: parameter.clone() for name, parameter in parameters.items()}}
    for update, (inputs, targets) in enumerate(batches, 1):
        loss = taken_by.losses_and_gradients(inputs[None], targets[None])
        norm = torch.nn.utils.clip_grad_norm_(parameters.values(), gradient_clip)
        if not torch.isfinite(loss + norm):
            log.warning("Training diverged at update %d: loss %.4g, gradient %.4g.", update, loss.item(), norm)
            break
        steps.step()
        if update in kept:
            found[update] = {name: parameter.clone() for name, parameter in parameters.items()}
    return {update: found[update] for update in found if update in kept}


def repeated_batches(sequences: Sequences, batch_size: int, updates: int, root_seed: int, seed: int) -> Iterator[Batch]:
    """Batches of a few sequences over and over, each pass in another order; all of them where they are no more.

    Args:
        sequences: N of them. The last batch of a pass may be smaller.
        root_seed, seed: name the stream of orders.
    """
    generator = numpy_generator(root_seed, seed, "order of updates")
    inputs, targets = map(torch.from_numpy, (sequences.inputs, np.asarray(sequences.targets)))
    left: list[Tensor] = []
    for _ in range(updates):
        if not left:
            left = list(torch.from_numpy(generator.permutation(len(inputs))).split(batch_size))
        chosen = left.pop(0)
        yield inputs[chosen], targets[chosen]


def fresh_batches(task: Task, batch_size: int, updates: int) -> Iterator[Batch]:
    """Batches of sequences none of which is shown twice: N = ∞."""
    together = max(1, FRESH // batch_size)
    for number, start in enumerate(range(0, updates, together)):
        found = task.generate(f"fresh {number}", min(together, updates - start) * batch_size)
        inputs, targets = map(torch.from_numpy, (found.inputs, np.asarray(found.targets)))
        yield from zip(inputs.split(batch_size), targets.split(batch_size), strict=True)
