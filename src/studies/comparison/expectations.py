"""Expectations of the comparison, written down before its races were run, and whether they came true.

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
    """Rows of `statement`, the `quantity` that decides it, the number `needed` and `measured`, and the `verdict`.

    Args:
        expectations: to be judged, `EXPECTATIONS` by default.
    """
    expectations = EXPECTATIONS if expectations is None else expectations
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


def _gain_by_tuning(rate: float, family: str) -> Callable[[Tables], float]:
    """Gain of a family by tuning, over a rate for all, less the gain of all others, on average."""

    def measure(tables: Tables) -> float:
        rows = tables["rates"]
        best = rows.groupby(["contest", "architecture", "family"])["score"].max()
        gain = best - rows[rows["rate"] == rate].groupby(["contest", "architecture", "family"])["score"].max()
        member = gain.index.get_level_values("family") == family
        return float(gain[member].mean() - gain[~member].mean()) if member.any() and not member.all() else np.nan

    return measure


def _lost_less(family: str) -> Callable[[Tables], float]:
    """Loss of all others at twice the steps less the loss of a family, on average."""

    def measure(tables: Tables) -> float:
        member = tables["longer"]["family"] == family
        losses = tables["longer"]["lost"]
        return float(losses[~member].mean() - losses[member].mean()) if member.any() and not member.all() else np.nan

    return measure


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
        _gain_by_tuning(0.001, "gates"),
        0.1,
    ),
    Expectation(
        "Cells with gates lose less at twice the steps than all others.", "lead in loss", _lost_less("gates"), 0.05
    ),
)
