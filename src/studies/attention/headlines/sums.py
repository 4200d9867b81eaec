"""Numbers behind headlines on networks that learn a delayed sum, with attention and without, at several rates."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from learnability.core.variation import Headline
from learnability.windows.readings import Reading
from learnability.windows.through_training import measure_run
from studies.attention.at_best_rates.tables import tabulate
from studies.attention.comparisons import MOSTLY
from studies.attention.headlines.learned import train
from studies.attention.window_tables import pairs
from studies.attention.window_tables import tabulate as of_windows

Numbers = dict[str, float]
Settings = Mapping[str, Any]

MORE = 0.01
"""Share of the variance from which one network explains more than another."""


def _of_pairs(name: str) -> Headline:
    """Headline that attention explains more in all pairs of the same cell, in none, or in part."""
    return Headline(
        (
            *(f"pairs in which attention explains more {name}", f"pairs in which it explains less {name}"),
            *(f"mean share that attention adds {name}", f"what it adds to kept gradients {name}"),
        ),
        lambda more, less, *_: "no" if more == 0 else "yes" if less == 0 else "in part",
        ("delayed_sum",),
    )


HEADLINES = {
    "widening": _of_pairs("at one rate"),
    "at_best_rates": _of_pairs("at best rates"),
    "detected_first": Headline(
        ("share of learned lags that are detected in time",),
        lambda share: "mostly" if share >= MOSTLY else "in part",
        ("delayed_sum", "windows"),
    ),
}
"""Headlines by the question that they answer."""


def numbers(settings: Settings, root_seed: int, seed: int) -> Numbers:
    """All numbers behind the headlines, of one seed.

    Args:
        settings: `delayed_sum`, with `task` and the numbers of its sequences, `network`, `architectures`, `optimizer`,
            `learning_rates`, of which the middle one is that of all, and `training`; and `windows`, with `networks`,
            those that are measured at the lags of the task, `sequences`, a `reading`, and the `window` of
            `learnability.windows.readings.Reading.of`.

    Returns:
        By name; NaN where there is no pair of networks, or no lag is learned.
    """
    runs = list(_runs(settings["delayed_sum"], seed))
    rates = sorted(settings["delayed_sum"]["learning_rates"])
    middle = rates[len(rates) // 2]
    curves = [train(run, root_seed, seed).curve.assign(**_names(run)) for run in runs]
    labels = [_description(run) for run in runs]
    table = tabulate({"rated": pd.concat(curves)}, {"rated": labels})["attention_rates"]
    shares = table[table["diverged"] == 0].assign(seed=seed)
    best = shares.loc[shares.groupby("architecture")["share"].idxmax()]
    return {
        **_compare(shares[np.isclose(shares["rate"], middle)], "at one rate"),
        **_compare(best, "at best rates"),
        **_in_time([run for run in runs if _rate(run) == middle], settings["windows"], root_seed, seed),
    }


def _runs(settings: Settings, seed: int) -> Iterator[dict[str, Any]]:
    for architecture, of_cell in settings["architectures"].items():
        for rate in settings["learning_rates"]:
            yield {
                "experiment": f"rate_{rate:g}",
                "architecture": architecture,
                "architecture_settings": of_cell,
                "optimizer_settings": settings["optimizer"] | {"learning_rate": rate},
                "seed": seed,
            } | {name: settings[name] for name in ("task", "network", "training")}


def _rate(run: Settings) -> float:
    return float(run["optimizer_settings"]["learning_rate"])


def _names(run: Settings) -> dict[str, Any]:
    return {name: run[name] for name in ("experiment", "architecture", "seed")}


def _description(run: Settings) -> dict[str, Any]:
    return _names(run) | {"name": "delayed_sum", "rate": _rate(run), "noise_sd": run["task"]["noise_sd"]}


def _compare(networks: pd.DataFrame, name: str) -> Numbers:
    """Networks with attention against the same cell without, and against recurrences that keep a gradient."""
    gains: dict[str, list[float]] = {"same cell": [], "keeps its gradient": []}
    for (_, _, _, kind), pair in pairs(networks):
        gains[kind].append(float(pair["share"].iloc[0] - pair["share_without"].iloc[0]))
    same_cell = np.array(gains["same cell"])
    return {
        f"pairs in which attention explains more {name}": float((same_cell > MORE).sum()),
        f"pairs in which it explains less {name}": float((same_cell < -MORE).sum()),
        f"mean share that attention adds {name}": _mean(gains["same cell"]),
        f"what it adds to kept gradients {name}": _mean(gains["keeps its gradient"]),
    }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")


def _in_time(runs: Sequence[Settings], windows: Settings, root_seed: int, seed: int) -> Numbers:
    """Share of the lags learned to a tenth that is detected before, or at the same stored epoch."""
    reading = Reading.of(windows["reading"], windows["window"])
    tables = [
        measure_run(
            run, {**windows, "lags": run["task"]["lags"]}, train(run, root_seed, seed).snapshots, reading, root_seed
        )
        for run in runs
        if run["architecture"] in windows["networks"]
    ]
    measurements = [pd.concat([part[kind] for part in tables]) for kind in ("training_windows", "training_responses")]
    order = of_windows(*measurements)["attention_order"]
    rows = order[order["is_trained_on"] & (order["share"] == order["share"].min())]
    lags = rows["learned"].sum()
    in_time = 1 - rows["after"].sum() / lags if lags else np.nan
    return {"share of learned lags that are detected in time": float(in_time)}
