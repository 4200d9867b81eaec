"""Growth with the lag where it is known, and the page of a made-up world."""

import numpy as np
import pandas as pd
import pytest

from layout import assert_complete
from learnability.report.findings import as_markdown
from learnability.report.style import Style
from studies.ground_truth import contest as of_contest
from studies.ground_truth.answers import INTRODUCTION, answer
from studies.ground_truth.foretold.figure import draw
from studies.ground_truth.grown import figure as of_growth
from studies.ground_truth.growth import growth, learned_share
from studies.ground_truth.ordered import figure as of_order
from studies.ground_truth.tables import tabulate
from studies.questions import find_questions

SIZES = np.array([2.0, 8.0, 32.0, 128.0])
LABELS = {"a": "A", "b": "B", "c": "C"}
DURATIONS = {"dense": 100, "sparse": 100, "equal_parameters": 100, "larger": 200, "six_lags": 100}
LAGS = {"dense": [4, 8, 16], "sparse": [8, 16, 32], "equal_parameters": [16], "larger": [32], "six_lags": [8, 16]}


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(of_contest, "DRAWS", 50)


def settings():
    return [(grid, name, lag) for grid, lags in LAGS.items() for name in LABELS for lag in lags]


def world(law):
    """Trials whose r/c passes ½ at log N of a law of architecture and lag, and a candidate that is N³."""
    trial_rows, candidate_rows = [], []
    for grid, name, lag in settings():
        for seed in (0, 1):
            threshold = law(name, lag)
            for updates in (5, 10):
                for size in [*SIZES, np.inf]:
                    share = np.clip(0.5 + 0.2 * (np.log(min(size, 1e9)) - threshold), 0, 1)
                    trial_rows.append([grid, name, lag, seed, updates, size, share])
            candidate_rows += [[grid, name, lag, seed, updates, "paper", 3 * threshold, 50] for updates in (0, 10)]
    names = ["grid", "architecture", "lag", "seed", "updates"]
    trials = pd.DataFrame(trial_rows, columns=[*names, "sample_size", "share"])
    return trials.assign(gap=1 - trials["share"]), pd.DataFrame(
        candidate_rows, columns=[*names, "candidate", "value", "parameters"]
    )


def power(name, lag):
    return 0.5 * np.log(lag) + 0.5 * "abc".index(name)


def tables():
    return tabulate(*world(power), ["dense", "sparse"], DURATIONS, 1)


def test_a_power_law_is_told_from_an_exponential():
    table = tables()["growth"].set_index(["grid", "quantity"])
    for quantity, exponent in (("n50", 0.5), ("paper, start", 1.5)):
        row = table.loc["dense", quantity]
        assert row[["decades_low", "decades_high"]].tolist() == pytest.approx([exponent * np.log10(4)] * 2)
        assert row["power"] == pytest.approx(1)
        assert row["exponential"] < 0.99


def test_growth_is_within_architectures_and_needs_three_lags():
    trials, candidates = world(lambda name, lag: np.log(16) + "abc".index(name) - 1)
    constant = tabulate(trials, candidates, ["dense"], DURATIONS, 1)["growth"].set_index("quantity")
    assert constant[["decades_low", "decades_high"]].eq(0).all(axis=None) and constant[
        ["power", "exponential"]
    ].isna().all(axis=None)
    two = tabulate(*(table[table["lag"] != 8] for table in world(power)), ["dense"], DURATIONS, 1)["growth"]
    assert two["power"].isna().all()


def test_growth_is_of_settings_that_are_learned():
    trials, candidates = world(power)
    never = trials["architecture"].eq("a") & trials["lag"].eq(16) & trials["grid"].eq("dense")
    table = tabulate(trials.assign(share=trials["share"].where(~never, 0.0)), candidates, ["dense"], DURATIONS, 1)[
        "growth"
    ]
    row = table.set_index(["grid", "quantity"]).loc["dense", "n50"]
    assert row["decades_low"] == pytest.approx(0.5 * np.log10(4)) and row["power"] == pytest.approx(1)
    assert row["architectures"] == 2


