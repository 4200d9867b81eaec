"""Section 8.1: gradients of mini-batches are averages of those of sequences, and what their size does to training."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float64
from numpy import ndarray

from learnability.cells import Parameters
from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network, hidden_units
from learnability.tasks import Sequences
from learnability.tasks.delayed_sum import DelayedSum
from studies.gated.exhibit import Exhibit, ExhibitRequest, statements
from studies.gated.mini_batches.question import QUESTION
from studies.gated.trials import train_at_rates

TABLES = QUESTION.tables
EPOCHS, UPDATES = "equal sequences", "equal updates"
"""The two ways in which losses are compared."""
RESAMPLES = 200
"""Bootstrap resamples of the draws, for the interval of a slope."""


def make(request: ExhibitRequest) -> Exhibit:
    """Noise and bias of gradients over the batch size, and the losses that training reaches."""
    sizes, count = request.settings["batch_sizes"], request.settings["sequences"]
    fits = all(count % size == 0 for size in sizes) and sizes[-1] == count
    require(fits, "mini_batches.batch_sizes", f"divisors of the {count} sequences, all of them last", sizes)
    updates = request.settings["updates"]
    fits = all(updates * size % count == 0 for size in sizes)
    require(fits, "mini_batches.updates", f"a multiple of {count // min(sizes)}, those of an epoch at most", updates)
    measurements = [_measure(request, seed) for seed in request.seeds]
    tables = dict(
        zip(TABLES, (pd.concat(frames, ignore_index=True) for frames in zip(*measurements, strict=True)), strict=True)
    )
    return Exhibit(tables, statements(statement for seed in request.seeds for statement in _statements(tables, seed)))


def gradients_of(
    network: Network, parameters: Parameters, sequences: Sequences
) -> Float64[ndarray, "sequence parameter"]:
    """The gradient of the mean loss of each sequence, all parameters in a row."""
    leaves = {name: tensor.double().requires_grad_() for name, tensor in parameters.items()}
    rows = []
    for x, y in zip(sequences.inputs, sequences.targets, strict=True):
        hidden = hidden_units(network.cell, leaves, torch.from_numpy(x)[None].double())
        loss = LOSSES[network.loss].each(network.read_out(leaves, hidden), torch.from_numpy(y)[None].double()).mean()
        rows.append(
            torch.cat([gradient.flatten() for gradient in torch.autograd.grad(loss, list(leaves.values()))]).numpy()
        )
    return np.stack(rows)


def distances_of(
    gradients: Float64[ndarray, "sequence parameter"], size: int, draws: int, generator: np.random.Generator
) -> Float64[ndarray, "draw"]:
    """‖g_B - g‖²/‖g‖² of batches whose sequences are drawn independently, so that its mean is σ²/(B ‖g‖²)."""
    count, whole = len(gradients), gradients.mean(0)
    batches = generator.integers(count, size=(draws, size))
    shares = np.stack([np.bincount(batch, minlength=count) for batch in batches]) / size
    return np.asarray(((shares @ gradients - whole) ** 2).sum(1) / (whole**2).sum())


def bias_of(gradients: Float64[ndarray, "sequence parameter"], size: int, generator: np.random.Generator) -> float:
    """‖mean of the batches of an epoch - g‖/‖g‖, each sequence in one batch."""
    order = generator.permutation(len(gradients)).reshape(-1, size)
    batches, whole = gradients[order].mean(1), gradients.mean(0)
    return float(np.linalg.norm(batches.mean(0) - whole) / np.linalg.norm(whole))


def slope_of(sizes: Float64[ndarray, "size"], values: Float64[ndarray, "... size"]) -> Float64[ndarray, "..."]:
    """Slope of log values over log sizes, by least squares."""
    x = np.log(sizes) - np.log(sizes).mean()
    return np.asarray(np.log(values) @ x / (x @ x))


def _measure(request: ExhibitRequest, seed: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    settings = request.settings
    task = DelayedSum(**settings["task"], root_seed=request.root_seed, seed=seed)
    data = task.generate("training", settings["sequences"]), task.generate("validation", settings["sequences"])
    architecture = {"cell": "gru", "gate_init": 0.5}
    network = Network.for_task(architecture, task, settings["hidden_size"], readout_bias=False)
    noise, slope = _noise(request, seed, network, data[0])
    curves = pd.concat([_curves(request, seed, network, data, size) for size in settings["batch_sizes"]])
    return noise, slope, _losses(settings, curves), curves


def _noise(request: ExhibitRequest, seed: int, network: Network, data: Sequences) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Variance and bias of batches' gradients before training, and the slope of the variance."""
    settings = request.settings
    gradients = gradients_of(network, network.initial_parameters(request.root_seed, seed), data)
    whole = gradients.mean(0)
    single = float(((gradients - whole) ** 2).sum(1).mean() / (whole**2).sum())
    generator = numpy_generator(request.root_seed, seed, "mini batches", "draws")
    rows, distances = [], []
    for size in settings["batch_sizes"]:
        distances.append(distances_of(gradients, size, settings["draws"], generator))
        row = {"seed": seed, "batch_size": size, "parameters": network.count_parameters()}
        row |= {"variance": distances[-1].mean(), "expected": single / size}
        rows.append(row | {"bias": bias_of(gradients, size, generator)})
    sizes, draws = np.array(settings["batch_sizes"], float), np.stack(distances, 1)
    places = generator.integers(len(draws), size=(RESAMPLES, *draws.shape))
    slopes = slope_of(sizes, np.take_along_axis(draws[None], places, 1).mean(1))
    low, high = (float(end) for end in np.quantile(slopes, [0.025, 0.975]))
    slope = {"seed": seed, "slope": float(slope_of(sizes, draws.mean(0))), "slope_low": low, "slope_high": high}
    return pd.DataFrame(rows), pd.DataFrame([slope])


