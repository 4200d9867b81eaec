"""Training of a single network in memory, from the settings that a workflow has of a run."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from learnability.networks.network import Network
from learnability.tasks import build_task
from learnability.training.engines import choose_engine, extras
from learnability.training.loop import train
from learnability.training.member import Trained
from learnability.training.settings import Run, TrainingSettings


def train_run(run: Mapping[str, Any], root_seed: int) -> tuple[Network, Trained]:
    """Train the network of a run on the processor; one that diverges ends with its last good epoch.

    Args:
        run: `architecture` and `optimizer` by name, `architecture_settings`, `optimizer_settings`, `seed`; `network`,
            arguments of `Network.for_task`; `training`, of `TrainingSettings`, of which the engine is chosen here; and
            `task`, with `training_sequences` and `validation_sequences`.
        root_seed: names all streams, with the seed.

    Raises:
        InputError: for settings that something refuses.

    Example:
        >>> task = {"name": "delayed_sum", "input_size": 1, "duration": 8, "lags": [2], "coefficients": [1.0]}
        >>> task |= {"noise_sd": 0.1, "training_sequences": 12, "validation_sequences": 6}
        >>> training = {"epochs": 2, "batch_size": 6, "gradient_clip": 1.0, "loss_reduction": "mean"}
        >>> run = {"architecture": "rnn", "architecture_settings": {"cell": "rnn"}, "seed": 0, "task": task}
        >>> run |= {"optimizer": "adam", "optimizer_settings": {"method": "adam", "learning_rate": 0.01}}
        >>> run |= {"network": {"hidden_size": 4, "readout_bias": False}, "training": training}
        >>> network, trained = train_run(run, root_seed=1)
        >>> network.cell.hidden_size, trained.curve["epoch"].tolist()
        (4, [0, 1, 2])
    """
    task = build_task(run["task"], root_seed, run["seed"])
    training, validation = (
        task.generate(split, run["task"][f"{split}_sequences"]) for split in ("training", "validation")
    )
    network = Network.for_task(run["architecture_settings"], task, **run["network"])
    demands = extras(network, run["training"].get("truncation", 0), training.mask is not None)
    engine, _ = choose_engine("auto", "cpu", network, demands)
    settings = TrainingSettings(**{**run["training"], "engine": engine, "device": "cpu", "keep_diverged": True})
    job = Run.of(run, root_seed, training, validation, task=task)
    with tempfile.TemporaryDirectory() as folder:
        (outcome,) = train(network, settings, [job], Path(folder) / "checkpoint")
    return network, outcome
