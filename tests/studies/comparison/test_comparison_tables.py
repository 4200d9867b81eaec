"""Tables of the comparison against what they say, computed by hand or by trying everything."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from studies.comparison import tables
from studies.comparison.choices import SEARCH, vary_choices
from studies.comparison.costs.fronts import front

FAMILIES = {"good": "one", "middling": "two", "bad": "two"}
RATES = [0.001, 0.01, 0.1]
SIZES = {"recall": {40: "recall"}}
SETTINGS = (FAMILIES, {"sum": 50, "recall": 50}, SIZES, {"plain": "sum"})


def rows(values, **shared):
    return pd.DataFrame([{**shared, **value} for value in values])


@pytest.fixture
def races():
    return some_races()


def some_races():
    """Two tasks; scores of three cells by seed, of which one diverged and one is worse than a guess."""
    cells, scores, trials, sizes, states = list(FAMILIES), [], [], [], []
    for contest in ("sum", "recall"):
        for place, cell in enumerate(cells):
            names = {"contest": contest, "architecture": cell}
            ends = {"good": [0.8, 0.9, 1.0], "middling": [0.5, np.nan, 0.7], "bad": [-1.0, 0.1, 0.2]}[cell]
            for seed, end in enumerate(ends):
                looks = {0: 0.0, 5: end / 2, 10: end}
                scores += [{**names, "rate": 0.01, "seed": seed, "updates": u, "score": s} for u, s in looks.items()]
            for rate, score in zip(RATES, [0.1 * place, 0.9 - 0.2 * place, -0.5], strict=True):
                trials.append({**names, "rate": rate, "seed": 0, "updates": 10, "score": score, "chosen": rate == 0.01})
            sizes.append({**names, "units": 4, "parameters": 40, "state": 4 + place, "depth": 8, "multiply_adds": 10.0})
            longer = 0.5 if contest == "sum" else np.nan
            capacity = 3.0 - place if contest == "sum" else np.nan
            states.append({**names, "seed": 0, "longer": longer, "capacity_start": capacity, "capacity_end": capacity})
    gradients = [
        {"contest": "sum", "architecture": cell, "seed": 0, "end": end, "lag": lag}
        | {"needed": 1.0 + place + lag, "noise": 2.0 * place + lag, "share": 1.0 / (1 + place)}
        for place, cell in enumerate(cells)
        for end in ("start", "end")
        for lag in (2, 9)
    ]
    samples = [
        {"contest": "sum", "architecture": cell, "rate": 0.01, "seed": 0, "sequences": size, "updates": updates}
        | {"lag": lag, "share": size / 10 / (1 + place) - lag / 20, "validation": 0.5}
        for place, cell in enumerate(cells)
        for size in (2, 8)
        for updates in (5, 10)
        for lag in (2, 9)
    ]
    kinds = {"scores": scores, "tried": trials, "states": states, "gradients": gradients, "samples": samples}
    return {k: pd.DataFrame(v) for k, v in kinds.items()} | {"sizes": pd.DataFrame(sizes).assign(kept_bytes=100.0)}


def test_scores_are_means_of_seeds_of_which_none_is_worse_than_a_guess(races):
    """Alone it can catch a diverged seed that is left out of a mean instead of counting as a guess."""
    table = tables.performance(races, FAMILIES).set_index(["contest", "architecture"])
    assert table.loc["sum", "score"].tolist() == pytest.approx([0.9, 0.4, 0.1])
    assert table.loc["sum", "half"].tolist() == pytest.approx([0.45, 0.2, 0.05])
    assert table.loc["sum", "rank"].tolist() == [1, 2, 3]
    assert table.loc["sum", "diverged"].tolist() == [0, 1, 0]
    half = 4.302652729 * 0.1 / np.sqrt(3)  # Student's t of two degrees of freedom
    assert table.loc[("sum", "good"), "score_high"] - 0.9 == pytest.approx(half)
    assert not table["edge"].any()


def test_what_rates_are_worth_is_the_mean_over_all_choices_of_them(races):
    """Alone it can catch a wrong chance of a rate to be the best of k that are drawn."""
    worth = tables.tuning(tables.rates(races["tried"], FAMILIES))
    scores = [0.2, 0.5, 0.0]  # of `bad`, of which the worst is a guess
    for count in (1, 2, 3):
        expected = np.mean([max(subset) for subset in combinations(scores, count)])
        row = worth[(worth["architecture"] == "bad") & (worth["contest"] == "sum") & (worth["tried"] == count)]
        assert row["score"].item() == pytest.approx(expected)
        assert row["missing"].item() == pytest.approx(0.5 - expected)


def test_the_front_holds_who_is_beaten_by_none_that_costs_less():
    generator = np.random.default_rng(1)
    table = pd.DataFrame({"score": generator.integers(5, size=40), "cost": generator.integers(5, size=40)})
    cells = list(table.itertuples(index=False))

    def is_beaten(cell):
        rivals = [rival for rival in cells if rival.score >= cell.score and rival.cost <= cell.cost]
        return any((rival.score, rival.cost) != (cell.score, cell.cost) for rival in rivals)

    assert front(table, "cost").tolist() == [not is_beaten(cell) for cell in cells]


@pytest.fixture(scope="module")
def results():
    return tables.tabulate(some_races(), *SETTINGS, root_seed=1)


def test_numbers_before_training_are_held_to_what_they_promise(results):
    """Alone it can catch a sign by which a number that orders cells rightly is said to order them the wrong way."""
    correlations = results["foretold"].set_index(["number", "contest"])["correlation"]
    assert correlations.tolist() == pytest.approx([1.0] * len(correlations))
    assert sorted(correlations.index.get_level_values("number").unique()) == sorted(tables.QUANTITIES)
    assert (results["lags"]["trained_on"] == 50).all()
    assert results["longer"]["contest"].unique().tolist() == ["sum"]
    assert results["memory"]["by_number"].tolist() == pytest.approx([3 / 4, 2 / 5, 1 / 6])


def test_expectations_say_what_could_not_be_measured(results):
    expectations = results["expectations"]
    assert expectations["verdict"].iloc[0] == "yes"
    assert set(expectations[expectations["measured"].isna()]["verdict"]) == {"not measured"}


def test_a_mean_over_tasks_has_the_interval_of_its_independent_parts(races):
    """Alone it can catch an interval of tasks that are taken for one: it is computed by hand."""
    means = tables.overall(tables.performance(races, FAMILIES)).set_index("architecture")
    assert (means["score_high"] - means["score"]).tolist() == pytest.approx(means["score"] - means["score_low"])
    # Both tasks have the scores 0.8, 0.9 and 1.0: standard error 0.1/sqrt(3) each, 0.1/sqrt(6) of the mean, and 2 + 2
    # degrees of freedom, at which Student's t is 2.776.
    assert means.loc["good", "score_high"] - 0.9 == pytest.approx(2.776445105 * 0.1 / np.sqrt(6))


def test_choices_say_which_headlines_turn(races):
    """Alone it can catch a lead that is not of the cell that the headline names, or a choice that changes nothing."""
    last = races["scores"]["updates"] == 10
    is_changed = last & (races["scores"]["architecture"] == "middling") & (races["scores"]["contest"] == "recall")
    races["scores"].loc[is_changed, "score"] = [1.0, 1.0, 1.0]  # of 0.9: the lead is 0.5 at one task and -0.1 at one
    results = tables.tabulate(races, *SETTINGS, root_seed=1)
    choices = results["choices"].set_index(["question", "choice"])
    lead = choices.loc["learned"]
    assert lead["before"].unique() == pytest.approx([0.9 - (0.4 + 1.0) / 2])
    assert lead.loc["without the delayed sum", ["after", "answer"]].tolist() == [pytest.approx(-0.1), "turns"]
    assert lead.loc["without associative recall", ["after", "answer"]].tolist() == [pytest.approx(0.5), "stays"]
    assert lead.loc["with medians over seeds", "after"] == pytest.approx(0.9 - (0.5 + 1.0) / 2)
    assert lead.loc[SEARCH, "after"] == pytest.approx(0.2)
    learners = choices.loc["lags", ["before", "after"]]  # shares are 1, 1/2 and 1/3
    assert learners.loc["where a lag counts as learned from 0.6 of its coefficient"].tolist() == [2, 1]
    choices_without_effect = vary_choices(races, results, lambda _: results, {})
    assert set(choices_without_effect[~choices_without_effect["choice"].str.startswith("where")]["answer"]) == {"stays"}


def test_a_task_is_left_out_at_all_its_sizes(races, results):
    """Alone it can catch an order of sizes that is said to be without a task and has it still."""
    left = []

    def tabulate(other_races):
        left.append(set(other_races["scores"]["contest"]))
        return results

    vary_choices(races, results, tabulate, {"sum": {40: "sum", 10: "recall"}})
    assert left[:2] == [set(), {"sum"}]
