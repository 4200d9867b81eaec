"""Expectations of the comparison, written down before its races were run, and whether they came true.

Of the first four tasks: a small trial with five cells (RNN, LSTM with both starts, GRU, expRNN), two seeds and 1,000
updates, which chose the tasks and their sizes, had been seen by then; nothing of the others had.

Of the later three, one of which has become no contest since, for a second delayed sum would count twice in means over
tasks: the races of the first four had been run. Trials of counting with seven cells (these five, LRU and
Mamba), three rates and one seed, which chose its form and size, had been seen; of the other two tasks no network had.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from studies.comparison.ranks import EQUAL, spearman

Tables = Mapping[str, pd.DataFrame]
FIRST = ("sum", "selective", "recall", "digits")
"""Contests that the first expectations are of; the later three were added to the study afterwards."""


class Expectation(NamedTuple):
    """A statement with the number that decides it.

    Args:
        statement: in words.
        quantity: the name of the number.
        number: of the tables; NaN where they lack what it needs.
        needed: from which on the statement holds.
    """

    statement: str
    quantity: str
    number: Callable[[Tables], float]
    needed: float


def judge(tables: Tables, expectations: Sequence[Expectation] | None = None) -> pd.DataFrame:
    """Rows of `statement`, the `quantity` that decides it, the number `needed` and `measured`, and the `verdict`.

    Args:
        expectations: to be judged, all of this module by default.
    """
    expectations = (*EXPECTATIONS, *LATER, CONTROL) if expectations is None else expectations
    rows = [
        (expectation.statement, expectation.quantity, expectation.needed, expectation.number(tables))
        for expectation in expectations
    ]
    table = pd.DataFrame(rows, columns=["statement", "quantity", "needed", "measured"])
    is_missing, is_met = table["measured"].isna(), table["measured"] >= table["needed"]
    return table.assign(verdict=np.where(is_missing, "not measured", np.where(is_met, "yes", "no")))


def _correlation(number: str, contest: str) -> Callable[[Tables], float]:
    def measure(tables: Tables) -> float:
        rows = tables["foretold"]
        rhos = rows[(rows["number"] == number) & (rows["contest"] == contest)]["correlation"]
        return float(rhos.iloc[0]) if len(rhos) else np.nan

    return measure


def _of_family(contest: str, family: str) -> Callable[[Tables], float]:
    """Lead of the best cell of a family over the best of all others."""

    def measure(tables: Tables) -> float:
        rows = tables["performance"][tables["performance"]["contest"] == contest]
        members, rivals = rows[rows["family"] == family]["score"], rows[rows["family"] != family]["score"]
        return float(members.max() - rivals.max()) if len(members) and len(rivals) else np.nan

    return measure


def _of_cells(contest: str, better: str, worse: str) -> Callable[[Tables], float]:
    """Lead of one cell over another."""

    def measure(tables: Tables) -> float:
        rows = tables["performance"][tables["performance"]["contest"] == contest].set_index("architecture")["score"]
        return float(rows[better] - rows[worse]) if {better, worse} <= set(rows.index) else np.nan

    return measure


def _of_first(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["contest"].isin(FIRST)]


def _gain_by_tuning(rate: float, family: str) -> Callable[[Tables], float]:
    """Gain of a family by tuning, over a rate for all, less the gain of all others, on average."""

    def measure(tables: Tables) -> float:
        rows = _of_first(tables["rates"])
        best = rows.groupby(["contest", "architecture", "family"])["score"].max()
        gain = best - rows[rows["rate"] == rate].groupby(["contest", "architecture", "family"])["score"].max()
        member = gain.index.get_level_values("family") == family
        return float(gain[member].mean() - gain[~member].mean()) if member.any() and not member.all() else np.nan

    return measure


def _lost_less(family: str) -> Callable[[Tables], float]:
    """Loss of all others at twice the steps less the loss of a family, on average."""

    def measure(tables: Tables) -> float:
        rows = _of_first(tables["longer"])
        member, losses = rows["family"] == family, rows["lost"]
        return float(losses[~member].mean() - losses[member].mean()) if member.any() and not member.all() else np.nan

    return measure


def _of_tasks(first: Sequence[str], second: str) -> Callable[[Tables], float]:
    """Correlation over cells of mean scores at some tasks with scores at another."""

    def measure(tables: Tables) -> float:
        scores = tables["performance"].pivot(index="architecture", columns="contest", values="score")
        if not {*first, second} <= set(scores):
            return np.nan
        return float(spearman(np.stack([scores[list(first)].mean(axis=1).round(EQUAL), scores[second]], axis=1)))

    return measure


def _of_sums(tables: Tables) -> float:
    """Correlation over cells of scores at the plain delayed sum and the one with a common divisor."""
    return float(spearman(tables["divisor"][["score", "score_divisor"]].to_numpy()))


def _more_learners(tables: Tables) -> float:
    """Cells that learn the longest lag of the delayed sum with a common divisor, less cells that do without one."""
    rows = tables["divisor"]
    return float(rows["longest_divisor"].sum() - rows["longest"].sum()) if len(rows) else np.nan


def _more_learners_than_control(tables: Tables) -> float:
    """Cells that learn the longest lag with a common divisor, less cells that do where lags are as long without one."""
    rows = tables["divisor"]
    is_there = len(rows) and "longest_control" in rows
    return float(rows["longest_divisor"].sum() - rows["longest_control"].sum()) if is_there else np.nan


def _stays_best(tables: Tables) -> float:
    """Lead in mean score over all tasks, the second sum too, of the cell that is the best at the first on average."""
    scores = tables["performance"].pivot(index="architecture", columns="contest", values="score")
    if len(scores) < 2 or not {*FIRST, "count", "heart"} <= set(scores) or tables["divisor"].empty:
        return np.nan
    scores["divisor"] = tables["divisor"].set_index("architecture")["score_divisor"]
    best, means = str(scores[list(FIRST)].mean(axis=1).idxmax()), scores.mean(axis=1)
    return float(means[best] - means.drop(best).max())


RHO, LEAD, CELLS = "Spearman's ρ", "lead in score", "further cells"
"""Quantities that decide an expectation."""
EXPECTATIONS = (
    Expectation(
        "The noise scale of the longest lag before training orders cells as they score at that task.",
        RHO,
        _correlation("noise", "sum"),
        0.5,
    ),
    Expectation(
        "The noise scale says as much of associative recall, another task.", RHO, _correlation("noise", "recall"), 0.5
    ),
    Expectation(
        "Memory capacity before training orders cells as they score at the delayed sum.",
        RHO,
        _correlation("capacity", "sum"),
        0.5,
    ),
    Expectation("The best cell at the delayed sum is orthogonal.", LEAD, _of_family("sum", "orthogonal"), 0.0),
    Expectation("The best cell at selective copying has gates.", LEAD, _of_family("selective", "gates"), 0.0),
    Expectation("The best cell at associative recall has attention.", LEAD, _of_family("recall", "attention"), 0.0),
    Expectation(
        "An LSTM with chrono initialisation scores more at the delayed sum than one that starts at ½.",
        LEAD,
        _of_cells("sum", "chrono_lstm", "lstm"),
        0.05,
    ),
    Expectation(
        "Cells with gates gain more by tuning than all others, over one rate of 0.001 for all.",
        "lead in gain",
        _gain_by_tuning(0.001, "gates"),
        0.1,
    ),
    Expectation(
        "Cells with gates lose less at twice the steps than all others.", "lead in loss", _lost_less("gates"), 0.05
    ),
)
"""Of the first four tasks."""
LATER = (
    Expectation(
        "At a delayed sum whose lags have a common divisor cells stand nearly as at one whose lags have none.",
        RHO,
        _of_sums,
        0.7,
    ),
    Expectation(
        "More cells learn the longest lag of the delayed sum where lags have a common divisor.",
        CELLS,
        _more_learners,
        3.0,
    ),
    Expectation("Mean scores at the first four tasks order cells as they count.", RHO, _of_tasks(FIRST, "count"), 0.5),
    Expectation(
        "Mean scores at the first four tasks order cells as they forecast a heartbeat.",
        RHO,
        _of_tasks(FIRST, "heart"),
        0.5,
    ),
    Expectation("The best cell at counting has gates.", LEAD, _of_family("count", "gates"), 0.0),
    Expectation("The best cell at forecasts of a heartbeat has gates.", LEAD, _of_family("heart", "gates"), 0.0),
    Expectation(
        "Memory capacity before training orders cells as they forecast a heartbeat.",
        RHO,
        _correlation("capacity", "heart"),
        0.5,
    ),
    Expectation(
        "The cell with the highest mean score at the first four tasks has it at all seven.", LEAD, _stays_best, 0.0
    ),
)
"""Of the later three."""
CONTROL = Expectation(
    "More cells learn the longest lag of the delayed sum where lags have a common divisor than where they are as long.",
    CELLS,
    _more_learners_than_control,
    1.0,
)
"""Of a control for the common divisor, written down when the later three tasks had been raced at most cells."""
