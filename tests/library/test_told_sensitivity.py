"""Sentences on what a search over settings found."""

import doctest

import pandas as pd

from learnability.core.variation import COLUMNS
from learnability.report import sensitive
from learnability.report.findings import Finding


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
    assert "`n` (4,000 in place of 2,000 moves *a b* by 1,100 %; 2 verdicts turn)" in sensitive.told_sensitivity(
        many, "verdict"
    )
    assert "moves *one* from or to nothing; the answer stays" in told


def test_settings_that_change_nothing_are_not_named() -> None:
    rows = [("z", 1, 3, 0, 0.0, "one", "")]
    told = sensitive.told_sensitivity(pd.DataFrame(rows, columns=COLUMNS), "answer")
    assert told == "A search over 1 setting at the quick size, of which none moves a number."


def test_settings_that_move_a_number_are_counted() -> None:
    rows = [("z", 1, 3, 0, 0.0, "one", ""), ("y", 1, 2, 0, 0.5, "one", ""), ("y", 1, 3, 1, 0.25, "one", "")]
    told = sensitive.told_sensitivity(pd.DataFrame(rows, columns=COLUMNS), "answer")
    assert told.startswith(
        "A search over 2 settings at the quick size, of which 1 moves a number: `y` (3 in place of 1"
    )


def test_other_random_numbers_are_told_apart_from_settings() -> None:
    rows = [
        ("z", 1, 3, 0, 0.2, "one", ""),
        ("root_seed", 7, 8, 0, 0.1, "one", ""),
        ("root_seed", 7, 9, 0, 0.3, "b", ""),
    ]
    told = sensitive.told_sensitivity(pd.DataFrame(rows, columns=COLUMNS), "answer")
    assert told.startswith("A search over 1 setting at the quick size, of which 1 moves a number: `z`")
    assert told.endswith(" Other random numbers move *b* by 30 %; the answer stays.")
    still = pd.DataFrame([rows[0], ("root_seed", 7, 8, 0, 0.0, "one", "")], columns=COLUMNS)
    assert sensitive.told_sensitivity(still, "answer").endswith(" Other random numbers move nothing.")
    refused = pd.DataFrame([rows[0], ("y", 1, 3, None, None, None, "not valid")], columns=COLUMNS)
    assert sensitive.told_sensitivity(refused, "answer").endswith("the answer stays). 1 more cannot be varied alone.")
    alone = pd.DataFrame([rows[1]], columns=COLUMNS)
    assert sensitive.told_sensitivity(alone, "answer") == ""  # no setting was varied


def test_what_was_named_without_a_search_says_so() -> None:
    found = {name: Finding("?", "!", "", {}, " `epochs`:\n above all. ", ("", "")) for name in ("asked", "other")}
    searched = pd.DataFrame([("asked", "n", 2, 4, 1, 0.5, "one", "")], columns=["question", *COLUMNS])
    told = sensitive.with_searched(found, searched, {"asked": "of the same trials"})
    by_hand = "By judgement, not by a search: `epochs`: above all."
    assert told["other"].sensitive_to == by_hand == sensitive.with_searched(found, None)["asked"].sensitive_to
    assert told["asked"].sensitive_to == (
        "A search over 1 setting of the same trials, of which 1 moves a number: `n` (4 in place of 2 moves *one* by "
        "50 %; the answer turns). By judgement, also: `epochs`: above all."
    )
