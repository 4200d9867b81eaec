"""Tables of what `studies.attention.trained` measures, beside what the paper prints."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from studies.attention.before_training import by_quarters
from studies.attention.paper import OF_DELAYS, printed

HALF, MOST, NEARLY_ALL = 0.5, 0.9, 0.99
"""Shares of symbols named: no guess comes near; a network counts as one that has learned; it hardly errs."""
NEAR = 0.05
"""Difference of shares up to which one agrees with the paper's."""
RISING = 0.05
"""Accuracy gained in the last quarter of training from which a network still learns when training ends."""
LEAST_WEIGHT = 0.005
"""Below which a weight of attention is not kept: too pale to see."""
BUFFER_ALONE = "buffer_rnn"
"""The architecture that attends to the short-term buffer alone: RelRNN with ρ = 0."""
LONGER, VARIED, BY = "epochs", ("relevant", "short_term"), "by"
"""What is changed where networks are trained once more: the epochs, ρ or ν, or the recipe."""
RECIPES = {"authors_code": "the authors' code"}
"""Recipes in words; of others the name."""
PRINTED = "printed"
"""The recipe of all other networks: what the paper prints, and our choice where it leaves something open."""
NAME = re.compile(
    rf"(?P<task>\w+?)_(?P<delay>\d+)"
    rf"(?:_(?P<variant>{'|'.join((LONGER, *VARIED))})_(?P<value>\d+)|_{BY}_(?P<recipe>\w+))?"
)
"""Of an experiment with a delay: its task and delay, and where its networks are trained once more, what is changed."""
QUARTERS = [f"quarter_{place}" for place in (1, 2, 3, 4)]
"""Of the way back from the last step but one, the farthest last."""
TABLES = {"copy_transfer": ("copy", True), "denoised": ("denoise", False), "copied": ("copy", False)}
"""Of which experiment a table of the paper is, and whether its networks were trained at the first delay alone."""


def tabulate(
    measured: Mapping[str, pd.DataFrame], trainings: Mapping[str, Mapping[str, int]]
) -> dict[str, pd.DataFrame]:
    """Tables 1, 2 and 5 of the paper, by model and delay T, beside what it prints; and how networks learn.

    Args:
        measured: `answers`, `arriving` and `attention`, of `studies.attention.trained`, and `curve`, learning curves,
            all with `experiment`, `architecture` and `seed`, answers with `trained_at`, the delay of their network; and
            `costs`, of `studies.attention.backward.measure_costs`, with `architecture`.
        trainings: by experiment, `epochs` that are asked for, `updates` in an epoch, and `perfect_validations` in a
            row that end a training, 0 for none.

    Returns:
        `copy_transfer`, `denoised`, `copied`: the share of symbols that a network names again, `measured`, the median
        over `seeds`, with `low` and `high`. A cell takes the networks by another `recipe` than `PRINTED` where there
        are any, and of several trainings by one recipe the longest; a training that diverged in all seeds before it had
        learned takes no other's place. With the `experiment` and its `updates`; `chance`, the share of a guess; and of
        how many seeds training `diverged`. A share is `conclusive` if its recipe is not `PRINTED`, or if the network
        has learned the delay it was trained at: `PRINTED` leaves starts and updates open, so a network that has not
        learned by it may learn by another. A cell without a network is NaN. If the paper has a share there,
        `core_hours` is what one seed would cost, by the time of a gradient in training, along a power of T through the
        two longest that were measured. `copy_transfer` has right answers at all steps, too: `all_steps`, with `all_low`
        and `all_high`, and of a network without memory `all_chance`. The code of the paper counts the last ten steps,
        the code of expRNN all of them; the paper does not say by which its row of expRNN was counted.
        `recipes`: the share by each recipe, of networks that were trained by several, at the delay of their training;
        with `updates`, `updates_to_99` and `all_updates` as in `learning_speed`.
        `learning_speed`: the `loss` and `accuracy` of validation sequences at the end of training; the `updates` after
        which accuracy is at least `MOST` for the first time, and `updates_to_99` for `NEARLY_ALL`, both NaN if never,
        of `all_updates`; and by how much accuracy rose in the last quarter, `late_gain`. All are medians over seeds, of
        which one that never learns counts as the last. Of `seeds` training `diverged` in some: it ended before all
        updates that were asked for, and not because the network had learned.
        `baseline` is the loss of who guesses.
        `longer_training`: of networks that are trained longer, the accuracy of validation sequences when others of
        their task end, `early`, after `early_updates`, of the same seeds, and at the end, `late`, with `low` and
        `high`, after `late_updates` unless training `diverged`; the share that the `paper` has; and the rest as in
        `learning_speed`.
        `trained_gradients`: of denoise at each delay, see `studies.attention.before_training.by_quarters`, `QUARTERS`
        of sequences of `steps`; of networks by another `recipe` than `PRINTED` where there are any, as in `attended`.
        `attended`: to how many states a step of the second half of a sequence attends, of `steps`, at least: 1/Σα² if
        what is not kept has `LEAST_WEIGHT` each; the median over steps, and `measured` that over seeds, with `low` and
        `high`.
    """
    answers, curves = (of_copying(measured[kind], "", LONGER, BY) for kind in ("answers", "curve"))
    answers = answers.astype({"delay": int, "trained_at": int})  # of other tasks they have none
    asked = pd.DataFrame([{"experiment": name, **each} for name, each in trainings.items()])
    curves = curves.merge(asked.rename(columns={"updates": "of_epoch"}), on="experiment", validate="many_to_one")
    curves = curves.assign(updates=curves["epoch"] * curves["of_epoch"], asked=curves["epochs"] * curves["of_epoch"])
    usual = curves[curves["variant"] == ""].groupby("task")["asked"].max()
    curves = curves.assign(usual=curves["task"].map(usual))
    own = answers[answers["delay"] == answers["trained_at"]]
    learning = _learning(curves, own.groupby("experiment")["baseline"].first())
    return {
        **{name: _beside_the_paper(name, answers, learning, measured["costs"], usual) for name in OF_DELAYS},
        "recipes": _recipes(own, learning),
        "learning_speed": learning,
        "longer_training": _longer(curves, learning),
        "trained_gradients": _trained_gradients(measured["arriving"]),
        "attended": attended(*(best_founded(measured[kind]) for kind in ("attention", "arriving"))),
    }