def test_shares_are_medians_over_seeds():
    trials = world(power)[0].query("grid == 'six_lags' and updates == 10").reset_index(drop=True)
    trials.loc[trials["seed"] == 1, "share"] = np.nan  # diverged: nothing learned
    medians = learned_share(trials).set_index(["architecture", "lag"])
    rows = trials[(trials["seed"] == 0) & (trials["architecture"] == "a") & (trials["lag"] == 8)]
    assert medians.loc[("a", 8), "N = ∞"] == rows.set_index("sample_size")["share"][np.inf] / 2


def test_the_page_asks_every_question():
    questions, results = find_questions("ground_truth"), tables()
    assert {table for question in questions.values() for table in question.tables} == results.keys()
    findings = answer(results, LABELS, sentences=False)
    page = as_markdown(INTRODUCTION, findings, LABELS.values(), {finding.figure[1]: "" for finding in findings})
    assert page.count("## ") == len(questions)
    assert growth.__name__ in page


def test_choices_that_change_nothing_leave_the_outcome():
    outcomes = tables()["contest_by_choice"].set_index("choice")
    assert list(outcomes.index) == [
        "as fixed",
        "halves swapped",
        "learned: r/c > 0.3",
        "learned: r/c > 0.7",
        "after 5 updates",
        "dense alone",
        "sparse alone",
    ]
    agree = outcomes.loc["after 5 updates"] == outcomes.loc["as fixed"]  # the made-up world is learned at once
    assert agree.all()
    assert outcomes["judged"].str.startswith("paper").all()


def test_what_counts_as_learned_moves_n50():
    trials, candidates = world(power)
    stricter = tabulate(trials.assign(share=trials["share"] - 0.2), candidates, ["dense", "sparse"], DURATIONS, 1)
    reference, shift = (table["contest_by_choice"].set_index("choice") for table in (tables(), stricter))
    assert reference.loc["learned: r/c > 0.7", "error"] == pytest.approx(shift.loc["as fixed", "error"])
    assert reference.loc["learned: r/c > 0.3", "error"] != reference.loc["learned: r/c > 0.7", "error"]


@pytest.mark.parametrize("draw", [of_growth.draw, of_order.draw])
def test_figures_of_growth_and_order_are_whole(draw, tmp_path):
    trials, candidates = (table.query("grid in ('dense', 'sparse')") for table in world(power))
    results, style = tables(), Style(list(LABELS), dict.fromkeys(LABELS, "k"), LABELS, 175, 7)
    n50 = results["half_learned"].query("grid in ('dense', 'sparse')")
    figure = draw(results | {"half_learned": n50, "trials": trials, "candidates": candidates}, style)
    assert_complete(figure, tmp_path)


def test_both_tests_of_the_contest_are_drawn_on_one_scale():
    trials, candidates = (table.query("grid in ('dense', 'sparse')") for table in world(power))
    results, style = tables(), Style(list(LABELS), dict.fromkeys(LABELS, "k"), LABELS, 175, 7)
    n50 = results["half_learned"].query("grid in ('dense', 'sparse')")
    figure = draw(results | {"half_learned": n50, "trials": trials, "candidates": candidates}, style)
    of_halves, of_architectures = figure.axes[:2]
    assert of_halves.get_xlim() == of_architectures.get_xlim()
    for ax, table in (
        (of_halves, results["contest"].query("half == 'held_out'")),
        (of_architectures, results["left_out"]),
    ):
        low, high = ax.get_xlim()
        rows = table[table["candidate"].isin(["paper, start", "lag", "parameters"])].dropna(subset="error_low")
        errors = ax.lines[0].get_xdata()
        assert set(np.round(rows["error"], 9)) <= set(np.round(errors, 9))
        assert low < rows["error_low"].min() and rows["error_high"].max() < high
