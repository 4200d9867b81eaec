"""Numbers behind headlines on networks that are not trained: gradients that arrive, and what a backward pass keeps."""

import math
from collections.abc import Mapping
from functools import cache
from json import dumps, loads
from typing import Any

import pandas as pd
import torch

from learnability.core.variation import Headline
from learnability.networks.backward import step_costs
from learnability.networks.network import Network
from learnability.tasks import Denoise
from studies.attention.backward import measure_norms
from studies.attention.before_training import by_quarters
from studies.attention.screening import measure_screening
from studies.attention.sizes.tables import UNTRAINED, leverage

Numbers = dict[str, float]
Settings = Mapping[str, Any]

FAR = 5
"""Orders of magnitude between networks from which gradients are said to differ by far."""
WITHOUT, KEEPING = "lstm", ("mem_rnn", "mem_lstm", "rel_rnn", "sab")
"""The network without attention that loses most, and all with attention but RelLSTM."""
FASTER = 0.2
"""Least difference of powers of T from which memory grows faster."""

HEADLINES = {
    "arriving": Headline(
        ("orders that attention loses, but in RelLSTM", "orders that the LSTM loses"),
        lambda attention, lstm: "attention keeps" if lstm >= attention + FAR else "no better",
        ("norms",),
    ),
    "sizes": Headline(
        (
            "orders by which ν moves gradients before training, at least",
            "orders by which ρ moves gradients before training, at most",
        ),
        lambda by_nu, by_rho: "the buffer" if by_nu > by_rho else "not the buffer",
        ("screening",),
    ),
    "costs": Headline(
        ("power of T of memory with full attention", "power of T of memory with screening or none, at most"),
        lambda full, others: "faster" if full > others + FASTER else "alike",
        ("costs",),
    ),
}
"""Headlines by the question that they answer."""


def numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """All numbers behind the headlines, of one seed.

    Args:
        settings: `norms`, with `architectures`, among them `WITHOUT` and some of `KEEPING`, `units`, `delay` and
            `sequences`; `screening`, with `sizes` and `other` of `studies.attention.screening.measure_screening`, and
            `norms`; and `costs`, with `full`, architectures that attend to all states, `others`, `units`, `delay` and
            `batch_size`.
    """
    return {
        **_orders_lost(dumps(settings["norms"]), root_seed, seed),
        **_orders_moved(dumps(settings["screening"]), root_seed, seed),
        **_powers(dumps(settings["costs"]), root_seed, seed),
    }


@cache
def _orders_lost(text: str, root_seed: int, seed: int) -> Numbers:
    """Orders of magnitude from the last step to the farthest quarter of the way back."""
    norms = loads(text)
    size = {name: norms[name] for name in ("units", "delay", "sequences")}
    losses = {
        name: -_of_quarters(measure_norms(architecture, **size, root_seed=root_seed, seeds=[seed]))
        for name, architecture in norms["architectures"].items()
    }
    return {
        "orders that attention loses, but in RelLSTM": max(losses[name] for name in KEEPING if name in losses),
        "orders that the LSTM loses": losses[WITHOUT],
    }


def _of_quarters(norms: pd.DataFrame) -> float:
    *_, farthest, _ = by_quarters(norms.assign(architecture="network")).iloc[0]
    return float(farthest)


@cache
def _orders_moved(text: str, root_seed: int, seed: int) -> Numbers:
    """Orders of magnitude by which each size of what screening keeps moves the gradient, over networks."""
    settings = loads(text)
    norms = settings["norms"]
    size = {name: norms[name] for name in ("units", "delay", "sequences")}
    rows = []
    for name, architecture in norms["architectures"].items():
        table = measure_screening(
            architecture, settings["sizes"], settings["other"], **size, root_seed=root_seed, seeds=[seed]
        )
        for (size_name, value), group in table.groupby(["varied", "size"]):
            rows.append((name, UNTRAINED, size_name, value, _of_quarters(group)))
    leverages = leverage(pd.DataFrame(rows, columns=["architecture", "trained_on", "varied", "size", "farthest"]))
    return {
        "orders by which ν moves gradients before training, at least": float(leverages["short_term"].min()),
        "orders by which ρ moves gradients before training, at most": float(leverages["relevant"].max()),
    }


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
