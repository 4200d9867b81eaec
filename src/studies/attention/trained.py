"""What trained networks answer and attend to, and what of a gradient arrives in them (Kerg et al. 2020, Sec. 5, 6)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import torch

from learnability.cells import Parameters
from learnability.cells.attentive import AttentionCell
from learnability.networks.accuracy import measure_accuracy
from learnability.networks.attention import attention_map
from learnability.networks.network import Network
from learnability.tasks import Copy
from studies.attention.backward import log_norms
from studies.attention.before_training import by_quarters
from studies.attention.paper import OF_DELAYS, printed

LEAST_WEIGHT = 0.005
"""Below which a weight of attention is not kept: too pale to see."""
MOST = 0.9
"""Accuracy from which symbols count as learned."""
TABLES = {"copy_transfer": ("copy", True), "denoised": ("denoise", False), "copied": ("copy", False)}
"""Of which experiment a table of the paper is, and whether its networks were trained at the first delay alone."""


def measure_answers(
    network: Network, parameters: Parameters, task: Copy, delays: Sequence[int], sequences: int
) -> pd.DataFrame:
    """The share of symbols that are named again, at the task's own delay and at others.

    Args:
        parameters: float64; taken in float32, in which they were trained.
        delays: T, of the task but for that.
        sequences: that training has not seen.

    Returns:
        `delay`, `accuracy`, and `chance`, the share that a guess among the alphabet has.
    """
    single = {name: tensor.float() for name, tensor in parameters.items()}
    return pd.DataFrame(
        {
            "delay": delay,
            "accuracy": measure_accuracy(network, single, replace(task, delay=delay).generate("diagnostic", sequences)),
            "chance": 1 / task.alphabet,
        }
        for delay in delays
    )


def measure_arriving(network: Network, parameters: Parameters, task: Copy, sequences: int) -> pd.DataFrame:
    """`back`, steps before the last, and `log_norm`, as `studies.attention.backward.log_norms` has it."""
    found = log_norms(network, parameters, task, sequences)
    return pd.DataFrame({"back": np.arange(len(found)), "log_norm": found})


def measure_attention(network: Network, parameters: Parameters, task: Copy) -> pd.DataFrame:
    """`step`, `attended` and `weight`: α of one sequence, from `LEAST_WEIGHT` on; no row without attention."""
    columns = ["step", "attended", "weight"]
    if not isinstance(network.cell, AttentionCell):
        return pd.DataFrame(columns=columns)
    inputs = torch.from_numpy(task.generate("diagnostic", 1).inputs).double()
    weights = attention_map(network.cell, parameters, inputs)[0].numpy()
    steps, attended = np.nonzero(weights >= LEAST_WEIGHT)
    return pd.DataFrame(dict(zip(columns, (steps + 1, attended + 1, weights[steps, attended]), strict=True)))


def tabulate(measured: Mapping[str, pd.DataFrame], updates: Mapping[str, int]) -> dict[str, pd.DataFrame]:
    """Tables 1, 2 and 5 of the paper, by model and delay T, beside what it prints; and how networks learn.

    Args:
        measured: `answers` and `arriving`, of `measure_answers` and `measure_arriving`, and `curve`, learning curves,
            all with `experiment`, `architecture` and `seed`, answers with `trained_at`, the delay of their network; and
            `costs`, of `studies.attention.backward.measure_costs`, with `architecture`.
        updates: in an epoch of each experiment, by its name without the delay.

    Returns:
        `copy_transfer`, `denoised`, `copied`: the share of symbols that are named again, `measured`, the median over
        seeds, with `low` and `high`; NaN where nothing was trained, and then what it would cost in `core_hours`, by the
        time of a gradient, along a power of T through the two longest that were measured. `learning_speed`: the `loss`
        and `accuracy` of validation sequences at the end, and the `updates` after which accuracy is at least `MOST` for
        the first time, NaN if never, of `all_updates`; medians over seeds. `trained_gradients`: of denoise at its first
        delay, see `studies.attention.before_training.by_quarters`.
    """
    answers, arriving, curves = (
        measured[kind].assign(task=_tasks(measured[kind])) for kind in ("answers", "arriving", "curve")
    )
    curves["updates"] = curves["epoch"] * curves["task"].map(updates)
    total = curves.groupby("task")["updates"].max()
    of_denoise = arriving[arriving["task"] == "denoise"]
    first = of_denoise["experiment"].iloc[0]
    return {
        **{name: _beside_the_paper(name, answers, measured["costs"], total) for name in OF_DELAYS},
        "learning_speed": _learning(curves),
        "trained_gradients": by_quarters(of_denoise[of_denoise["experiment"] == first]),
    }


def in_words(experiment: str) -> str:
    """Task and delay of an experiment."""
    task, _, delay = experiment.rpartition("_")
    return f"{task}, T = {delay}"


def _tasks(table: pd.DataFrame) -> "pd.Series[str]":
    return table["experiment"].str.rpartition("_")[0]


def _learning(curves: pd.DataFrame) -> pd.DataFrame:
    names = ["experiment", "architecture"]
    runs = curves.groupby([*names, "seed"], sort=False)
    reached = curves[curves["validation_accuracy"] >= MOST].groupby([*names, "seed"])["updates"].min()
    ends = runs[["validation_loss", "validation_accuracy", "updates"]].last()
    ends.columns = pd.Index(["loss", "accuracy", "all_updates"])
    of_models = ends.assign(updates=reached).groupby(names, sort=False)
    return of_models.median().assign(seeds=of_models.size()).reset_index()


def _beside_the_paper(name: str, answers: pd.DataFrame, costs: pd.DataFrame, updates: "pd.Series[int]") -> pd.DataFrame:
    task, transferred = TABLES[name]
    of_task = answers[answers["task"] == task]
    first = of_task["trained_at"].min()
    chosen = of_task["trained_at"] == (first if transferred else of_task["delay"])
    shares = of_task[chosen].groupby(["architecture", "delay"])["accuracy"].agg(["median", "min", "max", "count"])
    shares.columns = pd.Index(["measured", "low", "high", "seeds"])
    paper = printed(name)
    table = paper.merge(shares.reset_index(), how="outer").fillna({"seeds": 0}).astype({"seeds": int})
    order = {architecture: place for place, architecture in enumerate(dict.fromkeys(paper["architecture"]))}
    table = table.sort_values(["architecture", "delay"], key=lambda each: each.replace(order), ignore_index=True)
    blank = table["measured"].isna() & ~transferred
    hours = [
        updates[task] * _seconds(costs, row["architecture"], row["delay"]) / 3600 if missing else np.nan
        for row, missing in zip(table.to_dict("records"), blank, strict=True)
    ]
    return table.assign(core_hours=hours)


def _seconds(costs: pd.DataFrame, architecture: str, delay: int) -> float:
    """Of a gradient on a batch; the task has 20 steps more than its delay."""
    rows = costs[costs["architecture"] == architecture].sort_values("steps").tail(2)
    if len(rows) < 2:
        return np.nan
    (near, far), (before, last) = np.log(rows["steps"]), np.log(rows["seconds"])
    return float(np.exp(last + (last - before) / (far - near) * (np.log(delay + 20) - far)))
