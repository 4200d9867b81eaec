"""Tables of measurements of `studies.attention.trained`, beside numbers that the paper prints."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from studies.attention.before_training import by_quarters
from studies.attention.paper import OF_DELAYS, paper_shares

HALF, MOST, NEARLY_ALL = 0.5, 0.9, 0.99
"""Shares of symbols named: no guess comes near; a network counts as one that has learned; it hardly errs."""
NEAR = 0.05
"""Difference of shares up to which one agrees with the paper's."""
RISE = 0.05
"""Accuracy gained in the last quarter of training from which a network still learns when training ends."""
LEAST_WEIGHT = 0.005
"""Weight of attention below which none is kept: too pale to see."""
BUFFER_ALONE = "buffer_rnn"
"""The architecture that attends to the short-term buffer alone: RelRNN with ρ = 0."""
LONGER, SIZES, BY = "epochs", ("relevant", "short_term"), "by"
"""Changes with which networks are trained once more: of the epochs, of ρ or ν, or of the recipe."""
RECIPES = {"authors_code": "the authors' code"}
"""Recipes in words; of others the name."""
PRINTED = "printed"
"""The recipe of all other networks: what the paper prints, and our choice where it leaves something open."""
NAME = re.compile(
    rf"(?P<task>\w+?)_(?P<delay>\d+)"
    rf"(?:_(?P<variant>{'|'.join((LONGER, *SIZES))})_(?P<value>\d+)|_{BY}_(?P<recipe>\w+))?"
)
"""Parts of the name of an experiment: its task and delay, and the change with which networks are trained once more."""
QUARTERS = [f"quarter_{place}" for place in (1, 2, 3, 4)]
"""Quarters of the way back from the last step but one, the farthest last."""
TABLES = {"copy_transfer": ("copy", True), "denoised": ("denoise", False), "copied": ("copy", False)}
"""Task of each table of the paper, and whether its networks were trained at the first delay alone."""


def tabulate(
    measurements: Mapping[str, pd.DataFrame], trainings: Mapping[str, Mapping[str, int]]
) -> dict[str, pd.DataFrame]:
    """Tables 1, 2 and 5 of the paper, by model and delay T, beside what it prints; and how networks learn.

    Args:
        measurements: `answers`, `arriving` and `attention`, of `studies.attention.trained`, and `curve`, learning
            curves, all with `experiment`, `architecture` and `seed`, answers with `trained_at`, the delay of their
            network; and `costs`, of `studies.attention.backward.measure_costs`, with `architecture`.
        trainings: by experiment, `epochs` that are asked for, `updates` in an epoch, and `perfect_validations` in a
            row that end a training, 0 for none.

    Returns:
        `copy_transfer`, `denoised`, `copied`: the share of symbols that a network names again, `measured`, the median
        over `seeds`, with `low` and `high`. A cell takes the networks by another `recipe` than `PRINTED` where there
        are any, and of several trainings by one recipe the longest; a training that diverged in all seeds before it had
        learned takes no other's place. With the `experiment` and its `updates`; `chance`, the share of a guess; and of
        how many seeds training `diverged`. A share is `conclusive` if the network has learned the delay it was trained
        at, `MOST` of the symbols in the median, and if scores are finite in all sequences of all seeds: `finite` is the
        least share of sequences that are. Neither looks at the paper's share, so that a network that has not learned
        counts neither for the paper nor against it. A cell without a network is NaN. If the paper has a share there,
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
        `high`, after `late_updates`, both fewer where training `diverged` before; the share that the `paper` has; and
        the rest as in `learning_speed`. Updates are those made, not those asked for.
        `trained_gradients`: of denoise at each delay, see `studies.attention.before_training.by_quarters`, `QUARTERS`
        of sequences of `steps`; of networks by another `recipe` than `PRINTED` where there are any, as in `attended`.
        `attended`: to how many states a step of the second half of a sequence attends, of `steps`, at least: 1/Σα² if
        what is not kept has `LEAST_WEIGHT` each; the median over steps, and `measured` that over seeds, with `low` and
        `high`.
    """
    answers, curves = (of_copying(measurements[kind], "", LONGER, BY) for kind in ("answers", "curve"))
    answers = answers.astype({"delay": int, "trained_at": int})  # of other tasks they have none
    requests = pd.DataFrame([{"experiment": name, **training} for name, training in trainings.items()])
    curves = curves.merge(requests.rename(columns={"updates": "of_epoch"}), on="experiment", validate="many_to_one")
    curves = curves.assign(updates=curves["epoch"] * curves["of_epoch"], asked=curves["epochs"] * curves["of_epoch"])
    usual = curves[curves["variant"] == ""].groupby("task")["asked"].max()
    curves = curves.assign(usual=curves["task"].map(usual))
    at_own = answers[answers["delay"] == answers["trained_at"]]
    learning = _learning(curves, at_own.groupby("experiment")["baseline"].first())
    return {
        **{name: _beside_the_paper(name, answers, learning, measurements["costs"], usual) for name in OF_DELAYS},
        "recipes": _recipes(at_own, learning),
        "learning_speed": learning,
        "longer_training": _longer(curves, learning),
        "trained_gradients": _trained_gradients(measurements["arriving"]),
        "attended": attended_states(*(best_founded(measurements[kind]) for kind in ("attention", "arriving"))),
    }