SUMS = {
    "delayed_sum_sparse": "delayed sum of sparse inputs",
    "delayed_sum_authors_starts": "delayed sum from starts of public code",
}
"""Experiments on delayed sums in words, in which something is changed."""


def in_words(experiment: str) -> str:
    """Task and delay of an experiment, if it has any, and what is changed in it."""
    found = NAME.fullmatch(experiment)
    if found is None:
        return SUMS.get(experiment, experiment.replace("_", " "))
    changed = {"epochs": "{:,} epochs", "relevant": "ρ = {}", "short_term": "ν = {}"}
    more = f", {changed[found['variant']].format(int(found['value']))}" if found["variant"] else ""
    more = f", by {RECIPES.get(found['recipe'], found['recipe'])}" if found["recipe"] else more
    return f"{found['task'].replace('_', ' ')}, T = {found['delay']}{more}"


def by_delay(experiments: Iterable[str]) -> list[str]:
    """Experiments of copy and denoise, each task's in order of the delay."""

    def place(experiment: str) -> tuple[str, int, int]:
        found = NAME.fullmatch(experiment)
        assert found is not None, experiment
        return found["task"], int(found["delay"]), int(found["value"] or 0)

    return sorted(experiments, key=place)


def of_copying(table: pd.DataFrame, *variants: str) -> pd.DataFrame:
    """Rows of experiments with a delay: `task`, `at_delay`, what is changed, `variant` and its `value`; and `recipe`.

    Args:
        variants: of which rows are kept, "" being that of networks in which nothing is changed; if none is given, that.
    """
    parts = table["experiment"].astype(str).str.extract(f"^{NAME.pattern}$")
    parts = parts.set_axis(["task", "at_delay", "variant", "value", "recipe"], axis=1)
    parts["variant"] = parts["variant"].mask(parts["recipe"].notna(), BY)
    parts = parts.fillna({"variant": "", "value": "0", "recipe": PRINTED})
    kept = (parts["task"].notna() & parts["variant"].isin(variants or ("",))).to_numpy()
    own = parts[kept].astype({"at_delay": int, "value": int})
    return table[kept].assign(**{str(name): column.array for name, column in own.items()})


