"""Tables of what `studies.attention.trained` measures, beside those of the paper."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from studies.attention.before_training import by_quarters
from studies.attention.dense_tables import DENSE
from studies.attention.paper import OF_DELAYS, printed

MOST = 0.9
"""Accuracy from which symbols count as learned."""
RISING = 0.05
"""Accuracy gained in the last quarter of training from which a network still learns when training ends."""
LEAST_WEIGHT = 0.005
"""Below which a weight of attention is not kept: too pale to see."""
BUFFER_ALONE = "buffer_rnn"
"""The architecture that attends to the short-term buffer alone: RelRNN with ρ = 0."""
TABLES = {"copy_transfer": ("copy", True), "denoised": ("denoise", False), "copied": ("copy", False)}
"""Of which experiment a table of the paper is, and whether its networks were trained at the first delay alone."""


def tabulate(measured: Mapping[str, pd.DataFrame], updates: Mapping[str, int]) -> dict[str, pd.DataFrame]:
    """Tables 1, 2 and 5 of the paper, by model and delay T, beside what it prints; and how networks learn.

    Args:
        measured: `answers`, `arriving` and `attention`, of `studies.attention.trained`, and `curve`, learning curves,
            all with `experiment`, `architecture` and `seed`, answers with `trained_at`, the delay of their network; and
            `costs`, of `studies.attention.backward.measure_costs`, with `architecture`.
        updates: in an epoch of each experiment, by its name without the delay.

    Returns:
        `copy_transfer`, `denoised`, `copied`: the share of symbols that are named again, `measured`, the median over
        seeds, with `low` and `high`; what a guess names, `chance`; and of how many seeds training `diverged`. NaN where
        there is no network, and then, where the paper has a share, what one seed would cost in `core_hours`, by the
        time of a gradient in training, along a power of T through the two longest that were measured.
        `learning_speed`: the `loss` and `accuracy` of validation sequences at the end, and the `updates` after which
        accuracy is at least `MOST` for the first time, NaN if never, of `all_updates`; and by how much accuracy rose in
        the last quarter, `late_gain`; medians over seeds, of which one that never learns counts as the last. Of `seeds`
        training `diverged` in some: they end before the task's longest. `baseline` is the loss of who guesses.
        `trained_gradients`: of denoise at its first delay, see `studies.attention.before_training.by_quarters`.
        `attended`: to how many states a step of the second half of a sequence attends, of `steps`, at least: 1/Σα² if
        what is not kept has `LEAST_WEIGHT` each; the median over steps, and `measured` that over seeds, with `low` and
        `high`.
    """
    answers, arriving, curves = (of_copying(measured[kind]) for kind in ("answers", "arriving", "curve"))
    answers = answers.astype({"delay": int, "trained_at": int})  # of other tasks they have none
    curves["updates"] = curves["epoch"] * curves["task"].map(updates)
    total = curves.groupby("task")["updates"].max()
    own = answers[answers["delay"] == answers["trained_at"]]
    learning = _learning(curves, total, own.groupby("experiment")["baseline"].first())
    return {
        **{name: _beside_the_paper(name, answers, learning, measured["costs"], total) for name in OF_DELAYS},
        "learning_speed": learning,
        "trained_gradients": by_quarters(at_first_delay(arriving).query("task == 'denoise'")),
        "attended": _attended(measured["attention"], measured["arriving"]),
    }


def in_words(experiment: str) -> str:
    """Task and delay of an experiment, if it has any."""
    task, _, delay = experiment.rpartition("_")
    return f"{task}, T = {delay}" if delay.isdigit() else experiment.replace("_", " ")


def by_delay(experiments: Iterable[str]) -> list[str]:
    """Experiments of copy and denoise, each task's in order of the delay."""
    return sorted(experiments, key=lambda name: (name.rpartition("_")[0], _delay_of(name)))


def _delay_of(experiment: str) -> int:
    return int(experiment.rpartition("_")[2])


