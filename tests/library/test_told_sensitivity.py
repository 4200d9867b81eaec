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


def sentences(*rows, turned="answer"):
    trials = pd.DataFrame([(*row, "") for row in rows], columns=COLUMNS)
    return sensitive.sensitivity_sentences(trials, turned, "here")


def test_no_number_is_printed_where_a_statement_was_zero_or_is_lost():
    assert sentences(("z", 1, 3, 0, float("inf"), "one")) == (
        "The one setting that was varied here does not change the answer. Tripling `z` makes *one* differ from 0."
    )
    text = sentences(("y", 1, 3, 2, float("nan"), "a_b@1"), ("z", 1, 3, 0, 5.0, "one"), turned="verdict")
    assert text == (
        "One of 2 settings, each varied alone here, changes verdicts: tripling `y` changes 2. "
        "It decides whether `a_b` is finite."
    )


def test_another_factor_is_told_by_both_values() -> None:
    assert "Setting `n` to 12 instead of 25 moves" in sentences(("n", 25, 12, 0, 0.2, "one"))
    assert "Setting `n` to 1 instead of 0 moves" in sentences(("n", 0, 1, 0, 0.2, "one"))


def test_other_random_numbers_are_counted() -> None:
    rows = [("n", 1, 2, 0, 0.2, "one"), ("root_seed", 0, 1, 1, 0.1, "one"), ("root_seed", 0, 2, 0, 0.1, "one")]
    assert sentences(*rows).startswith("Other random numbers change the answer in one of two runs. ")


def test_a_large_change_is_a_multiple():
    assert "by 140 %." in sentences(("n", 1, 2, 0, 1.36, "one"))
    assert "by 3.6 %." in sentences(("n", 1, 2, 0, 0.0365, "one"))
    assert "moves *one* most, by 2,200 times its value." in sentences(("n", 1, 2, 0, 2248.0, "one"))


def test_settings_that_change_nothing_are_not_named():
    assert sentences(("z", 1, 3, 0, 0.0, "one")) == (
        "The one setting that was varied here does not change the answer. None moves a number behind it."
    )


def test_the_setting_that_changes_the_answer_comes_before_the_one_that_moves_a_number():
    rows = [("z", 1, 3, 0, 0.7, "one"), ("y", 1, 2, 1, 0.5, "one"), ("y", 1, 3, 1, 0.25, "one")]
    assert sentences(*rows) == (
        "One of 2 settings, each varied alone here, changes the answer: doubling `y`. "
        "Tripling `z` moves *one* most, by 70 %."
    )
    without = [("cells without gru", 9, 8, 1, 0.5, "one"), ("cells without lstm", 9, 8, 0, 0.7, "one")]
    assert sentences(*without).endswith(
        "changes the answer: leaving `gru` out of `cells`. Leaving `lstm` out of `cells` moves *one* most, by 70 %."
    )


def test_other_random_numbers_are_told_apart_from_settings():
    row, turner = ("z", 1, 3, 0, 0.2, "one@0"), ("z", 1, 3, 3, float("inf"), "one@0")
    less, more, other = (("root_seed", 0, 1, 0, *end) for end in ((0.1, "one@0"), (0.3, "one@1"), (0.3, "b")))
    assert "random" not in sentences(row, less)
    assert sentences(row, less, more).endswith("by 20 %, no more than other random numbers.")
    assert sentences(row, other).endswith("by 20 %. Other random numbers move *b* no less.")
    by_chance = ("root_seed", 0, 2, 2, float("inf"), "one@0")
    assert sentences(row, by_chance).startswith(
        "Other random numbers change the answer. The one setting that was varied here does not change the answer. "
    )
    assert sentences(row, by_chance, turned="verdict").startswith(
        "Other random numbers change 2 verdicts. The one setting that was varied here does not change a verdict. "
    )
    assert sentences(turner, by_chance) == (
        "Other random numbers change the answer. The one setting that was varied here changes the answer: tripling "
        "`z`. It makes *one* differ from 0, as do other random numbers."
    )
    assert sentences(turner, by_chance, turned="verdict").startswith(
        "Other random numbers change 2 verdicts. The one setting that was varied here changes verdicts: tripling "
        "`z` changes 3. "
    )
    rows = [("y", 1, 3, 1, 0.5, "one"), ("z", 1, 3, 2, 0.2, "one"), ("x", 1, 3, 0, 0.1, "one")]
    assert sentences(*rows, turned="verdict").startswith(
        "Two of 3 settings, each varied alone here, change verdicts; tripling `z` changes most, 2. "
    )
    assert sentences(*rows).startswith(
        "Two of 3 settings, each varied alone here, change the answer, such as tripling `"
    )
    assert sentences(*rows[2:], ("z", 1, 2, 0, 0.2, "one")).startswith(
        "None of 2 settings, each varied alone here, changes the answer. "
    )
    assert sentences(less) == ""  # no setting was varied


def test_what_a_search_asks_comes_before_what_it_found() -> None:
    findings = {"asked": Finding("?", "!", "", {}, "It asks\n less.\n\n`epochs`.", ("", ""))}
    search = pd.DataFrame([("asked", "n", 2, 4, 1, 0.5, "one", "")], columns=["question", *COLUMNS])
    assert sensitive.with_searched(findings, search)["asked"].sensitive_to == (
        "It asks less. The one setting that was varied in small runs (the quick size) changes the answer: doubling "
        "`n`. It moves *one* most, by 50 %. What also matters, by judgement: `epochs`."
    )
    without_search = sensitive.with_searched(findings, None)["asked"].sensitive_to
    assert without_search == "What matters, by judgement and not by a search: `epochs`."


def test_what_was_named_without_a_search_says_so() -> None:
    findings = {name: Finding("?", "!", "", {}, " `epochs`:\n above all. ", ("", "")) for name in ("asked", "other")}
    search = pd.DataFrame([("asked", "n", 2, 4, 1, 0.5, "one", "")], columns=["question", *COLUMNS])
    result = sensitive.with_searched(findings, search, {"asked": "in the same trials"})
    by_hand = "What matters, by judgement and not by a search: `epochs`: above all."
    assert result["other"].sensitive_to == by_hand == sensitive.with_searched(findings, None)["asked"].sensitive_to
    assert result["asked"].sensitive_to == (
        "The one setting that was varied in the same trials changes the answer: doubling `n`. It moves *one* "
        "most, by 50 %. What also matters, by judgement: `epochs`: above all."
    )
