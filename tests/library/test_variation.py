"""Variation of settings: each number once, both ways, and what that does to statements and verdicts, by hand."""

import math

import pytest

from learnability.core.errors import InputError, require
from learnability.core.variation import (
    Headline,
    most_sensitive,
    numeric_settings,
    relative_change,
    vary,
    vary_headlines,
    vary_settings,
)

SETTINGS = {
    "units": 6,
    "rate": 0.3,
    "flag": True,
    "name": "rnn",
    "none": 0,
    "one": 1,
    "lags": [2, 9],
    "steps": [{"count": 4}, {"count": 5}],
    "empty": [],
}


def test_every_number_is_found_and_a_list_of_numbers_is_one_setting():
    numbers = dict(numeric_settings(SETTINGS))
    assert numbers == {
        ("units",): 6,
        ("rate",): 0.3,
        ("none",): 0,
        ("one",): 1,
        ("lags",): 2,
        ("steps", 0, "count"): 4,
        ("steps", 1, "count"): 5,
    }


def test_numbers_are_varied_one_at_a_time_whole_numbers_rounded():
    variations = [(variation.setting, variation.varied) for variation in vary(SETTINGS, (1 / 3, 3.0))]
    assert variations == [
        ("units", 2),
        ("units", 18),
        ("rate", pytest.approx(0.1)),
        ("rate", pytest.approx(0.9)),
        ("one", 3),  # a third of 1 is 1 again
        ("lags", 1),
        ("lags", 6),
        ("steps.0.count", 1),
        ("steps.0.count", 12),
        ("steps.1.count", 2),
        ("steps.1.count", 15),
    ]
    assert all(isinstance(variation.varied, int) for variation in vary(SETTINGS) if variation.setting != "rate")


def test_members_of_a_list_are_left_out_one_at_a_time():
    variations = list(vary({"rate": 0.3, "cells": ["rnn", "lstm"]}, (2.0,), left_out=["cells"]))
    assert [(variation.setting, variation.value, variation.varied) for variation in variations] == [
        ("rate", 0.3, 0.6),
        ("cells without rnn", 2, 1),
        ("cells without lstm", 2, 1),
    ]
    assert variations[1].settings == {"rate": 0.3, "cells": ["lstm"]}


def test_a_name_is_put_in_place_of_another_and_not_multiplied():
    """A root seed, twice as large, would be no other size of anything."""
    variations = list(vary({"rate": 0.3, "root_seed": 7}, (2.0,), others={"root_seed": [8, 9]}))
    assert [(variation.setting, variation.value, variation.varied) for variation in variations] == [
        ("rate", 0.3, 0.6),
        ("root_seed", 0, 1),
        ("root_seed", 0, 2),
    ]
    assert variations[-1].settings == {"rate": 0.3, "root_seed": 9}


def test_headlines_are_held_against_the_settings_that_they_rest_on():
    settings = {"few": {"n": 2}, "many": {"n": 3}, "root_seed": 1}
    headlines = {
        "own": Headline(("few",), lambda few: "yes" if few > 3 else "no", parts=("few",)),
        "all": Headline(("few", "many"), lambda _, many: "yes" if many > 3 else "no"),
    }

    def compute(at):
        return {"few": at["few"]["n"] + at["root_seed"], "many": float(at["many"]["n"])}

    table = vary_headlines(settings, compute, headlines, (2.0,), others={"root_seed": [5]})
    rows = {name: group.set_index("setting")["turned"].to_dict() for name, group in table.groupby("question")}
    assert rows == {"own": {"few.n": 1, "root_seed": 1}, "all": {"few.n": 0, "many.n": 1, "root_seed": 0}}


def test_all_other_settings_stay():
    before = str(SETTINGS)
    last = list(vary(SETTINGS))[-1].settings
    assert last == SETTINGS | {"steps": [{"count": 4}, {"count": 15}]}
    lags = next(variation.settings for variation in vary(SETTINGS) if variation.setting == "lags")
    assert lags == SETTINGS | {"lags": [1, 3]}
    assert str(SETTINGS) == before


def test_what_is_ignored_is_not_varied():
    assert {variation.setting for variation in vary(SETTINGS, (2,), ["steps", "lags", "one"])} == {"units", "rate"}
    with pytest.raises(InputError, match=r"'factors' must be at least one, each positive and other than 1. Got \[1\]"):
        next(vary(SETTINGS, (1,)))
    with pytest.raises(InputError, match="'factors' must be at least one"):
        next(vary(SETTINGS, ()))


def compute(settings):
    require(settings["a"] <= 20, "a", "at most 20", settings["a"])
    return {"sum": settings["a"] + settings["b"], "small": settings["b"] / 10}


def judge(statements):
    return {"large": "yes" if statements["sum"] >= 12 else "no", "positive": "yes" if statements["small"] > 0 else "no"}


def test_verdicts_that_turn_and_the_largest_change_are_those_of_a_case_by_hand():
    """a + b = 12: a = 3 gives 5, by 7/12; b = 1 gives 10, and a tenth of b from 0.2 to 0.1; b = 6 gives 16 and 0.6."""
    table = vary_settings({"a": 10, "b": 2}, compute, judge, (0.5, 3.0)).set_index(["setting", "varied"])
    assert table["turned"].fillna(-1).to_dict() == {("a", 5): 1, ("a", 30): -1, ("b", 1): 1, ("b", 6): 0}
    assert table.loc[("a", 5), "largest_change"] == pytest.approx(5 / 12)
    assert table.loc[("b", 1), "largest_change"] == pytest.approx(0.5) and table.loc[("b", 1), "statement"] == "small"
    assert table.loc[("b", 6), "largest_change"] == pytest.approx(2)
    assert table.loc[("a", 30), "skipped"] == "InputError: 'a' must be at most 20. Got 30."
    ranks = most_sensitive(table.reset_index())
    assert ranks["setting"].tolist() == ["b", "a"]  # a verdict each; b moves a statement by more
    assert ranks["varied"].tolist() == [1, 5]  # that which turns a verdict, not that which moves most
    assert most_sensitive(table.reset_index(), 1)["setting"].tolist() == ["b"]


def test_a_statement_that_was_zero_changes_without_bound_and_one_that_is_lost_by_no_number():
    assert relative_change(2, 3) == 0.5 and relative_change(-2, 3) == 2.5
    assert relative_change(0, 0) == 0 and relative_change(0, 1) == math.inf
    pairs = (1, math.nan), (math.nan, 1), (0, math.nan), (1, math.inf), (math.inf, 1)
    assert all(math.isnan(relative_change(*pair)) for pair in pairs)
    assert relative_change(math.nan, math.nan) == 0 == relative_change(math.inf, math.inf)


def test_a_statement_that_is_lost_counts_as_changed_most():
    table = vary_settings(
        {"lag": 8, "size": 1},
        lambda at: {"one": math.nan if at["lag"] < 8 else 1.0, "two": float(at["size"])},
        lambda statements: {},
        (0.5, 2.0),
    )
    assert table.loc[table["varied"] == 4, "statement"].tolist() == ["one"]
    assert most_sensitive(table)["setting"].tolist() == ["lag", "size"]


def test_settings_that_leave_no_number_are_no_answer():
    table = vary_settings(
        {"lag": 8}, lambda at: {"one": math.nan if at["lag"] < 8 else 1.0}, lambda statements: {}, (0.5,)
    )
    assert table[["turned", "skipped"]].isna().iloc[0].tolist() == [True, False]
    assert table["skipped"].iloc[0] == "no statement is a number there"
