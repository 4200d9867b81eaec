"""Dependence of headlines on choices of the analysis, as far as stored races tell without another training."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from learnability.report.findings import in_words, signed
from studies.comparison.costs.fronts import front
from studies.comparison.everywhere.numbers import TOP
from studies.comparison.lags.numbers import HALF
from studies.comparison.ranks import EQUAL
from studies.comparison.sample_sizes.expected import EXPECTED
from studies.comparison.sample_sizes.n50 import best_looks
from studies.comparison.sizes.orders import AGREE
from studies.comparison.tasks import words

CELL = ["contest", "architecture"]
SHARES = (0.4, 0.6)
"""Shares of a coefficient from which a lag counts as learned, in place of `HALF`."""
LEADERS = 5
"""Cells with the highest scores, one of which the headline on costs names."""
NEEDS = 2
"""Times by which losses without tuning differ between cells that need it and cells that hardly do."""
SEARCH = "if cells are judged by the seeds that chose the rates"
"""The choice of validation scores at the chosen rate in place of fresh seeds."""
ONE_CHOICE = "The one alternative choice in the analysis that was tried"
COLUMNS = ["question", "quantity", "choice", "before", "after", "answer"]
Tables = Mapping[str, pd.DataFrame]
Numbers = Mapping[str, tuple[str, float, Hashable]]
"""A quantity by question, its value, and the answer that goes with it."""


def vary_choices(
    races: Tables, tables: Tables, tabulate: Callable[[Tables], Tables], sizes: Mapping[str, Mapping[int, str]]
) -> pd.DataFrame:
    """Table of headlines under other choices.

    Args:
        races: as of `studies.comparison.tables.tabulate`.
        tables: made of them.
        tabulate: makes the same tables of other races.
        sizes: of `studies.comparison.tables.tabulate`; a task is left out at all its sizes.

    Returns:
        A row for each question and choice: the `quantity` behind the headline `before` and `after`, and whether the
        `answer` stays or turns. A choice that leaves out a cell of the headline has no row.
    """
    contests = tables["performance"]["contest"].unique().tolist()
    variants: list[tuple[str, Tables, str | None]] = [
        (*variant, None) for variant in _other_races(races, contests, sizes)
    ]
    variants += [
        (choice, {**races, "samples": samples}, "sample_sizes") for choice, samples in _other_samples(races["samples"])
    ]
    variants += [(*variant, "sizes") for variant in _other_cells(races, tables["by_size"])]
    outcomes = [(choice, _numbers(tables, tabulate(variant)), only) for choice, variant, only in variants]
    rows = []
    for question, (quantity, before, answer) in _numbers(tables, tables).items():
        for choice, numbers, only in outcomes:
            _, after, new_answer = numbers[question]
            if only in (None, question) and np.isfinite([before, after]).all():
                rows.append((question, quantity, choice, before, after, "stays" if new_answer == answer else "turns"))
    return pd.DataFrame(rows, columns=COLUMNS)


def describe_choices(table: pd.DataFrame) -> str:
    """Sentences on what changes an answer, what moves its quantity most, and how many choices were tried.

    Args:
        table: rows of `vary_choices` for one question.

    Returns:
        Nothing without rows, as of a question that the races do not answer.

    Example:
        >>> ends = [("without x", 0.2, -0.1, "turns"), ("without y", 0.2, 0.9, "stays")]
        >>> table = pd.DataFrame([("q", "the lead", *end) for end in ends], columns=COLUMNS)
        >>> describe_choices(table[:1])  # doctest: +NORMALIZE_WHITESPACE
        'The one alternative choice in the analysis that was tried changes the answer. It changes without x. This moves
        *the lead* most, from 0.2 to −0.1.'
        >>> describe_choices(table)  # doctest: +NORMALIZE_WHITESPACE
        'One of 2 alternative choices in the analysis, each tried alone, changes the answer. It changes without x. *The
        lead* moves most without y: from 0.2 to 0.9.'
    """
    if table.empty:
        return ""
    change = (table["after"] - table["before"]).abs()
    rows = table.assign(change=change).sort_values("change", ascending=False, kind="stable")
    mover, *_ = rows.to_dict("records")
    turners = rows[rows["answer"] == "turns"].to_dict("records")
    count, turner_count = len(rows), len(turners)
    subject = f"{in_words(turner_count).capitalize()} of {count} alternative choices in the analysis, each tried alone,"
    if count > 1:
        turn = f"{subject} change{'s' * (turner_count < 2)} the answer."
    else:
        turn = f"{ONE_CHOICE} {'changes' if turners else 'does not change'} the answer."
    example = f" It changes{', for one,' if turner_count > 1 else ''} {turners[0]['choice']}." if turners else ""
    moves_most = bool(turners) and np.isclose(turners[0]["change"], mover["change"])
    row = turners[0] if moves_most else mover
    quantity, values = row["quantity"], signed(f"from {row['before']:.2g} to {row['after']:.2g}")
    if np.isclose(row["before"], row["after"]):
        move = "None moves the number behind it."
    elif moves_most:
        move = f"This moves *{quantity}* most, {values}."
    else:
        move = f"*{quantity[0].upper()}{quantity[1:]}* moves most {row['choice']}: {values}."
    return f"{turn}{example} {move}"


def _other_races(
    races: Tables, contests: Sequence[str], sizes: Mapping[str, Mapping[int, str]]
) -> Iterator[tuple[str, Tables]]:
    """Races under another choice, each with its words."""
    scores, rates = races["scores"], races["tried"]["rate"]
    seeds = scores["seed"].unique().tolist()
    for contest in contests if len(contests) > 1 else []:
        of_task = [contest, *sizes.get(contest, {}).values()]
        yield f"without {words(contest)}", _without(races, "contest", of_task, ["scores", "tried", "states", "sizes"])
    for seed in seeds if races["states"]["seed"].nunique() > 1 else []:
        yield f"without seed {seed}", _without(races, "seed", [seed], ["scores", "states", "gradients", "samples"])
    earlier = scores[scores["updates"] <= scores["updates"].max() // 2]
    yield "after half of the updates", {**races, "scores": earlier}
    medians = {kind: _medians(races[kind], value) for kind, value in (("scores", "score"), ("states", "longer"))}
    yield "with medians over seeds", {**races, **medians}
    yield SEARCH, _of_search(races)
    for rate in (rates.min(), rates.max()) if rates.nunique() > 2 else ():
        fewer = {**races, "tried": races["tried"][rates != rate]}
        yield f"{SEARCH} and the rate {rate:g} is left out", _of_search(fewer)
    for share in SHARES:
        yield f"where a lag counts as learned from {share:g} of its coefficient", _shifted(races, share)


def _other_cells(races: Tables, scores: pd.DataFrame) -> Iterator[tuple[str, Tables]]:
    """Races of other cells, each with its words: of all, whatever part of a size they fill, and without a family."""
    yield "if cells count that do not fill a size", {**races, "sizes": races["sizes"].assign(parameters=np.inf)}
    families = scores.groupby("family", sort=False)["architecture"].unique()
    for family, members in families.items() if len(families) > 1 else ():
        yield f"without the family {family}", _without(races, "architecture", list(members), list(races))


def _other_samples(samples: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Trainings on fewer sequences under another choice, each with its words."""
    yield "with the better of two looks by validation score, where sequences are fewer", best_looks(samples)
    groups = [samples[name] for name in ("architecture", "lag", "sequences", "updates")]
    means = samples["share"].fillna(0.0).groupby(groups).transform("mean")
    yield "with mean shares over seeds, where sequences are fewer", samples.assign(share=means)


