"""Numbers behind headlines on networks that are not trained: gradients that arrive, and what a backward pass keeps."""

import math
from collections.abc import Mapping
from functools import cache
from json import dumps, loads
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float64

from learnability.core.variation import Headline
from learnability.networks.backward import step_costs
from learnability.networks.network import Network
from learnability.tasks import Denoise
from studies.attention.backward import measure_norms
from studies.attention.before_training import by_quarters

Numbers = dict[str, float]
Settings = Mapping[str, Any]

FAR = 5
"""Orders of magnitude between networks from which gradients are said to differ by far."""
FASTER = 0.2
"""Least difference of powers of T from which memory grows faster."""

HEADLINES = {
    "arriving": Headline(
        ("orders between networks", "orders lost by the network that loses least"),
        lambda at: "far apart" if at["orders between networks"] >= FAR else "close",
        ("norms",),
    ),
    "costs": Headline(
        ("power of T of memory with full attention", "power of T of memory with screening or none, at most"),
        lambda at: (
            "faster"
            if at["power of T of memory with full attention"]
            > at["power of T of memory with screening or none, at most"] + FASTER
            else "alike"
        ),
        ("costs",),
    ),
}
"""Headlines by the question that they answer."""


def numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """All numbers behind the headlines, of one seed.

    Args:
        settings: `norms`, with `architectures`, `units`, `delay` and `sequences`; and `costs`, with `full`,
            architectures that attend to all states, `others`, `units`, `delay` and `batch_size`.
    """
    losses = _orders_lost(dumps(settings["norms"]), root_seed, seed)
    return {
        "orders between networks": float(np.ptp(losses)),
        "orders lost by the network that loses least": -float(losses.max()),
        **_powers(dumps(settings["costs"]), root_seed, seed),
    }


@cache
def _orders_lost(text: str, root_seed: int, seed: int) -> Float64[np.ndarray, "networks"]:
    """log₁₀ of what arrives in the farthest quarter, less that at the last step, of networks of which any does."""
    norms = loads(text)
    size = {name: norms[name] for name in ("units", "delay", "sequences")}
    of_networks = [
        measure_norms(architecture, **size, root_seed=root_seed, seeds=[seed]).assign(architecture=name)
        for name, architecture in norms["architectures"].items()
    ]
    farthest = by_quarters(pd.concat(of_networks)).iloc[:, -2].to_numpy()
    return farthest[np.isfinite(farthest)]


@cache
def _powers(text: str, root_seed: int, seed: int) -> Numbers:
    """Local power of T, from T to 2T, of what the backward pass keeps."""
    costs = loads(text)
    powers = {
        kind: [_power_of_memory(architecture, costs, root_seed, seed) for architecture in costs[kind].values()]
        for kind in ("full", "others")
    }
    return {
        "power of T of memory with full attention": min(powers["full"]),
        "power of T of memory with screening or none, at most": max(powers["others"]),
    }


def _power_of_memory(architecture: Settings, costs: Settings, root_seed: int, seed: int) -> float:
    tasks = [Denoise(delay, root_seed, seed) for delay in (costs["delay"], 2 * costs["delay"])]
    network = Network.for_task(architecture, tasks[0], costs["units"], readout_bias=True)
    parameters = {name: tensor.float() for name, tensor in network.initial_parameters(root_seed, seed).items()}
    data = [task.generate("backward", costs["batch_size"]) for task in tasks]
    batches = [(torch.from_numpy(sequences.inputs), torch.from_numpy(sequences.targets)) for sequences in data]
    memory = [cost.kept for cost in step_costs(network, parameters, batches, 1)]
    steps = [sequences.inputs.shape[1] for sequences in data]
    return math.log(memory[1] / memory[0]) / math.log(steps[1] / steps[0])
