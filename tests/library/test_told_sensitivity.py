"""Sentences on what a search over settings found."""

import doctest

import pandas as pd

from learnability.core.variation import COLUMNS
from learnability.report import sensitive
from learnability.report.findings import Finding


def test_the_example_is_right() -> None:
    failures, attempts = doctest.testmod(sensitive)
    assert not failures and attempts


def test_nothing_is_told_where_nothing_could_be_varied() -> None:
    rows = [("z", 1, 3, None, None, None, "not valid")]
    assert sensitive.sensitivity_sentences(pd.DataFrame(rows, columns=COLUMNS), "verdict") == ""


def test_no_number_is_printed_where_a_statement_was_zero_or_is_lost() -> None:
    rows = [("z", 1, 3, 0, float("inf"), "one", ""), ("y", 1, 3, 0, float("nan"), "two", "")]
    text = sensitive.sensitivity_sentences(pd.DataFrame(rows, columns=COLUMNS), "answer")
    many = pd.DataFrame([("n", 2000, 4000, 2, 11.0, "a_b@1", "")], columns=COLUMNS)
    assert sensitive.sensitivity_sentences(many, "verdict").endswith(
        "1 changes a number behind the verdicts. "
        "With `n` at 4,000 instead of 2,000, *a b* changes by 1,100 % of its value, and 2 verdicts change."
    )
    assert "2 change a number behind the answer." in text
    assert "*one* is no longer 0, and the answer stays the same." in text
    assert "*two* is a finite number in one of the two cases alone, and the answer stays the same." in text


def test_settings_that_change_nothing_are_not_named() -> None:
    rows = [("z", 1, 3, 0, 0.0, "one", "")]
    text = sensitive.sensitivity_sentences(pd.DataFrame(rows, columns=COLUMNS), "answer")
    assert text == (
        "Of 1 setting, varied one at a time in small runs (the quick size), none changes a number behind the answer."
    )


def test_settings_that_move_a_number_are_counted() -> None:
    rows = [("z", 1, 3, 0, 0.0, "one", ""), ("y", 1, 2, 0, 0.5, "one", ""), ("y", 1, 3, 1, 0.25, "one", "")]
    text = sensitive.sensitivity_sentences(pd.DataFrame(rows, columns=COLUMNS), "answer")
    assert text.startswith(
        "Of 2 settings, varied one at a time in small runs (the quick size), 1 changes a number behind the answer. "
        "With `y` at 3 instead of 1, "
    )


def test_other_random_numbers_are_told_apart_from_settings() -> None:
    rows = [
        ("z", 1, 3, 0, 0.2, "one", ""),
        ("root_seed", 7, 8, 0, 0.1, "one", ""),
        ("root_seed", 7, 9, 0, 0.3, "b", ""),
    ]
    text = sensitive.sensitivity_sentences(pd.DataFrame(rows, columns=COLUMNS), "answer")
    assert text.startswith("Of 1 setting, varied") and " With `z` at 3 instead of 1, " in text
    assert text.endswith(" With other random numbers, *b* changes by 30 % of its value, and the answer stays the same.")
    still = pd.DataFrame([rows[0], ("root_seed", 7, 8, 0, 0.0, "one", "")], columns=COLUMNS)
    assert sensitive.sensitivity_sentences(still, "answer").endswith(" Other random numbers change nothing.")
    refusals = pd.DataFrame([rows[0], ("y", 1, 3, None, None, None, "not valid")], columns=COLUMNS)
    assert sensitive.sensitivity_sentences(refusals, "answer").endswith(
        "the answer stays the same. 1 more setting cannot be varied alone."
    )
    alone = pd.DataFrame([rows[1]], columns=COLUMNS)
    assert sensitive.sensitivity_sentences(alone, "answer") == ""  # no setting was varied


def test_what_was_named_without_a_search_says_so() -> None:
    findings = {name: Finding("?", "!", "", {}, " `epochs`:\n above all. ", ("", "")) for name in ("asked", "other")}
    search = pd.DataFrame([("asked", "n", 2, 4, 1, 0.5, "one", "")], columns=["question", *COLUMNS])
    result = sensitive.with_searched(findings, search, {"asked": "in the same trials"})
    by_hand = "By judgement, not by a search: `epochs`: above all."
    assert result["other"].sensitive_to == by_hand == sensitive.with_searched(findings, None)["asked"].sensitive_to
    assert result["asked"].sensitive_to == (
        "Of 1 setting, varied one at a time in the same trials, 1 changes a number behind the answer. With `n` at 4 "
        "instead of 2, *one* changes by 50 % of its value, and the answer changes. "
        "By judgement, also: `epochs`: above all."
    )
