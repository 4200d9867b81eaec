"""Tables of all races: scores at the tuned rate, what tuning is worth, costs, lags, memory, and what tells scores."""

from collections.abc import Iterator, Mapping
from math import comb, fsum

import numpy as np
import pandas as pd
from scipy import stats

from learnability.core.streams import numpy_generator
from studies.comparison.choices import vary_choices
from studies.comparison.divisor.gains import gains, learned_lags
from studies.comparison.expectations import judge
from studies.comparison.ranks import EQUAL, interval, spearman
from studies.comparison.sample_sizes.expected import expect as expect_of_n50
from studies.comparison.sample_sizes.n50 import half_learned, n50_longer, predictions
from studies.comparison.sizes.orders import Sizes, by_size, expect, orders

CELL = ["contest", "architecture"]
COSTS = ("state", "multiply_adds", "kept_bytes", "depth", "parameters")
QUANTITIES = ("noise", "needed", "capacity")
"""Numbers of a cell before training that might foretell its score: log₁₀ B and log₁₀ N̂ of the longest lag, and memory
capacity."""
Races = Mapping[str, pd.DataFrame]


def tabulate(
    races: Races,
    families: Mapping[str, str],
    trained_on: Mapping[str, int],
    sizes: Sizes,
    sums: Mapping[str, str],
    root_seed: int,
) -> dict[str, pd.DataFrame]:
    """All tables.

    Args:
        races: of `studies.comparison.races`: `tried`, `scores`, `states`, `gradients` and `sizes` of all cells at all
            tasks, with `contest`, the id of the task, and `architecture`; and `samples`, trainings at one of the tasks
            on fewer sequences.
        families: of each architecture, in the order of tables.
        trained_on: sequences on which each task is trained, by the contest at it that all cells are compared in.
        sizes: contests of each task by size, of `studies.comparison.section.sizes_of`.
        sums: contests at delayed sums, of `studies.comparison.section.sums_of`: lags, memory and N₅₀ are tabulated of
            the one that is `plain`, whatever further ones there are.
        root_seed: names the streams of resamples.

    Returns:
        `performance`, `overall`, `rates`, `tuning`, `costs`, `lags`, `memory`, `longer`, `foretold` and
        `expectations`, of the contests of `trained_on`; each function of this module says what it holds; `by_size`,
        `orders` and `orders_expected`, of `studies.comparison.sizes.orders`; `half_learned`, `n50_longer`,
        `n50_predictions` and `n50_expected`, of `studies.comparison.sample_sizes.n50`; `divisor` and `divisor_lags`, of
        `studies.comparison.divisor.gains`; and `choices`, of `studies.comparison.choices.vary_choices`.
    """
    settings = (families, trained_on, sizes, sums)
    tables = _tables(races, *settings, root_seed)
    choices = vary_choices(races, tables, lambda other_races: _tables(other_races, *settings, None), sizes)
    return tables | {"choices": choices}


def _tables(
    all_races: Races,
    families: Mapping[str, str],
    trained_on: Mapping[str, int],
    sizes: Sizes,
    sums: Mapping[str, str],
    root_seed: int | None,
) -> dict[str, pd.DataFrame]:
    """All tables but `choices`; without a seed no cells are resampled."""
    races = {kind: rows[rows["contest"].isin(list(trained_on))] for kind, rows in all_races.items()}
    tables = {"performance": performance(races, families)}
    tables["overall"] = overall(tables["performance"])
    tables["rates"] = rates(races["tried"], families)
    tables["tuning"] = tuning(tables["rates"])
    tables["costs"] = costs(races["sizes"], tables["overall"])
    of_sum = {kind: rows[rows["contest"] == sums["plain"]] for kind, rows in races.items()}
    tables["lags"] = lags(of_sum["gradients"], families, trained_on)
    tables["memory"] = memory(of_sum, tables["performance"])
    tables["longer"] = longer(races["states"], tables["performance"])
    tables["foretold"] = foretold(
        tables["lags"], tables["memory"], tables["performance"], _generator(root_seed, "foretold")
    )
    scores = performance(all_races, families)
    tables["by_size"] = by_size(scores, sizes)
    tables["orders"] = orders(tables["by_size"], _generator(root_seed, "orders"))
    tables["half_learned"] = half_learned(
        all_races["samples"], all_races["gradients"], tables["lags"], families, trained_on
    )
    tables["n50_longer"] = n50_longer(all_races["samples"], tables["half_learned"])
    tables["n50_predictions"] = predictions(
        tables["half_learned"], tables["memory"], _generator(root_seed, "n50_predictions")
    )
    tables["divisor_lags"] = learned_lags(lags(all_races["gradients"], families, trained_on), sums)
    tables["divisor"] = gains(scores, tables["divisor_lags"], sums)
    return tables | {
        "expectations": judge(tables),
        "orders_expected": judge(tables, expect(tables["orders"])),
        "n50_expected": judge(tables, expect_of_n50()),
    }