def best_founded(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of all tasks; of copying those by another recipe than `PRINTED` where a network has any, else as printed.

    Networks in which something is changed but the recipe are left out.
    """
    matches = {name: NAME.fullmatch(str(name)) for name in table["experiment"].unique()}
    changed = [name for name, match in matches.items() if match and match["variant"]]
    recipes = {name: bool(match and match["recipe"]) for name, match in matches.items()}
    tasks = {name: f"{match['task']}_{match['delay']}" if match else name for name, match in matches.items()}
    kept = table[~table["experiment"].isin(changed)]
    by_recipe = kept["experiment"].map(recipes).astype(bool)
    best = by_recipe.groupby([kept["experiment"].map(tasks), kept["architecture"]]).transform("max")
    return kept[by_recipe == best]


def longest(table: pd.DataFrame) -> pd.DataFrame:
    """The longest training of each network by each recipe, of rows of `learning_speed` as `of_copying` has them."""
    ordered = table.sort_values("all_updates")
    return ordered.groupby(["task", "at_delay", "architecture", "recipe"], sort=False, as_index=False).last()


def with_updates(curves: pd.DataFrame, learning: pd.DataFrame) -> pd.DataFrame:
    """Learning curves of the networks in `learning`, rows of `learning_speed`, with `updates` after each epoch."""
    run = ["experiment", "architecture"]
    last = curves.groupby([*run, "seed"])["epoch"].max().groupby(run).median()
    of_epoch = (learning.set_index(run)["all_updates"] / last).rename("of_epoch").dropna().reset_index()
    curves = curves.merge(of_epoch, on=run)
    return curves.assign(updates=curves["epoch"] * curves.pop("of_epoch"))


def at_first_delay(table: pd.DataFrame, *variants: str) -> pd.DataFrame:
    """Rows of `of_copying` at the shortest delay of each task."""
    own = of_copying(table, *variants)
    return own[own["at_delay"] == own.groupby("task")["at_delay"].transform("min")]


def _learning(curves: pd.DataFrame, baseline: "pd.Series[float]") -> pd.DataFrame:
    names = ["experiment", "architecture"]
    runs = curves.groupby([*names, "seed"], sort=False)
    ends = runs[["validation_loss", "validation_accuracy", "updates"]].last()
    ends.columns = pd.Index(["loss", "accuracy", "all_updates"])
    early = curves[curves["updates"] <= 0.75 * runs["updates"].transform("max")]
    ends["late_gain"] = ends["accuracy"] - early.groupby([*names, "seed"])["validation_accuracy"].last()
    for column, least in (("updates", MOST), ("updates_to_99", NEARLY_ALL)):
        reached = curves[curves["validation_accuracy"] >= least].groupby([*names, "seed"])["updates"].min()
        ends[column] = reached.reindex(ends.index).fillna(np.inf)
    of_models = ends.groupby(names, sort=False)
    stopped = (ends["all_updates"] < runs["asked"].first()) & ~_ended_by_learning(runs)
    table = of_models.median().assign(seeds=of_models.size(), diverged=stopped.groupby(names, sort=False).sum())
    table = table.replace({column: {np.inf: np.nan} for column in ("updates", "updates_to_99")}).reset_index()
    return table.assign(baseline=table["experiment"].map(baseline))


def _ended_by_learning(runs: Any) -> "pd.Series[bool]":
    """Whether a run's last validations are without an error, as many in a row as end a training."""
    ended = {}
    for name, curve in runs:
        asked = int(curve["perfect_validations"].iloc[0])
        last = curve["validation_accuracy"].tail(asked)
        ended[name] = 0 < asked == len(last) and (last == 1).all()
    return pd.Series(ended).rename_axis(runs.keys)


def _longer(curves: pd.DataFrame, learning: pd.DataFrame) -> pd.DataFrame:
    names = ["experiment", "architecture"]
    own = curves[curves["variant"] == LONGER]
    until = own[own["updates"] <= own["usual"]]
    seeds, early = (rows.groupby([*names, "seed"], sort=False)["validation_accuracy"].last() for rows in (own, until))
    ends = seeds.groupby(names, sort=False).agg(["median", "min", "max"])
    ends.columns = pd.Index(["late", "low", "high"])
    updates = own.groupby(names, sort=False)[["usual", "asked"]].first()
    ends[["early_updates", "late_updates"]] = updates
    ends["early"] = early.groupby(names, sort=False).median()
    kept = ["updates", "late_gain", "seeds", "diverged"]
    table = of_copying(ends.reset_index().merge(learning[[*names, *kept]], on=names), LONGER)
    paper = pd.concat([printed(name).assign(task=task) for name, (task, moved) in TABLES.items() if not moved])
    table = table.merge(paper.rename(columns={"delay": "at_delay"}), "left", ["task", "at_delay", "architecture"])
    shown = ["early_updates", "early", "late_updates", "late", "low", "high", *kept, "paper"]
    return table[[*names, *shown]]


def _trained_gradients(arriving: pd.DataFrame) -> pd.DataFrame:
    rows = of_copying(best_founded(arriving), "", BY).query("task == 'denoise'")
    columns = ["architecture", "last_step", *QUARTERS, "first"]
    parts = [
        by_quarters(own).set_axis(columns, axis=1).assign(delay=delay, steps=own["back"].max() + 1)
        for delay, own in rows.groupby("at_delay")
    ]
    named = ["delay", "steps", *columns, "recipe"]
    if not parts:
        return pd.DataFrame(columns=named)
    recipes = rows.rename(columns={"at_delay": "delay"})[["delay", "architecture", "recipe"]].drop_duplicates()
    return pd.concat(parts, ignore_index=True).merge(recipes, "left", validate="one_to_one")[named]


def attended(attention: pd.DataFrame, arriving: pd.DataFrame) -> pd.DataFrame:
    """`attended` of `tabulate`.

    Args:
        attention, arriving: of `studies.attention.trained`, with `experiment`, `architecture` and `seed`.
    """
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
    name: str, answers: pd.DataFrame, learning: pd.DataFrame, costs: pd.DataFrame, usual: "pd.Series[int]"
) -> pd.DataFrame:
    task, transferred = TABLES[name]
    of_task = answers[answers["task"] == task]
    first = of_task["trained_at"].min()
    chosen = of_task[of_task["trained_at"] == (first if transferred else of_task["delay"])]
    shares = _chosen_shares(chosen, learning, ["architecture", "delay"], transferred)
    paper = printed(name)
    counts = ["seeds", "diverged"]
    table = paper.merge(shares, how="outer").fillna(dict.fromkeys(counts, 0)).astype(dict.fromkeys(counts, int))
    arrived = (table["paper"] >= HALF) & (table["measured"] >= table["paper"] - NEAR) & (not transferred)
    conclusive = (table["recipe"] != PRINTED) | (table.pop("at_own") >= MOST) | arrived
    table["conclusive"] = conclusive.where(table["seeds"] > 0)
    order = {architecture: place for place, architecture in enumerate(dict.fromkeys(paper["architecture"]))}
    table = table.sort_values(["architecture", "delay"], key=lambda each: each.replace(order), ignore_index=True)
    blank = table["measured"].isna() & table["paper"].notna() & (not transferred)
    hours = [
        usual[task] * _seconds(costs, row["architecture"], row["delay"]) / 3600 if missing else np.nan
        for row, missing in zip(table.to_dict("records"), blank, strict=True)
    ]
    return table.assign(core_hours=hours)


