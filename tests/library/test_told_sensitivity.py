"""Sentences on what a search over settings found."""

import doctest

import pandas as pd

from learnability.core.variation import COLUMNS
from learnability.report import sensitive


def test_the_example_is_right() -> None:
    failed, tried = doctest.testmod(sensitive)
    assert not failed and tried


def test_nothing_is_told_where_nothing_could_be_varied() -> None:
    rows = [("z", 1, 3, None, None, None, "not valid")]
    assert sensitive.told_sensitivity(pd.DataFrame(rows, columns=COLUMNS), "verdict") == ""


def test_no_number_is_printed_where_a_statement_was_zero() -> None:
    rows = [("z", 1, 3, 0, float("inf"), "one", "")]
    told = sensitive.told_sensitivity(pd.DataFrame(rows, columns=COLUMNS), "answer")
    many = pd.DataFrame([("n", 2000, 4000, 2, 11.0, "a_b@1", "")], columns=COLUMNS)
    assert "`n` (4,000 for 2,000 turns 2 verdicts and moves *a b* by 1,100 %)" in sensitive.told_sensitivity(
        many, "verdict"
    )
    assert "turns no answer and moves *one* by more than any share of it" in told
