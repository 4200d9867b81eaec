"""The number behind headlines, from settings alone: what a search over settings computes again and again.

Gradients before training, and what a backward pass keeps, are measured at a small size. Networks with attention and
without are trained on a delayed sum at several learning rates, and what each explains of it is compared, at one rate
and at each network's best. `studies.attention.copying` trains networks to copy over a short delay. Then each
headline has numbers, and an answer in a word or two.

The other headlines of the study are not asked. Statements of the appendix have no settings but those that they are
stated with, and the page names what turns them. The rest is of recipes, of long delays, of data that a small network
does not learn in seconds, and of agents: hours for each of the settings. The page keeps the settings that were named by
hand for these.
"""

import math
from collections.abc import Mapping, Sequence
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
from learnability.training import train_run
from studies.attention import copying
from studies.attention.backward import measure_norms
from studies.attention.before_training import by_quarters
from studies.attention.rate_tables import tabulate
from studies.attention.window_tables import pairs

Numbers = dict[str, float]
Settings = Mapping[str, Any]

FACTORS = (0.5, 2.0)
"""By which a search multiplies each setting."""
NOT_VARIED = ("validation_sequences",)
"""They only say how finely is measured."""
FAR = 5
"""Orders of magnitude between networks from which gradients are said to differ by far."""
FASTER = 0.2
"""By how much a power of T must be larger, so that memory grows faster."""
MORE = 0.01
"""Share of the variance from which one network explains more than another."""


def _of_pairs(name: str) -> Headline:
    """Whether attention explains more in all pairs of the same cell, in none, or in part."""
    more, less = f"pairs in which attention explains more {name}", f"pairs in which it explains less {name}"
    return Headline(
        (more, less, f"mean share that attention adds {name}", f"what it adds to kept gradients {name}"),
        lambda at: "no" if at[more] == 0 else "yes" if at[less] == 0 else "in part",
    )


HEADLINES = {
    "arriving": Headline(
        ("orders between networks", "orders lost by the network that loses least"),
        lambda at: "far apart" if at["orders between networks"] >= FAR else "close",
    ),
    "costs": Headline(
        ("power of T of memory with full attention", "power of T of memory with screening or none, at most"),
        lambda at: (
            "faster"
            if at["power of T of memory with full attention"]
            > at["power of T of memory with screening or none, at most"] + FASTER
            else "alike"
        ),
    ),
    "widening": _of_pairs("at one rate"),
    "at_best_rates": _of_pairs("at best rates"),
    **copying.HEADLINES,
}
"""By the question that they answer, see `studies.attention.findings`."""