def _chosen_shares(
    answers: pd.DataFrame, learning: pd.DataFrame, of: Sequence[str], everywhere: bool = False
) -> pd.DataFrame:
    """Shares over seeds, of the best founded experiment and the longest training in each group of the columns `of`.

    With `at_own`, the median share at the delay of training.
    """
    run = ["experiment", "architecture"]
    trained = learning[[*run, "all_updates", "diverged", "seeds"]].rename(columns={"all_updates": "updates"})
    at_own = answers[answers["delay"] == answers["trained_at"]].groupby(run)["accuracy"].median().rename("at_own")
    chosen = answers.merge(trained).merge(at_own.reset_index(), "left")
    alive = (chosen["diverged"] < chosen["seeds"]) | (chosen["at_own"] >= MOST)  # or it takes no other's place
    for preferred in (alive, chosen["recipe"] != PRINTED, chosen["updates"]):
        best = preferred[chosen.index].groupby([chosen[column] for column in of]).transform("max")
        chosen = chosen[preferred[chosen.index] == best]
    groups = chosen.groupby([*dict.fromkeys(["experiment", *of])])
    shares = groups["accuracy"].agg(["median", "min", "max", "count"])
    shares.columns = pd.Index(["measured", "low", "high", "seeds"])
    given = ["recipe", "chance", "updates", "diverged", "at_own"]
    if everywhere:
        all_steps = groups["all_steps"].agg(["median", "min", "max"])
        all_steps.columns = pd.Index(["all_steps", "all_low", "all_high"])
        shares, given = shares.join(all_steps), [*given, "all_chance"]
    return shares.join(groups[given].first().drop(columns=[*of], errors="ignore")).reset_index()


def _recipes(own: pd.DataFrame, learning: pd.DataFrame) -> pd.DataFrame:
    cell = ["task", "delay", "architecture"]
    several = own.groupby(cell)["recipe"].transform("nunique") > 1
    shares = _chosen_shares(own[several], learning, [*cell, "recipe"])
    speed = learning[["experiment", "architecture", "updates", "updates_to_99", "all_updates"]]
    table = shares.drop(columns="updates").merge(speed, on=["experiment", "architecture"])
    paper = pd.concat([printed(name).assign(task=task) for name, (task, moved) in TABLES.items() if not moved])
    shown = [
        "measured",
        "low",
        "high",
        "paper",
        "chance",
        "updates",
        "updates_to_99",
        "all_updates",
        "seeds",
        "diverged",
    ]
    table = table.merge(paper, "left", cell).sort_values([*cell, "recipe"], ignore_index=True)
    return table[[*cell, "recipe", *shown, "experiment"]]


def _seconds(costs: pd.DataFrame, architecture: str, delay: int) -> float:
    """Of a gradient on a batch; the task has 20 steps more than its delay."""
    rows = costs[costs["architecture"] == architecture].sort_values("steps").tail(2)
    if len(rows) < 2:
        return np.nan
    (near, far), (before, last) = np.log(rows["steps"]), np.log(rows["training_seconds"])
    return float(np.exp(last + (last - before) / (far - near) * (np.log(delay + 20) - far)))
