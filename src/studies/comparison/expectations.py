"""What was expected of the comparison, written down before its races were run, and whether it came.

A small trial with five cells (RNN, LSTM with both starts, GRU, expRNN), two seeds and 1,000 updates, which chose the
tasks and their sizes, had been seen by then; nothing of the others had.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

Tables = Mapping[str, pd.DataFrame]


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
    """Each `statement`, the `quantity` that decides it, the number `needed` and `measured`, and the `verdict`.

    Args:
        expectations: what is judged, `EXPECTATIONS` by default.
    """
    judged = EXPECTATIONS if expectations is None else expectations
    rows = [(each.statement, each.quantity, each.needed, each.number(tables)) for each in judged]
    table = pd.DataFrame(rows, columns=["statement", "quantity", "needed", "measured"])
    is_missing, is_met = table["measured"].isna(), table["measured"] >= table["needed"]
    return table.assign(verdict=np.where(is_missing, "not measured", np.where(is_met, "yes", "no")))


def _correlation(number: str, contest: str) -> Callable[[Tables], float]:
    def found(tables: Tables) -> float:
        rows = tables["foretold"]
        chosen = rows[(rows["number"] == number) & (rows["contest"] == contest)]["correlation"]
        return float(chosen.iloc[0]) if len(chosen) else np.nan

    return found


def _of_family(contest: str, family: str) -> Callable[[Tables], float]:
    """By how much the best cell of a family is above the best of all others."""

    def found(tables: Tables) -> float:
        rows = tables["performance"][tables["performance"]["contest"] == contest]
        own, others = rows[rows["family"] == family]["score"], rows[rows["family"] != family]["score"]
        return float(own.max() - others.max()) if len(own) and len(others) else np.nan

    return found


def _of_cells(contest: str, better: str, worse: str) -> Callable[[Tables], float]:
    """By how much one cell is above another."""

    def found(tables: Tables) -> float:
        rows = tables["performance"][tables["performance"]["contest"] == contest].set_index("architecture")["score"]
        return float(rows[better] - rows[worse]) if {better, worse} <= set(rows.index) else np.nan

    return found


def _tuned(rate: float, family: str) -> Callable[[Tables], float]:
    """By how much more a family gains by tuning than all others, on average, over a rate for all."""

    def found(tables: Tables) -> float:
        rows = tables["rates"]
        best = rows.groupby(["contest", "architecture", "family"])["score"].max()
        gain = best - rows[rows["rate"] == rate].groupby(["contest", "architecture", "family"])["score"].max()
        own = gain.index.get_level_values("family") == family
        return float(gain[own].mean() - gain[~own].mean()) if own.any() and not own.all() else np.nan

    return found


def _lost_less(family: str) -> Callable[[Tables], float]:
    """By how much less a family loses at twice the steps than all others, on average."""

    def found(tables: Tables) -> float:
        own = tables["longer"]["family"] == family
        lost = tables["longer"]["lost"]
        return float(lost[~own].mean() - lost[own].mean()) if own.any() and not own.all() else np.nan

    return found


RHO, LEAD = "Spearman's ρ", "lead in score"
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
        _tuned(0.001, "gates"),
        0.1,
    ),
    Expectation(
        "Cells with gates lose less at twice the steps than all others.", "lead in loss", _lost_less("gates"), 0.05
    ),
)