def headline_numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """All numbers behind the headlines, of one seed.

    Args:
        settings: `norms`, with `architectures`, `units`, `delay` and `sequences`; `costs`, with `full`, architectures
            that attend to all states, `others`, `units`, `delay` and `batch_size`; `delayed_sum`, with `task` and the
            numbers of its sequences, `network`, `architectures`, `optimizer`, `learning_rates`, of which the middle one
            is that of all, and `training`; and `copy`, see `studies.attention.copying.copying_numbers`.

    Returns:
        By name; NaN where there is no pair of networks.

    Raises:
        InputError: for settings that something refuses.
    """
    lost = _orders_lost(dumps(settings["norms"]), root_seed, seed)
    explained = _explained(dumps(settings["delayed_sum"]), root_seed, seed)
    rates = sorted(settings["delayed_sum"]["learning_rates"])
    middle = explained[np.isclose(explained["rate"], rates[len(rates) // 2])]
    best = explained.loc[explained.groupby("architecture")["share"].idxmax()]
    return {
        "orders between networks": float(np.ptp(lost)),
        "orders lost by the network that loses least": -float(lost.max()),
        **_powers(dumps(settings["costs"]), root_seed, seed),
        **_compared(middle, "at one rate"),
        **_compared(best, "at best rates"),
        **copying.copying_numbers(settings["copy"], root_seed, seed),
    }


@cache
def _orders_lost(asked: str, root_seed: int, seed: int) -> Float64[np.ndarray, "networks"]:
    """log₁₀ of what arrives in the farthest quarter, less that at the last step, of networks of which any does."""
    norms = loads(asked)
    size = {name: norms[name] for name in ("units", "delay", "sequences")}
    of_networks = [
        measure_norms(architecture, **size, root_seed=root_seed, seeds=[seed]).assign(architecture=name)
        for name, architecture in norms["architectures"].items()
    ]
    farthest = by_quarters(pd.concat(of_networks)).iloc[:, -2].to_numpy()
    return farthest[np.isfinite(farthest)]


@cache
def _powers(asked: str, root_seed: int, seed: int) -> Numbers:
    """Local power of T, from T to 2T, of what the backward pass keeps."""
    costs = loads(asked)
    powers = {
        kind: [_power_of_memory(each, costs, root_seed, seed) for each in costs[kind].values()]
        for kind in ("full", "others")
    }
    return {
        "power of T of memory with full attention": min(powers["full"]),
        "power of T of memory with screening or none, at most": max(powers["others"]),
    }


def _power_of_memory(architecture: Settings, costs: Settings, root_seed: int, seed: int) -> float:
    tasks = [Denoise(delay, root_seed, seed) for delay in (costs["delay"], 2 * costs["delay"])]
    network = Network.for_task(architecture, tasks[0], costs["units"], readout_bias=True)
    parameters = {name: each.float() for name, each in network.initial_parameters(root_seed, seed).items()}
    drawn = [task.generate("backward", costs["batch_size"]) for task in tasks]
    batches = [(torch.from_numpy(each.inputs), torch.from_numpy(each.targets)) for each in drawn]
    kept = [cost.kept for cost in step_costs(network, parameters, batches, 1)]
    steps = [each.inputs.shape[1] for each in drawn]
    return math.log(kept[1] / kept[0]) / math.log(steps[1] / steps[0])


@cache
def _explained(asked: str, root_seed: int, seed: int) -> pd.DataFrame:
    """Share of the variance that each network explains at each learning rate at which it does not diverge."""
    settings = loads(asked)
    curves, runs = [], []
    shared = {"optimizer": "adamw", "seed": seed} | {name: settings[name] for name in ("task", "network", "training")}
    for architecture, of_cell in settings["architectures"].items():
        for rate in settings["learning_rates"]:
            own = {"architecture": architecture, "architecture_settings": of_cell}
            own["optimizer_settings"] = settings["optimizer"] | {"learning_rate": rate}
            _, trained = train_run(shared | own, root_seed)
            names = {"experiment": f"rate_{rate:g}", "architecture": architecture, "seed": seed}
            curves.append(trained.curve.assign(**names))
            runs.append(names | {"name": "delayed_sum", "rate": rate, "noise_sd": settings["task"]["noise_sd"]})
    rates = tabulate(pd.concat(curves), runs)["attention_rates"]
    return rates[rates["diverged"] == 0].assign(seed=seed)


def _compared(networks: pd.DataFrame, name: str) -> Numbers:
    """Networks with attention against the same cell without, and against recurrences that keep a gradient."""
    gains: dict[str, list[float]] = {"same cell": [], "keeps its gradient": []}
    for (_, _, _, kind), both in pairs(networks):
        gains[kind].append(float(both["share"].iloc[0] - both["share_without"].iloc[0]))
    same = np.array(gains["same cell"])
    return {
        f"pairs in which attention explains more {name}": float((same > MORE).sum()),
        f"pairs in which it explains less {name}": float((same < -MORE).sum()),
        f"mean share that attention adds {name}": _mean(gains["same cell"]),
        f"what it adds to kept gradients {name}": _mean(gains["keeps its gradient"]),
    }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")