def _shifted(races: Tables, share: float) -> dict[str, pd.DataFrame]:
    """Races with shares such that ½ stands for another share of a coefficient."""
    return {**races} | {
        kind: races[kind].assign(share=races[kind]["share"] + HALF - share) for kind in ("gradients", "samples")
    }


def _without(races: Tables, column: str, members: Sequence[object], kinds: list[str]) -> dict[str, pd.DataFrame]:
    return {kind: rows[~rows[column].isin(members)] if kind in kinds else rows for kind, rows in races.items()}


def _medians(table: pd.DataFrame, value: str) -> pd.DataFrame:
    """Table with medians in place of seeds, so that they are the means; one that diverged or is below 0 is a guess."""
    has = table.groupby("contest")[value].transform("count") > 0
    scores = table.assign(**{value: table[value].fillna(0.0).clip(lower=0).where(has)})
    keys = [*CELL, *(["updates"] if "updates" in table else [])]
    return scores.assign(**{value: scores.groupby(keys)[value].transform("median")})


def _of_search(races: Tables) -> dict[str, pd.DataFrame]:
    """Races with scores on validation sequences at the best of the rates, which chose that rate themselves."""
    trials = races["tried"]
    last = trials[trials["updates"] == trials["updates"].max()].fillna({"score": 0.0})
    means = last.groupby([*CELL, "rate"], sort=False)["score"].mean().round(EQUAL).reset_index()
    best = means.loc[means.groupby(CELL, sort=False)["score"].idxmax()].set_index(CELL)["rate"]
    is_best = trials["rate"] == best.reindex(pd.MultiIndex.from_frame(trials[CELL])).to_numpy()
    columns = [name for name in trials if name != "chosen"]
    return {**races, "tried": trials.assign(chosen=is_best), "scores": trials.loc[is_best, columns]}


