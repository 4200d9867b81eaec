"""Headlines of stored trials from choices of the analysis: as their tables have them, and turned by other choices."""

import json
from pathlib import Path

import numpy as np
import pytest

from learnability.core.errors import InputError
from learnability.core.store import read_table
from studies.ground_truth import analysed
from studies.ground_truth.contest import judged
from studies.ground_truth.growth import compare_sizes

DURATIONS = {"dense": 256, "sparse": 256, "equal_parameters": 256, "larger": 512, "six_lags": 256}


@pytest.fixture(scope="module")
def analysis():
    folder = Path(__file__).parents[3] / "results" / "reference" / "ground_truth"
    trials, candidates = (read_table(folder / f"{name}.csv.gz") for name in ("trials", "candidates"))
    return analysed.Analysis(trials, candidates, ["dense", "sparse"], DURATIONS), folder


@pytest.fixture(scope="module")
def choices(analysis):
    return analysed.choices(analysis[0].trials, 20260101)


def test_numbers_of_the_choices_that_were_made_are_those_of_the_stored_tables(analysis, choices):
    numbers, folder = analysis[0].numbers(choices), analysis[1] / "tables"
    contest, ratios = read_table(folder / "contest.csv"), read_table(folder / "size_ratios.csv").dropna()
    held_out = contest[contest["half"] == "held_out"].set_index("candidate")["error"]
    assert numbers["judged candidate's error divided by the lag's"] == pytest.approx(
        held_out[judged(contest)] / held_out["lag"]
    )
    assert numbers["largest ratio in sequences"] == pytest.approx(ratios["ratio"].max())
    growth = read_table(folder / "growth.csv").query("quantity == 'n50'").set_index("grid")["decades_low"]
    # lags of both grids of the contest are within a factor of four
    assert numbers["power of the lag by which N₅₀ grows, dense"] == pytest.approx(growth["dense"] / np.log10(4))
    paper = read_table(folder / "growth.csv").query("quantity == 'paper, start'").set_index("grid")["decades_low"]
    assert numbers["orders by which N₅₀ grows more than the paper's N̂, dense"] == pytest.approx(
        growth["dense"] - paper["dense"]
    )
    answers = {name: headline.judge(numbers) for name, headline in analysed.HEADLINES.items()}
    assert answers == {
        "foretold": "no",
        "ordered": "reversed alone",
        "grown": "faster than the lag, more than the paper, dense and less than the paper, sparse",
        "larger": "Undecided",
    }
    headlines = {
        record["question"]: record["answer"]
        for record in json.loads((analysis[1] / "findings.json").read_text())["questions"]
    }
    assert headlines["Does any quantity computed from gradients predict N₅₀?"].startswith("Not shown.")
    assert headlines["Does any such quantity rank architectures by the sequences that they need?"].startswith(
        "None is shown to"
    )


def test_each_choice_changes_the_rows_that_count(analysis, choices):
    alternatives = {"seeds": 2, "smallest_size": 6, "largest_size": 100, "shortest_lag": 8, "longest_lag": 16}
    rows = {}
    for name, value in {**alternatives, "architectures": ["gru"]}.items():
        trials, candidates = analysis[0]._of({**choices, name: value})
        rows[name] = len(trials), len(candidates)
    all_rows = analysis[0]._of(choices)
    assert all(counts[0] < len(all_rows[0]) for counts in rows.values())
    assert all(rows[name][1] < len(all_rows[1]) for name in ("seeds", "shortest_lag", "longest_lag", "architectures"))
    stricter = analysis[0]._of({**choices, "learned": 0.75})[0]["share"]
    np.testing.assert_allclose(stricter, all_rows[0]["share"] - 0.25)


def test_choices_that_the_trials_do_not_have_are_refused(analysis, choices):
    for name, value in {"learned": 1.0, "seeds": 6, "updates": 9000, "shortest_lag": 48}.items():
        with pytest.raises(InputError, match=name):
            analysis[0].numbers({**choices, name: value})


def test_every_headline_can_be_turned_by_its_own_numbers(analysis, choices):
    numbers = analysis[0].numbers(choices)
    opposites = {
        "foretold": [{"candidates that predict": 1.0}],
        "ordered": [{"lower end of its interval": 0.1}, {analysed.TOP_OF_VARIANCE: 0.1}],
        "grown": [
            {"power of the lag by which N₅₀ grows, sparse": 0.9},
            {analysed.EXCESSES["dense"]: -0.1},
            {analysed.EXCESSES["sparse"]: 0.1},
        ],
        "larger": [{"smallest ratio in sequences": 1.1, "largest ratio in sequences": 1.2}],
    }
    for name, headline in analysed.HEADLINES.items():
        for other in opposites[name]:
            assert headline.judge(numbers) != headline.judge(numbers | other), name


def test_larger_networks_need_more_or_fewer_only_if_all_ratios_say_so():
    assert compare_sizes([0.6, 0.8], [1.3, 1.7]) == compare_sizes([0.9], [1.1]) == "Undecided"
    assert compare_sizes([1.1, 1.2], [2.0, 2.1]) == compare_sizes([0.6], [0.9]) == "No"
