"""The number behind headlines, from settings alone: what a search over settings computes again and again.

Gradients before training are measured at a small size. Networks with attention and without are trained on a delayed sum
at several learning rates, and what each explains of it is compared, at one rate and at each network's best; then each
headline has numbers, and an answer in a word or two.

The other headlines of the study are not asked. Statements of the appendix have no settings but those that they are
stated with, and the page names what turns them. Costs are counted in bytes of one size of network over T. What trained
networks recall, attend to and transfer takes from 20,000 to 200,000 updates for each network, and agents as many
frames: hours for each of the settings. The page keeps the settings that were named by hand for these.
"""

import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from json import dumps, loads
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float64

from learnability.core.variation import Headline
from learnability.networks.network import Network
from learnability.tasks import build_task
from learnability.training import Run, TrainingSettings, train
from learnability.training.engines import choose_engine
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
    "widening": _of_pairs("at one rate"),
    "at_best_rates": _of_pairs("at best rates"),
}
"""By the question that they answer, see `studies.attention.findings`."""


def headline_numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """All numbers behind the headlines, of one seed.

    Args:
        settings: `norms`, with `architectures`, `units`, `delay` and `sequences`; and `delayed_sum`, with `task` and
            the numbers of its sequences, `network`, `architectures`, `optimizer`, `learning_rates`, of which the middle
            one is that of all, and `training`.

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
        **_compared(middle, "at one rate"),
        **_compared(best, "at best rates"),
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
def _explained(asked: str, root_seed: int, seed: int) -> pd.DataFrame:
    """Share of the variance that each network explains at each learning rate at which it does not diverge."""
    settings = loads(asked)
    task = build_task({k: v for k, v in settings["task"].items() if not k.endswith("_sequences")}, root_seed, seed)
    training, validation = (
        task.generate(split, settings["task"][f"{split}_sequences"]) for split in ("training", "validation")
    )
    curves, runs = [], []
    for architecture, of_cell in settings["architectures"].items():
        network = Network.for_task(of_cell, task, **settings["network"])
        engine, _ = choose_engine("auto", "cpu", network)
        asked_of_all = TrainingSettings(**{**settings["training"], "engine": engine, "keep_diverged": True})
        for rate in settings["learning_rates"]:
            optimizer = settings["optimizer"] | {"learning_rate": rate}
            run = Run("search", optimizer, root_seed, seed, training, validation)
            with tempfile.TemporaryDirectory() as folder:
                (trained,) = train(network, asked_of_all, [run], Path(folder) / "checkpoint")
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