SUMS = {
    "delayed_sum_sparse": "delayed sum of sparse inputs",
    "delayed_sum_authors_starts": "delayed sum from starts of public code",
}
"""Experiments on delayed sums in words, in which something is changed."""


def in_words(experiment: str) -> str:
    """Task and delay of an experiment, if it has any, and what is changed in it."""
    match = NAME.fullmatch(experiment)
    if match is None:
        return SUMS.get(experiment, experiment.replace("_", " "))
    words = {"epochs": "{:,} epochs", "relevant": "ρ = {}", "short_term": "ν = {}"}
    more = f", {words[match['variant']].format(int(match['value']))}" if match["variant"] else ""
    more = f", by {RECIPES.get(match['recipe'], match['recipe'])}" if match["recipe"] else more
    return f"{match['task'].replace('_', ' ')}, T = {match['delay']}{more}"


def by_delay(experiments: Iterable[str]) -> list[str]:
    """Experiments of copy and denoise, each task's in order of the delay."""

    def place(experiment: str) -> tuple[str, int, int]:
        match = NAME.fullmatch(experiment)
        assert match is not None, experiment
        return match["task"], int(match["delay"]), int(match["value"] or 0)

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
    mask = (parts["task"].notna() & parts["variant"].isin(variants or ("",))).to_numpy()
    columns = parts[mask].astype({"at_delay": int, "value": int})
    return table[mask].assign(**{str(name): column.array for name, column in columns.items()})