def _numbers(base: Tables, tables: Tables) -> Numbers:
    """The quantity behind each headline.

    Args:
        base: tables of all races, which say of which cells the headlines are.
        tables: tables from which the quantities are computed.
    """
    cells, top = tables["overall"].set_index("architecture"), base["overall"]["architecture"].iloc[0]
    losses, base_losses = (_means(rows["tuning"][rows["tuning"]["tried"] == 1], "missing") for rows in (tables, base))
    by_loss = base_losses.sort_values(kind="stable").index
    most, least = (losses.get(by_loss[place], np.nan) for place in (-1, min(1, len(by_loss) - 1)))
    longer, longest = _means(tables["longer"], "longer"), _means(base["longer"], "longer").idxmax()
    farthest = tables["lags"][tables["lags"]["lag"] == tables["lags"]["lag"].max()]
    rhos = tables["foretold"].set_index(["number", "contest"])["correlation"]
    at_sum, at_recall = (float(rhos.get(("capacity", contest), np.nan)) for contest in ("sum", "recall"))
    best_rho, *other_rhos = _of_own_task(base["foretold"], tables["foretold"])
    of_longer, of_trained = longer, _means(tables["longer"], "score")
    mostly_kept = bool((of_longer < of_trained / 2).mean() < 0.1)
    fewer_costs = float(front(tables["costs"], "multiply_adds").sum())
    learners = float((farthest["share_end"] >= HALF).sum())
    pairs = tables["divisor"]
    column, without = ("longest_control", "with lags as long") if "longest_control" in pairs else ("longest", "without")
    more = float(pairs["longest_divisor"].sum() - pairs[column].sum()) if len(pairs) else np.nan
    foretold = tables["n50_predictions"].set_index(["number", "of"])["correlation"]
    order = float(foretold["needed", "mean of lags"])
    true = _count_true(base["expectations"], tables["expectations"])
    worst = float(cells["worst"].min())
    leads = {
        "learned": ("the lead of the highest mean score", _lead(cells["score"], top)),
        "longer": ("the lead at twice the steps", _lead(longer, str(longest))),
    }
    of_memory = at_recall if np.isfinite(at_sum) else np.nan
    is_ordered = best_rho >= EXPECTED and best_rho > max(other_rhos, default=-np.inf)
    agreement = tables["orders"]["full_correlation"].min()
    counts = {
        "costs": ("the number of cells on the front", fewer_costs),
        "lags": ("the number of cells that learn the longest lag", learners),
        "expected": ("the number of expectations that came true", true),
    }
    numbers: dict[str, tuple[str, float, Hashable]] = {name: (*lead, lead[1] > 0) for name, lead in leads.items()}
    numbers["everywhere"] = ("the worst place of the steadiest cell", worst, worst <= max(1, round(TOP * len(cells))))
    numbers["longer"] = (*leads["longer"], (leads["longer"][1] > 0, mostly_kept))
    numbers["tuning"] = ("the largest loss less the second smallest", float(most - least), most >= NEEDS * least)
    of_own_task = best_rho if np.isfinite(of_memory) else np.nan
    numbers["foretold"] = ("the largest ρ at its own task", of_own_task, (is_ordered, at_recall < 0))
    numbers["memory"] = ("the ρ at associative recall", of_memory, (at_sum >= EXPECTED, at_recall < 0))
    numbers |= {name: (*count, count[1]) for name, count in counts.items()}
    numbers["costs"] = (*counts["costs"], (fewer_costs, _is_cheap_and_good(base["costs"], tables["costs"])))
    learn_more = f"the number of cells that learn the longest lag with a common divisor less the number {without}"
    numbers["divisor"] = (learn_more, more, more > 0)
    if "score_control" in pairs and len(pairs):
        surely = _count_sure(pairs)
        numbers["divisor"] = ("the number of cells that clearly gain", surely, (surely, more))
    numbers["sample_sizes"] = ("the mean over lags of ρ between N̂ and N₅₀", order, order >= EXPECTED)
    return numbers | {"sizes": ("the lowest ρ between two sizes that cells fill", agreement, agreement >= AGREE)}


