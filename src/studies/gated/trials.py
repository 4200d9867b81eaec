"""Small networks that an exhibit trains itself, side by side at several learning rates."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from learnability.networks.network import Network
from learnability.tasks import Sequences
from learnability.training import Run, Trained, TrainingSettings, train
from learnability.training.engines import choose_engine, extras


def train_at_rates(
    network: Network,
    data: tuple[Sequences, Sequences],
    rates: Sequence[float],
    root_seed: int,
    seed: int,
    **training: Any,
) -> list[Trained]:
    """The network trained by Adam, once at each rate, from the same weights and in the same order of sequences.

    Args:
        data: for training and for validation.
        training: `epochs` and `batch_size`.
    """
    needs = extras(network, 0, data[0].mask is not None)
    common: dict[str, Any] = {"gradient_clip": 1.0, "loss_reduction": "mean", "keep_diverged": True}
    settings = TrainingSettings(choose_engine("auto", "cpu", network, needs)[0], **common | training)
    optimizers: list[Mapping[str, Any]] = [{"method": "adam", "learning_rate": rate} for rate in rates]
    runs = [
        Run(f"rate {rate}", optimizer, root_seed, seed, *data)
        for rate, optimizer in zip(rates, optimizers, strict=True)
    ]
    with TemporaryDirectory() as folder:
        return train(network, settings, runs, Path(folder) / "checkpoint.pt")


def best_of(models: Sequence[Trained]) -> int:
    """Index of the training with the lowest validation loss."""
    losses = [model.curve["validation_loss"].fillna(float("inf")).min() for model in models]
    return losses.index(min(losses))