def best_founded(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of all tasks; of copying those by another recipe than `PRINTED` where a network has any, else as printed.

    Networks in which something is changed but the recipe are left out.
    """
    matches = {name: NAME.fullmatch(str(name)) for name in table["experiment"].unique()}
    variants = [name for name, match in matches.items() if match and match["variant"]]
    recipes = {name: bool(match and match["recipe"]) for name, match in matches.items()}
    tasks = {name: f"{match['task']}_{match['delay']}" if match else name for name, match in matches.items()}
    rows = table[~table["experiment"].isin(variants)]
    by_recipe = rows["experiment"].map(recipes).astype(bool)
    best = by_recipe.groupby([rows["experiment"].map(tasks), rows["architecture"]]).transform("max")
    return rows[by_recipe == best]


def longest(table: pd.DataFrame) -> pd.DataFrame:
    """The longest training of each network by each recipe, of rows of `learning_speed` as `of_copying` has them."""
    rows = table.sort_values("all_updates")
    return rows.groupby(["task", "at_delay", "architecture", "recipe"], sort=False, as_index=False).last()


def with_updates(curves: pd.DataFrame, learning: pd.DataFrame) -> pd.DataFrame:
    """Learning curves of the networks in `learning`, rows of `learning_speed`, with `updates` after each epoch."""
    run = ["experiment", "architecture"]
    last = curves.groupby([*run, "seed"])["epoch"].max().groupby(run).median()
    of_epoch = (learning.set_index(run)["all_updates"] / last).rename("of_epoch").dropna().reset_index()
    curves = curves.merge(of_epoch, on=run)
    return curves.assign(updates=curves["epoch"] * curves.pop("of_epoch"))


def at_first_delay(table: pd.DataFrame, *variants: str) -> pd.DataFrame:
    """Rows of `of_copying` at the shortest delay of each task."""
    rows = of_copying(table, *variants)
    return rows[rows["at_delay"] == rows.groupby("task")["at_delay"].transform("min")]


def of_maps(attention: pd.DataFrame) -> pd.DataFrame:
    """Rows of `attention` that maps show: `best_founded`, of the first seed, and of copying at the shortest delay.

    Of networks with `BUFFER_ALONE` maps show every delay.
    """
    rows = best_founded(attention)
    rows = rows[rows["seed"] == rows["seed"].min()]
    is_copying, is_first = (
        rows.index.isin(part.index) for part in (of_copying(rows, "", BY), at_first_delay(rows, "", BY))
    )
    return rows[~is_copying | is_first | (rows["architecture"] == BUFFER_ALONE)]


def _learning(curves: pd.DataFrame, baseline: "pd.Series[float]") -> pd.DataFrame:
    names = ["experiment", "architecture"]
    runs = curves.groupby([*names, "seed"], sort=False)
    ends = runs[["validation_loss", "validation_accuracy", "updates"]].last()
    ends.columns = pd.Index(["loss", "accuracy", "all_updates"])
    early = curves[curves["updates"] <= 0.75 * runs["updates"].transform("max")]
    ends["late_gain"] = ends["accuracy"] - early.groupby([*names, "seed"])["validation_accuracy"].last()
    for column, least in (("updates", MOST), ("updates_to_99", NEARLY_ALL)):
        first_updates = curves[curves["validation_accuracy"] >= least].groupby([*names, "seed"])["updates"].min()
        ends[column] = first_updates.reindex(ends.index).fillna(np.inf)
    of_models = ends.groupby(names, sort=False)
    is_stopped = (ends["all_updates"] < runs["asked"].first()) & ~_ended_by_learning(runs)
    table = of_models.median().assign(seeds=of_models.size(), diverged=is_stopped.groupby(names, sort=False).sum())
    table = table.replace({column: {np.inf: np.nan} for column in ("updates", "updates_to_99")}).reset_index()
    return table.assign(baseline=table["experiment"].map(baseline))


def _ended_by_learning(runs: Any) -> "pd.Series[bool]":
    """True for runs whose last validations are without an error, as many in a row as end a training."""
    flags = {}
    for name, curve in runs:
        count = int(curve["perfect_validations"].iloc[0])
        last = curve["validation_accuracy"].tail(count)
        flags[name] = 0 < count == len(last) and (last == 1).all()
    return pd.Series(flags).rename_axis(runs.keys)


def _longer(curves: pd.DataFrame, learning: pd.DataFrame) -> pd.DataFrame:
    names = ["experiment", "architecture"]
    long_curves = curves[curves["variant"] == LONGER]
    until = long_curves[long_curves["updates"] <= long_curves["usual"]]
    late, early = (
        rows.groupby([*names, "seed"], sort=False)[["validation_accuracy", "updates"]].last().groupby(names, sort=False)
        for rows in (long_curves, until)
    )
    ends = late["validation_accuracy"].agg(["median", "min", "max"])
    ends.columns = pd.Index(["late", "low", "high"])
    ends[["early", "early_updates"]] = early.median()
    ends["late_updates"] = late["updates"].median()
    columns = ["updates", "late_gain", "seeds", "diverged"]
    table = of_copying(ends.reset_index().merge(learning[[*names, *columns]], on=names), LONGER)
    paper = pd.concat(
        [paper_shares(name).assign(task=task) for name, (task, is_transfer) in TABLES.items() if not is_transfer]
    )
    table = table.merge(paper.rename(columns={"delay": "at_delay"}), "left", ["task", "at_delay", "architecture"])
    order = ["early_updates", "early", "late_updates", "late", "low", "high", *columns, "paper"]
    return table[[*names, *order]]


def _trained_gradients(gradients: pd.DataFrame) -> pd.DataFrame:
    rows = of_copying(best_founded(gradients), "", BY).query("task == 'denoise'")
    columns = ["architecture", "last_step", *QUARTERS, "first"]
    parts = [
        by_quarters(group).set_axis(columns, axis=1).assign(delay=delay, steps=group["back"].max() + 1)
        for delay, group in rows.groupby("at_delay")
    ]
    order = ["delay", "steps", *columns, "recipe"]
    if not parts:
        return pd.DataFrame(columns=order)
    recipes = rows.rename(columns={"at_delay": "delay"})[["delay", "architecture", "recipe"]].drop_duplicates()
    return pd.concat(parts, ignore_index=True).merge(recipes, "left", validate="one_to_one")[order]


def attended_states(attention: pd.DataFrame, gradients: pd.DataFrame) -> pd.DataFrame:
    """`attended` of `tabulate`.

    Args:
        attention, gradients: `attention` and `arriving` of `studies.attention.trained`, with `experiment`,
            `architecture` and `seed`.
    """
    names = ["experiment", "architecture"]
    durations = (gradients.groupby([*names, "seed"])["back"].max() + 1).to_dict()
    rows = []
    for run, group in attention.groupby([*names, "seed"], sort=False):
        steps, weight = durations[run], group["weight"].astype(float)
        sums = group.assign(weight=weight, square=weight**2).groupby("step")[["weight", "square"]].sum()
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
    task, is_transfer = TABLES[name]
    of_task = answers[answers["task"] == task]
    first = of_task["trained_at"].min()
    rows = of_task[of_task["trained_at"] == (first if is_transfer else of_task["delay"])]
    shares = _chosen_shares(rows, learning, ["architecture", "delay"], is_transfer)
    paper = paper_shares(name)
    counts = ["seeds", "diverged"]
    table = paper.merge(shares, how="outer").fillna(dict.fromkeys(counts, 0)).astype(dict.fromkeys(counts, int))
    conclusive = (table.pop("at_own") >= MOST) & (table["finite"] == 1)
    table["conclusive"] = conclusive.where(table["seeds"] > 0)
    order = {architecture: place for place, architecture in enumerate(dict.fromkeys(paper["architecture"]))}
    table = table.sort_values(["architecture", "delay"], key=lambda names: names.replace(order), ignore_index=True)
    blank = table["measured"].isna() & table["paper"].notna() & (not is_transfer)
    hours = [
        usual[task] * _seconds(costs, row["architecture"], row["delay"]) / 3600 if is_blank else np.nan
        for row, is_blank in zip(table.to_dict("records"), blank, strict=True)
    ]
    return table.assign(core_hours=hours)


def _chosen_shares(
    answers: pd.DataFrame, learning: pd.DataFrame, of: Sequence[str], everywhere: bool = False
) -> pd.DataFrame:
    """Shares over seeds, of the best founded experiment and the longest training in each group of the columns `of`.

    With `at_own`, the median share at the delay of training.
    """
    run = ["experiment", "architecture"]
    trainings = learning[[*run, "all_updates", "diverged", "seeds"]].rename(columns={"all_updates": "updates"})
    at_own = answers[answers["delay"] == answers["trained_at"]].groupby(run)["accuracy"].median().rename("at_own")
    rows = answers.merge(trainings).merge(at_own.reset_index(), "left")
    alive = (rows["diverged"] < rows["seeds"]) | (rows["at_own"] >= MOST)  # or it takes no other's place
    for preference in (alive, rows["recipe"] != PRINTED, rows["updates"]):
        best = preference[rows.index].groupby([rows[column] for column in of]).transform("max")
        rows = rows[preference[rows.index] == best]
    groups = rows.groupby([*dict.fromkeys(["experiment", *of])])
    shares = groups["accuracy"].agg(["median", "min", "max", "count"])
    shares.columns = pd.Index(["measured", "low", "high", "seeds"])
    shares["finite"] = groups["finite"].min()
    columns = ["recipe", "chance", "updates", "diverged", "at_own"]
    if everywhere:
        all_steps = groups["all_steps"].agg(["median", "min", "max"])
        all_steps.columns = pd.Index(["all_steps", "all_low", "all_high"])
        shares, columns = shares.join(all_steps), [*columns, "all_chance"]
    return shares.join(groups[columns].first().drop(columns=[*of], errors="ignore")).reset_index()


def _recipes(answers: pd.DataFrame, learning: pd.DataFrame) -> pd.DataFrame:
    cell = ["task", "delay", "architecture"]
    several = answers.groupby(cell)["recipe"].transform("nunique") > 1
    shares = _chosen_shares(answers[several], learning, [*cell, "recipe"])
    speed = learning[["experiment", "architecture", "updates", "updates_to_99", "all_updates"]]
    table = shares.drop(columns="updates").merge(speed, on=["experiment", "architecture"])
    paper = pd.concat(
        [paper_shares(name).assign(task=task) for name, (task, is_transfer) in TABLES.items() if not is_transfer]
    )
    columns = [
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
    return table[[*cell, "recipe", *columns, "experiment"]]


def _seconds(costs: pd.DataFrame, architecture: str, delay: int) -> float:
    """Seconds of a gradient on a batch; the task has 20 steps more than its delay."""
    rows = costs[costs["architecture"] == architecture].sort_values("steps").tail(2)
    if len(rows) < 2:
        return np.nan
    (near, far), (before, last) = np.log(rows["steps"]), np.log(rows["training_seconds"])
    return float(np.exp(last + (last - before) / (far - near) * (np.log(delay + 20) - far)))