def _curves(
    request: ExhibitRequest, seed: int, network: Network, data: tuple[Sequences, Sequences], size: int
) -> pd.DataFrame:
    """Validation loss by epoch at each rate."""
    settings = request.settings
    an_epoch = settings["sequences"] // size
    epochs = max(settings["epochs"], settings["updates"] // an_epoch)
    rates = settings["learning_rates"]
    models = train_at_rates(network, data, rates, request.root_seed, seed, epochs=epochs, batch_size=size)
    names: dict[str, Any] = {"seed": seed, "batch_size": size}
    return pd.concat(
        [
            pd.DataFrame(
                names
                | {"rate": rate, "epoch": model.curve["epoch"], "updates": model.curve["epoch"] * an_epoch}
                | {"loss": model.curve["validation_loss"].fillna(np.inf)}
            )
            for rate, model in zip(rates, models, strict=True)
        ]
    )


def _losses(settings: Any, curves: pd.DataFrame) -> pd.DataFrame:
    """The lowest loss over rates after as many sequences, and after as many updates, and at which rate it is."""
    frames = []
    for comparison, column, at in ((EPOCHS, "epoch", settings["epochs"]), (UPDATES, "updates", settings["updates"])):
        rows = curves[curves[column] == at]
        best = rows.sort_values("loss", kind="stable").drop_duplicates(["seed", "batch_size"])
        frames.append(best.sort_values("batch_size").assign(compared=comparison))
    columns = ["seed", "compared", "batch_size", "rate", "epoch", "updates", "loss"]
    return pd.concat(frames)[columns]


def _statements(tables: dict[str, pd.DataFrame], seed: int) -> Iterator[tuple[str, int, float]]:
    noise, slope, losses = (tables[name][tables[name]["seed"] == seed] for name in TABLES[:3])
    yield "batch_bias", seed, noise["bias"].max()
    yield "batch_variance_slope", seed, slope["slope"].iloc[0]
    by_size = losses.pivot(index="batch_size", columns="compared", values="loss").sort_index()
    yield "full_over_mini_equal_sequences", seed, by_size[EPOCHS].iloc[-1] / by_size[EPOCHS].iloc[:-1].min()
    yield "smallest_over_full_equal_updates", seed, by_size[UPDATES].iloc[0] / by_size[UPDATES].iloc[-1]
