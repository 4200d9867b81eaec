"""Training for a number of updates, whatever the number of sequences, for experiments on few sequences.

In epochs, N sequences would confound how much there is to learn from with how long it is learned.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.networks.network import Network
from learnability.tasks import Sequences, Task
from learnability.training.clipping import clip_gradient
from learnability.training.engines import ENGINES, Engine, extras
from learnability.training.optimizers import build_optimizer

log = logging.getLogger(__name__)

Batch = tuple[Tensor, Tensor]
Batches = tuple[Tensor, Tensor, Tensor | None]
"""Batches of each model: inputs, targets, and a mask of the targets that count."""
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
    model_batches = ((inputs[None], targets[None], None) for inputs, targets in batches)
    (snapshots,) = train_models_for_updates(
        network, [initial], model_batches, [optimizer], gradient_clip, ENGINES[engine], kept
    )
    return snapshots


def train_models_for_updates(
    network: Network,
    initial: Sequence[Parameters],
    batches: Iterable[Batches],
    optimizers: Sequence[Mapping[str, Any]],
    gradient_clip: float,
    engine: type[Engine],
    kept: Collection[int],
) -> list[dict[int, Parameters]]:
    """`train_for_updates` of models of one network side by side, each with an optimiser of its own.

    Args:
        initial: parameters of each model.
        batches: of each update inputs (model, sequence, time, input), targets (model, sequence, time) and where these
            count, or None for everywhere.
        engine: that takes the gradients; with masks one that knows them.

    Returns:
        Results of `train_for_updates`, one for each model. A model that diverges stays where it was; the others go on.
    """
    demands = extras(network, 0, False)
    require(not demands, "architecture", "without random steps and regularization, if updates are counted", demands)
    models = [{name: parameter.float().clone() for name, parameter in model.items()} for model in initial]
    model_engine = engine(network, models)
    steps = [
        build_optimizer(optimizer, model, network.cell.ORTHOGONAL)
        for optimizer, model in zip(optimizers, models, strict=True)
    ]
    paths = [{0: _copy(model)} for model in models]
    active = set(range(len(models)))
    for update, (inputs, targets, masks) in enumerate(batches, 1):
        losses = _losses(model_engine, inputs, targets, masks)
        for place in sorted(active):
            norm = clip_gradient(models[place].values(), gradient_clip)
            if not torch.isfinite(losses[place] + norm):
                log.warning(
                    "Training diverged at update %d: loss %.4g, gradient %.4g.", update, losses[place].item(), norm
                )
                active.discard(place)
                continue
            steps[place].step()
            if update in kept:
                paths[place][update] = _copy(models[place])
        if not active:
            break
    return [{update: path[update] for update in path if update in kept} for path in paths]


def _losses(engine: Engine, inputs: Tensor, targets: Tensor, masks: Tensor | None) -> Tensor:
    """L of each model; its gradient is left in `.grad`."""
    if masks is None:
        return engine.losses_and_gradients(inputs, targets)
    losses: Tensor = engine.losses_and_states(inputs, targets, masks)[0]  # type: ignore[attr-defined]
    return losses


def _copy(parameters: Parameters) -> Parameters:
    return {name: parameter.clone() for name, parameter in parameters.items()}


def repeated_batches(sequences: Sequences, batch_size: int, updates: int, root_seed: int, seed: int) -> Iterator[Batch]:
    """Batches of a few sequences over and over, each pass in another order; all of them where they are no more.

    Args:
        sequences: N of them. The last batch of a pass may be smaller.
        root_seed, seed: name the stream of orders.
    """
    inputs, targets = map(torch.from_numpy, (sequences.inputs, np.asarray(sequences.targets)))
    for indices in repeated_orders(len(inputs), batch_size, updates, root_seed, seed):
        yield inputs[indices], targets[indices]


def repeated_orders(count: int, batch_size: int, updates: int, root_seed: int, seed: int) -> Iterator[Tensor]:
    """Yield the indices of the sequences, of `count`, that each batch of `repeated_batches` holds."""
    generator = numpy_generator(root_seed, seed, "order of updates")
    batches: list[Tensor] = []
    for _ in range(updates):
        if not batches:
            batches = list(torch.from_numpy(generator.permutation(count)).split(batch_size))
        yield batches.pop(0)


def fresh_batches(task: Task, batch_size: int, updates: int) -> Iterator[Batch]:
    """Batches of sequences none of which is shown twice: N = ∞."""
    together = max(1, FRESH // batch_size)
    for number, start in enumerate(range(0, updates, together)):
        sequences = task.generate(f"fresh {number}", min(together, updates - start) * batch_size)
        inputs, targets = map(torch.from_numpy, (sequences.inputs, np.asarray(sequences.targets)))
        yield from zip(inputs.split(batch_size), targets.split(batch_size), strict=True)