def _count_sure(pairs: pd.DataFrame) -> float:
    """Cells whose interval with a common divisor lies above the one at the control; NaN where none has a width."""
    has_width = (pairs["score_high_control"] > pairs["score_low_control"]).any()
    is_sure = pairs["score_low_divisor"] > pairs["score_high_control"]
    return float(is_sure.sum()) if has_width else np.nan


def _is_cheap_and_good(base: pd.DataFrame, table: pd.DataFrame) -> bool:
    """True if the second-best cell on the front of `base` stays on the front, and among the best `LEADERS` cells."""
    cell = base[front(base, "multiply_adds")].nlargest(2, "score")["architecture"].iloc[-1]
    leaders = table.nlargest(LEADERS, "score")["architecture"]
    on_front = table[front(table, "multiply_adds")]["architecture"]
    return cell in set(on_front) & set(leaders)


def _count_true(base: pd.DataFrame, table: pd.DataFrame) -> float:
    """Expectations that came true; NaN where fewer are measured."""
    counts = [rows["measured"].notna().sum() for rows in (base, table)]
    return float((table["verdict"] == "yes").sum()) if counts[0] == counts[1] else np.nan


def _means(table: pd.DataFrame, value: str) -> "pd.Series[float]":
    return table.groupby("architecture")[value].mean()


def _lead(values: "pd.Series[float]", cell: str) -> float:
    """Lead of a cell over the next; NaN where it or all others are missing."""
    rivals = values.drop(cell, errors="ignore")
    return float(values[cell] - rivals.max()) if cell in values and len(rivals) else np.nan


def _of_own_task(base: pd.DataFrame, table: pd.DataFrame) -> list[float]:
    """Correlations of all numbers with the score at the task that they are of, the one first that is best of all."""
    base_rhos, rhos = (
        rows[rows["source"] == rows["contest"]].set_index("number")["correlation"] for rows in (base, table)
    )
    return rhos.reindex(base_rhos.sort_values(ascending=False, kind="stable").index).tolist()