def at_first_delay(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of `of_copying` at the shortest delay of each task."""
    own = of_copying(table)
    first = own[["task"]].assign(name=own["experiment"]).sort_values("name", key=lambda names: names.map(_delay_of))
    return own[own["experiment"].isin(first.drop_duplicates("task")["name"])]


def of_copying(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of experiments with a delay, and their `task`, the experiment's name without it."""
    own = table[~table["experiment"].isin(DENSE)]
    return own.assign(task=own["experiment"].map(lambda name: str(name).rpartition("_")[0]))


def _learning(curves: pd.DataFrame, total: "pd.Series[int]", baseline: "pd.Series[float]") -> pd.DataFrame:
    names = ["experiment", "architecture"]
    runs = curves.groupby([*names, "seed"], sort=False)
    reached = curves[curves["validation_accuracy"] >= MOST].groupby([*names, "seed"])["updates"].min()
    ends = runs[["validation_loss", "validation_accuracy", "updates"]].last()
    ends.columns = pd.Index(["loss", "accuracy", "all_updates"])
    early = curves[curves["updates"] <= 0.75 * runs["updates"].transform("max")]
    ends["late_gain"] = ends["accuracy"] - early.groupby([*names, "seed"])["validation_accuracy"].last()
    of_models = ends.assign(updates=reached.reindex(ends.index).fillna(np.inf)).groupby(names, sort=False)
    stopped = ends["all_updates"] < runs["task"].last().map(total)
    table = of_models.median().assign(seeds=of_models.size(), diverged=stopped.groupby(names, sort=False).sum())
    table = table.replace({"updates": {np.inf: np.nan}}).reset_index()
    return table.assign(baseline=table["experiment"].map(baseline))


def _attended(attention: pd.DataFrame, arriving: pd.DataFrame) -> pd.DataFrame:
    names = ["experiment", "architecture"]
    durations = (arriving.groupby([*names, "seed"])["back"].max() + 1).to_dict()
    rows = []
    for run, given in attention.groupby([*names, "seed"], sort=False):
        steps, weight = durations[run], given["weight"].astype(float)
        sums = given.assign(weight=weight, square=weight**2).groupby("step")[["weight", "square"]].sum()
        late = sums.reindex(range(steps // 2 + 1, steps + 1), fill_value=0)  # of pale weights alone nothing is kept
        number = 1 / (late["square"] + (1 - late["weight"]).clip(lower=0) * LEAST_WEIGHT)
        rows.append([*run, steps, number.median()])
    runs = pd.DataFrame(rows, columns=[*names, "seed", "steps", "states"]).groupby([*names, "steps"], sort=False)
    table = runs["states"].agg(["median", "min", "max", "count"])
    table.columns = pd.Index(["measured", "low", "high", "seeds"])
    return table.reset_index()


def _beside_the_paper(
    name: str, answers: pd.DataFrame, learning: pd.DataFrame, costs: pd.DataFrame, updates: "pd.Series[int]"
) -> pd.DataFrame:
    task, transferred = TABLES[name]
    of_task = answers[answers["task"] == task]
    first = of_task["trained_at"].min()
    chosen = of_task[of_task["trained_at"] == (first if transferred else of_task["delay"])]
    groups = chosen.groupby(["experiment", "architecture", "delay"])
    shares = groups["accuracy"].agg(["median", "min", "max", "count"])
    shares.columns = pd.Index(["measured", "low", "high", "seeds"])
    shares = shares.join(groups["chance"].first()).reset_index()
    shares = shares.merge(learning[["experiment", "architecture", "diverged"]]).drop(columns="experiment")
    paper = printed(name)
    counts = ["seeds", "diverged"]
    table = paper.merge(shares, how="outer").fillna(dict.fromkeys(counts, 0)).astype(dict.fromkeys(counts, int))
    order = {architecture: place for place, architecture in enumerate(dict.fromkeys(paper["architecture"]))}
    table = table.sort_values(["architecture", "delay"], key=lambda each: each.replace(order), ignore_index=True)
    blank = table["measured"].isna() & table["paper"].notna() & (not transferred)
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
    (near, far), (before, last) = np.log(rows["steps"]), np.log(rows["training_seconds"])
    return float(np.exp(last + (last - before) / (far - near) * (np.log(delay + 20) - far)))