def _generator(root_seed: int | None, stream: str) -> np.random.Generator | None:
    return None if root_seed is None else numpy_generator(root_seed, 0, stream)


def performance(races: Races, families: Mapping[str, str]) -> pd.DataFrame:
    """Scores of cells at tasks: means over seeds, with a 95 % interval by Student's t, and at half the updates.

    `rank` is among the cells of a task, 1 the best; the `rate` is at the
    `edge` if it is the smallest or the largest that was tried.
    """
    scores = at_least_a_guess(races["scores"]).assign(diverged=races["scores"]["score"].isna())
    last = scores["updates"].max()
    at_end = scores[scores["updates"] == last].groupby(CELL, sort=False)
    table = at_end["score"].agg(["mean", "std", "size"]).rename(columns={"mean": "score", "size": "seeds"})
    table["score"] = table["score"].round(EQUAL)
    half = stats.t.ppf(0.975, table["seeds"] - 1) * table.pop("std") / np.sqrt(table["seeds"])
    table = table.assign(score_low=table["score"] - half, score_high=table["score"] + half)
    table["half"] = scores[scores["updates"] == last // 2].groupby(CELL)["score"].mean()
    table[["rate", "diverged"]] = at_end.agg({"rate": "first", "diverged": "sum"})
    table[["units", "parameters"]] = races["sizes"].set_index(CELL)[["units", "parameters"]]
    trial_rates = races["tried"]["rate"]
    table["edge"] = table["rate"].isin([trial_rates.min(), trial_rates.max()])
    table["rank"] = table.groupby("contest")["score"].rank(ascending=False, method="min").astype(int)
    return _in_order(table.reset_index(), families)


def at_least_a_guess(table: pd.DataFrame, name: str = "score") -> pd.DataFrame:
    """Table with 0 for a training that diverged or does worse than a guess, which can be had without any."""
    return table.assign(**{name: table[name].fillna(0.0).clip(lower=0)})


def overall(table: pd.DataFrame) -> pd.DataFrame:
    """Summary of cells over all tasks: mean score and rank, best and worst rank; the highest mean score first.

    The mean score has a 95 % interval over seeds, by Student's t: means of tasks are independent, so that the squares
    v_k of their K standard errors add up to K² times the square of its own, with (Σ v_k)²/Σ v_k²/(n_k - 1) degrees of
    freedom (Welch and Satterthwaite).
    """
    freedom = table["seeds"] - 1
    square = ((table["score_high"] - table["score"]) / stats.t.ppf(0.975, freedom)) ** 2
    table = table.assign(square=square, square_by_freedom=square**2 / freedom)
    groups = table.groupby(["family", "architecture"], sort=False)
    summary = groups.agg(
        score=("score", "mean"),
        rank=("rank", "mean"),
        best=("rank", "min"),
        worst=("rank", "max"),
        tasks=("rank", "size"),
        square=("square", lambda values: values.sum(skipna=False)),
        square_by_freedom=("square_by_freedom", lambda values: values.sum(skipna=False)),
    )
    square, square_by_freedom = summary.pop("square"), summary.pop("square_by_freedom")
    half = stats.t.ppf(0.975, (square**2 / square_by_freedom).where(square > 0, 1)) * np.sqrt(square) / summary["tasks"]
    summary.insert(1, "score_low", summary["score"] - half)
    summary.insert(2, "score_high", summary["score"] + half)
    return summary.sort_values("score", ascending=False, kind="stable").reset_index()


def rates(trials: pd.DataFrame, families: Mapping[str, str]) -> pd.DataFrame:
    """The mean score on validation sequences of each rate that was tried."""
    last = at_least_a_guess(trials[trials["updates"] == trials["updates"].max()])
    groups = last.groupby([*CELL, "rate"], sort=False)
    return _in_order(groups.agg(score=("score", "mean"), chosen=("chosen", "first")).reset_index(), families)


def tuning(table: pd.DataFrame) -> pd.DataFrame:
    """The score that k rates are worth, drawn at random from all without replacement, the best of them being taken.

    Of n rates with scores s₁ ≥ … ≥ s_n the j-th is the best of k with probability C(n - j, k - 1)/C(n, k).
    """
    rows = []
    for (family, contest, architecture), of_cell in table.groupby(["family", *CELL], sort=False):
        scores, count = np.sort(of_cell["score"].to_numpy())[::-1], len(of_cell)
        for k in range(1, count + 1):
            chances = [comb(count - place, k - 1) / comb(count, k) for place in range(1, count + 1)]
            # np.dot rounds by processor: scores have few digits, so that means lie at ties of the tenth.
            worth = fsum(chance * score for chance, score in zip(chances, scores, strict=True))
            rows.append((family, contest, architecture, k, worth, scores[0] - worth))
    return pd.DataFrame(rows, columns=["family", *CELL, "tried", "score", "missing"])


def costs(size: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Costs of cells over all tasks: sizes, and costs of a gradient, geometric means.

    Numbers of its state at the last step, multiply-adds and kept bytes of a gradient, a step of a sequence, and steps
    of the forward pass that wait for one another, `depth`; units are a median.
    """
    groups = size.groupby("architecture")
    means = pd.DataFrame({name: groups[name].agg(stats.gmean) for name in COSTS})
    means["units"] = groups["units"].median()
    return table[["family", "architecture", "score"]].merge(means.reset_index(), on="architecture")


def lags(gradients: pd.DataFrame, families: Mapping[str, str], trained_on: Mapping[str, int]) -> pd.DataFrame:
    """Lags of a delayed sum: medians over seeds of the share that is learned, log₁₀ N̂ and log₁₀ B at both ends."""
    numbers = ["needed", "noise", "share"]
    groups = gradients.astype(dict.fromkeys(numbers, float)).groupby([*CELL, "lag", "end"], sort=False)
    medians = groups[numbers].median()
    ends = [medians.xs(end, level="end").add_suffix(f"_{end}") for end in ("start", "end")]
    table = pd.concat(ends, axis=1).reset_index()
    return _in_order(table.assign(trained_on=table["contest"].map(trained_on)), families)


def memory(races: Races, table: pd.DataFrame) -> pd.DataFrame:
    """Memory capacity of a delayed sum, steps, at both ends, medians over seeds.

    At the end also by number of the state.
    """
    states = races["states"].dropna(subset=["capacity_start", "capacity_end"], how="all")
    medians = states.groupby(CELL, sort=False)[["capacity_start", "capacity_end"]].median()
    numbers = races["sizes"].set_index(CELL)["state"]
    medians["state"] = numbers.reindex(medians.index)  # also where no task has a capacity
    medians["by_number"] = medians["capacity_end"] / medians["state"]
    return table[["family", *CELL, "score"]].merge(medians.reset_index(), on=CELL)


def longer(states: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Mean scores at twice the steps of the training, of tasks that have them."""
    has_longer = states.groupby("contest")["longer"].transform(lambda values: values.notna().any())
    scores = at_least_a_guess(states[has_longer], "longer")
    means = scores.groupby(CELL, sort=False)["longer"].mean().reset_index()
    rows = table[["family", *CELL, "score"]].merge(means, on=CELL)
    return rows.assign(lost=rows["score"] - rows["longer"])


def foretold(
    of_lags: pd.DataFrame, of_memory: pd.DataFrame, table: pd.DataFrame, generator: np.random.Generator | None
) -> pd.DataFrame:
    """Spearman's correlation over cells of a number before training with the score at each task, with a 95 % interval.

    The number is of a delayed sum, at its longest lag: log₁₀ `noise` B, log₁₀ sequences `needed`, or memory `capacity`.
    Intervals resample cells; without a generator there are none. The sign is such that 1 is as a
    good number would have it.
    """
    rows = []
    (source,) = of_lags["contest"].unique()
    for number, values in _numbers(of_lags, of_memory):
        for contest, scores in table.groupby("contest", sort=False):
            pairs = pd.concat([values, scores.set_index("architecture")["score"]], axis=1).dropna().to_numpy()
            rows.append((number, source, contest, len(pairs), float(spearman(pairs)), *interval(pairs, generator)))
    return pd.DataFrame(
        rows, columns=["number", "source", "contest", "cells", "correlation", "correlation_low", "correlation_high"]
    )


def _numbers(of_lags: pd.DataFrame, of_memory: pd.DataFrame) -> "Iterator[tuple[str, pd.Series[float]]]":
    """Name of a number, and its value for each cell, large where it promises much."""
    longest = of_lags[of_lags["lag"] == of_lags["lag"].max()].set_index("architecture")
    for name in ("noise", "needed"):
        yield name, -longest[f"{name}_start"]
    yield "capacity", of_memory.set_index("architecture")["capacity_start"]


def _in_order(table: pd.DataFrame, families: Mapping[str, str]) -> pd.DataFrame:
    """Rows with the family in front, cells in its order, tasks as they come."""
    place = {name: at for at, name in enumerate(families)}
    first = table["contest"].unique().tolist()
    keys = [table["contest"].map(first.index), table["architecture"].map(place)]
    within = [table[name] for name in ("lag", "rate") if name in table]
    rows = table.iloc[np.lexsort([*within[::-1], *keys[::-1]])]
    family = rows["architecture"].map(families)
    return rows.assign(family=family)[["family", *table.columns]].reset_index(drop=True)
