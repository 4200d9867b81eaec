"""Delayed sums with and without a common divisor of their lags: tables by hand, choices, figure and settings."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from layout import assert_legible
from learnability.core.errors import InputError
from learnability.core.store import read_table, write_table
from learnability.report.style import Style
from studies.comparison import tables
from studies.comparison.checks import check_divisor
from studies.comparison.choices import COLUMNS, describe_choices
from studies.comparison.divisor.figure import NAMES, draw
from studies.comparison.divisor.gains import gains, learned_lags
from studies.comparison.divisor.numbers import numbers
from studies.comparison.lags.numbers import HALF
from studies.comparison.section import sums_of
from studies.told import find

FAMILIES = {f"cell_{place}": "gates" if place < 4 else "linear" for place in range(8)}
LAGS = {"sum": [2, 9], "control": [3, 10], "even": [4, 10]}
PLAIN, PAIR = {"plain": "sum"}, {"plain": "sum", "divisor": "even"}
SUMS = {"plain": "sum", "control": "control", "divisor": "even"}
SIZES = {"recall": {40: "recall", 10: "recall_10"}}
CONTESTS = {"sum": 50, "recall": 50, "even": 60}
RACED = (*CONTESTS, "recall_10", "control")
LABELS = {cell: f"cell {cell[-1]}" for cell in FAMILIES}
STYLE = Style(list(FAMILIES), dict.fromkeys(FAMILIES, "#0173b2"), LABELS, 175, 7)


@pytest.fixture(scope="module")
def races():
    """Eight cells at three delayed sums and at recall; scores and learned shares are drawn at random."""
    generator = np.random.default_rng(3)
    pairs = [(contest, cell) for contest in RACED for cell in FAMILIES]
    names = [{"contest": contest, "architecture": cell} for contest, cell in pairs]
    seeds = [{**name, "seed": seed, "rate": 0.01} for name in names for seed in (1, 2, 3)]
    looks = [{**row, "updates": updates, "score": generator.random()} for row in seeds for updates in (0, 5, 10)]
    is_sum = {contest: contest in LAGS for contest in RACED}
    states = pd.DataFrame(seeds).assign(longer=0.5)
    for name in ("capacity_start", "capacity_end"):
        states[name] = generator.random(len(states)) / states["contest"].map(is_sum)
    gradients = [
        {**row, "end": end, "lag": lag, "share": generator.random(), "needed": generator.random()}
        | {"noise": generator.random()}
        for row in seeds
        if is_sum[row["contest"]]
        for end in ("start", "end")
        for lag in LAGS[row["contest"]]
    ]
    samples = [
        {**row, "sequences": size, "updates": updates, "lag": lag, "share": generator.random(), "validation": 0.5}
        for row in seeds
        if row["contest"] == "sum"
        for size in (2, 8)
        for updates in (5, 10)
        for lag in LAGS["sum"]
    ]
    sizes = pd.DataFrame(names).assign(units=4, parameters=40, state=4, depth=8, multiply_adds=1.0, kept_bytes=1.0)
    return {
        "scores": pd.DataFrame(looks),
        "tried": pd.DataFrame(looks).assign(chosen=True),
        "states": states.replace(np.inf, np.nan),
        "gradients": pd.DataFrame(gradients),
        "samples": pd.DataFrame(samples),
        "sizes": sizes,
    }


@pytest.fixture(scope="module")
def tabulate(races):
    """Tables by the sums that they compare, made once."""
    contests = {len(PLAIN): {"sum": 50, "recall": 50}}

    @cache
    def of(names):
        sums = {name: SUMS[name] for name in names}
        return tables.tabulate(races, FAMILIES, contests.get(len(sums), CONTESTS), SIZES, sums, root_seed=1)

    return lambda sums=SUMS: of(tuple(sums))


def median_share(races, contest, cell, lag):
    """Median over seeds of the share at the end of the training, by looking at all rows."""
    shares = [
        row["share"]
        for row in races["gradients"].to_dict("records")
        if (row["contest"], row["architecture"], row["lag"], row["end"]) == (contest, cell, lag, "end")
    ]
    return sorted(shares)[1]


def test_sums_are_compared_cell_by_cell(tabulate, races):
    """Alone it can catch tasks that are exchanged, a start in place of an end, or a lag that is not the longest."""
    results = tabulate()
    rows = results["divisor"].set_index("architecture")
    performance = tables.performance(races, FAMILIES).set_index(["contest", "architecture"])
    assert rows.index.tolist() == list(FAMILIES) and rows["family"].tolist() == list(FAMILIES.values())
    for cell in FAMILIES:
        for suffix, contest in {"": "sum", "_control": "control", "_divisor": "even"}.items():
            for column in ("score", "score_low", "score_high", "half"):
                assert rows.loc[cell, f"{column}{suffix}"] == performance.loc[(contest, cell), column]
            share = median_share(races, contest, cell, max(LAGS[contest]))
            assert rows.loc[cell, f"longest{suffix}"] == (share >= HALF)
        assert rows.loc[cell, "gain"] == rows.loc[cell, "score_divisor"] - rows.loc[cell, "score"]
        assert rows.loc[cell, "gain_control"] == rows.loc[cell, "score_divisor"] - rows.loc[cell, "score_control"]
    assert (rows[["longest", "longest_control", "longest_divisor"]].nunique() == 2).all()
    lags = results["divisor_lags"]
    assert lags["contest"].unique().tolist() == list(SUMS.values())
    assert len(lags) == 3 * 2 * len(FAMILIES)
    for row in lags.to_dict("records"):
        assert row["lag"] == LAGS[row["contest"]][row["place"] - 1]
        assert row["share"] == median_share(races, row["contest"], row["architecture"], row["lag"])
        assert row["learned"] == (row["share"] >= HALF)


def test_a_control_counts_in_no_other_table(tabulate):
    """Alone it can catch a control in means over tasks, ranks, tuning, costs or choices of another question."""
    with_control, without = tabulate(), tabulate(PAIR)
    its_own = {"divisor", "divisor_lags", "expectations", "choices"}
    for name in with_control.keys() - its_own:
        pd.testing.assert_frame_equal(with_control[name], without[name])
    others = [
        results["choices"][~results["choices"]["question"].isin(["divisor", "expected"])].reset_index(drop=True)
        for results in (with_control, without)
    ]
    pd.testing.assert_frame_equal(others[0], others[1])
    assert without["divisor"].equals(with_control["divisor"][without["divisor"].columns])
    assert without["divisor_lags"]["contest"].unique().tolist() == ["sum", "even"]
    *_, last = with_control["expectations"].to_dict("records")
    learners = with_control["divisor"][["longest_divisor", "longest_control"]].sum()
    assert last["measured"] == learners["longest_divisor"] - learners["longest_control"]


def test_tables_of_one_delayed_sum_stay_the_same_beside_another(tabulate):
    """Alone it can catch lags, capacities or an N₅₀ of the task that has a common divisor."""
    both, alone = tabulate(), tabulate(PLAIN)
    for name in ("lags", "memory", "half_learned", "n50_longer", "n50_predictions"):
        pd.testing.assert_frame_equal(both[name], alone[name])
    assert both["foretold"]["source"].unique().tolist() == ["sum"]
    correlations = [table["foretold"].set_index(["number", "contest"])["correlation"] for table in (both, alone)]
    assert correlations[0][correlations[1].index].tolist() == correlations[1].tolist()
    assert set(both["foretold"]["contest"]) == set(CONTESTS)
    headlines = [table["choices"].groupby("question")["before"].first()[["lags", "memory"]] for table in (both, alone)]
    assert headlines[0].tolist() == headlines[1].tolist()


def learners(races, contest, share):
    """Cells that learn the longest lag from a share, by looking at all rows."""
    return sum(median_share(races, contest, cell, max(LAGS[contest])) >= share for cell in FAMILIES)


def test_choices_count_the_cells_that_a_divisor_lets_learn(tabulate, races):
    rows = tabulate(PAIR)["choices"].query("question == 'divisor'").set_index("choice")
    quantity = "the number of cells that learn the longest lag with a common divisor less the number without"
    assert rows["quantity"].unique().tolist() == [quantity]
    assert rows["before"].unique().tolist() == [learners(races, "even", HALF) - learners(races, "sum", HALF)]
    after = learners(races, "even", 0.6) - learners(races, "sum", 0.6)
    assert rows.loc["where a lag counts as learned from 0.6 of its coefficient", "after"] == after
    assert rows.loc["without associative recall", "answer"] == "stays"
    assert {"without even", "without the delayed sum"}.isdisjoint(rows.index)


def test_choices_count_the_cells_that_clearly_gain_over_the_control(races):
    """Alone it can catch an answer that is of one part of the headline, the cells that gain or the ones that learn."""
    scores = races["scores"].copy()
    gainers = scores["architecture"].isin(["cell_0", "cell_5"]) & scores["contest"].isin(["even", "control"])
    drawn = np.where(scores["contest"] == "even", 0.9, 0.1) + 0.001 * scores["seed"]
    scores["score"] = scores["score"].mask(gainers, drawn)
    contests = {name: CONTESTS[name] for name in ("sum", "recall")}
    results = tables.tabulate(races | {"scores": scores}, FAMILIES, contests, SIZES, SUMS, root_seed=1)
    rows = results["choices"].query("question == 'divisor'").set_index("choice")
    table = results["divisor"]
    clear = (table["score_low_divisor"] > table["score_high_control"]).sum()
    assert clear >= 2
    assert rows["quantity"].unique().tolist() == ["the number of cells that clearly gain"]
    assert rows["before"].unique().tolist() == [clear]
    assert "with medians over seeds" not in rows.index  # intervals have no width there
    more = {share: learners(races, "even", share) - learners(races, "control", share) for share in (HALF, 0.4, 0.6)}
    assert len(set(more.values())) > 1
    for share in (0.4, 0.6):
        row = rows.loc[f"where a lag counts as learned from {share} of its coefficient"]
        assert (row["after"], row["answer"]) == (clear, "stays" if more[share] == more[HALF] else "turns")
    assert {"without even", "without control", "without the delayed sum"}.isdisjoint(rows.index)


def test_without_a_second_delayed_sum_the_question_has_empty_tables_and_says_so(tabulate, races, tmp_path):
    """Alone it can catch a preset whose races do not answer the question, which would stop the workflow or be told."""
    results = tabulate(PLAIN)
    assert "divisor" not in set(results["choices"]["question"])
    assert describe_choices(pd.DataFrame(columns=COLUMNS)) == ""
    for name in ("divisor", "divisor_lags"):
        write_table(results[name], tmp_path / f"{name}.csv")
    stored = {name: read_table(tmp_path / f"{name}.csv") for name in ("divisor", "divisor_lags")}
    assert stored["divisor"].empty and stored["divisor_lags"].empty
    (ax,) = draw(stored, STYLE).axes
    assert [text.get_text() for text in ax.texts] == ["No second delayed sum was raced."]
    with pytest.raises(InputError, match="'sentences' must be false where tables lack what 'divisor' tells"):
        find("comparison", "divisor", True, stored, LABELS)


@pytest.mark.parametrize("sums", [SUMS, PAIR], ids=["with a control", "without"])
@pytest.mark.parametrize("sign", [1, -1], ids=["gain", "loss"])
def test_the_figure_names_the_cells_farthest_from_equality_and_counts_learners(tabulate, races, sign, sums, tmp_path):
    results = tabulate(sums)
    table, lags = results["divisor"], results["divisor_lags"]
    end = "_control" if "control" in sums else ""
    if sign < 0:
        swapped = {f"score{end}": "score_divisor", "score_divisor": f"score{end}"}
        table = table.rename(columns=swapped).assign(**{f"gain{end}": -table[f"gain{end}"]})
    table = table.assign(score_low_divisor=0.1, score_high_divisor=0.5, **{f"score_low{end}": 0.3})
    table[f"score_high{end}"] = 0.7
    table.loc[0, ["score_low_divisor", "score_high_divisor"]] = 0.71, 0.8
    table.loc[[1, 4], "score_high_divisor"] = 0.29
    figure = draw({"divisor": table, "divisor_lags": lags}, STYLE)
    assert_legible(figure, tmp_path)
    left, right = figure.axes
    farthest = sorted(table.to_dict("records"), key=lambda row: -abs(row[f"gain{end}"]))[:NAMES]
    names = {LABELS[row["architecture"]] for row in farthest}
    assert {text.get_text() for text in left.texts} == {*names, "1 of 8 clearly gain,\n2 clearly lose"}
    is_open = (left.collections[0].get_facecolors()[:, :3] == 1).all(axis=1)
    assert [cell for cell, is_white in zip(FAMILIES, is_open, strict=True) if not is_white] == [
        "cell_0",
        "cell_1",
        "cell_4",
    ]
    assert left.collections[0].get_offsets().tolist() == table[[f"score{end}", "score_divisor"]].to_numpy().tolist()
    for line, contest in zip(right.lines, sums.values(), strict=True):
        steps = LAGS[contest]
        learners = [sum(median_share(races, contest, cell, lag) >= HALF for cell in FAMILIES) for lag in steps]
        assert line.get_xydata().tolist() == [list(point) for point in zip(steps, learners, strict=True)]
        word = "with" if contest == "even" else "without"
        label = f"{learners[-1]} at lag {steps[-1]} of\n{steps[0]}, {steps[1]},\n{word} a divisor"
        assert label in {text.get_text() for text in right.texts if text.xy == (steps[-1], learners[-1])}
    assert len(right.texts) == len(sums)


def test_numbers_of_the_page_are_of_the_tables(tabulate):
    results = tabulate()
    page, table = numbers(results, LABELS), results["divisor"].set_index("architecture")
    assert (page["cells"], page["divisor"]) == (8, 2)
    assert page["lags"] == {"plain": ["2", "9"], "control": ["3", "10"], "divisor": ["4", "10"]}
    for part, column in {"plain": "longest", "control": "longest_control", "divisor": "longest_divisor"}.items():
        assert page["learners"][part] == [LABELS[cell] for cell in FAMILIES if table.loc[cell, column]]
    best = max(FAMILIES, key=lambda cell: table.loc[cell, "gain_control"])
    assert (page["gain"].index[0], page["gain"].iloc[0]) == (LABELS[best], table.loc[best, "gain_control"])
    for part, column in {"plain": "gain", "control": "gain_control"}.items():
        assert page["median"][part] == np.median([table.loc[cell, column] for cell in FAMILIES])


def test_a_page_without_the_control_is_refused(tabulate):
    with pytest.raises(InputError, match="'sentences' must be false where tables lack what 'divisor' tells"):
        find("comparison", "divisor", True, tabulate(PAIR), LABELS)


def test_gains_are_of_cells_that_have_both_scores(tabulate):
    results = tabulate()
    lags = learned_lags(results["lags"], PAIR)
    assert lags.empty and gains(results["performance"], lags, PAIR).empty


SECTION = {"contests": ["sum", "beside", "recall"], "sample_sizes": {"task": "sum"}}
SECTION |= {"tasks": {"recall": {"name": "recall"}, "beside": {"name": "delayed_sum", "lags": [2, 4]}}}
SECTION["tasks"] |= {
    name: {"name": "delayed_sum", "lags": lags}
    for name, lags in {**LAGS, "odd": [3, 10], "shorter": [3, 8], "more": [3, 7, 10], "twice": [2, 10]}.items()
}
SECTION["tasks"]["counted"] = {"name": "count"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none", r"'comparison.divisor.task' must be one of .* Got 'none'"),
        ("counted", r"'comparison.divisor.task' must be a delayed_sum that is none of .* Got 'counted'"),
        ("beside", r"'comparison.divisor.task' must be a delayed_sum that is none of .* Got 'beside'"),
        ("sum", r"'comparison.divisor.task' must be a delayed_sum that is none of .* Got 'sum'"),
        ("odd", r"'comparison.divisor.task' must be a task whose lags have a common divisor above 1. Got \[3, 10\]"),
    ],
    ids=["no task", "another task", "a contest", "the same", "no divisor"],
)
def test_a_task_without_a_common_divisor_is_refused(name, message):
    with pytest.raises(InputError, match=message):
        check_divisor({**SECTION, "divisor": {"task": name}})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none", r"'comparison.divisor.control' must be one of .* Got 'none'"),
        ("counted", r"must be a delayed_sum that is none of comparison.contests. Got 'counted'"),
        ("beside", r"must be a delayed_sum that is none of comparison.contests. Got 'beside'"),
        ("twice", r"must be a task whose lags have no common divisor above 1. Got \[2, 10\]"),
        ("shorter", r"must be a task with 2 lags, the longest of them 10. Got \[3, 8\]"),
        ("more", r"must be a task with 2 lags, the longest of them 10. Got \[3, 7, 10\]"),
    ],
    ids=["no task", "another task", "a contest", "a divisor", "shorter lags", "more lags"],
)
def test_a_control_unlike_the_sum_with_a_divisor_is_refused(name, message):
    with pytest.raises(InputError, match=message):
        check_divisor({**SECTION, "divisor": {"task": "even", "control": name}})


def test_a_control_without_a_divisor_is_refused():
    message = r"'comparison.divisor.control' must be empty where comparison.divisor.task is. Got 'control'"
    with pytest.raises(InputError, match=message):
        check_divisor({**SECTION, "divisor": {"task": "", "control": "control"}})


@pytest.mark.parametrize(
    ("settings", "sums"),
    [
        ({}, PLAIN),
        ({"divisor": {}}, PLAIN),
        ({"divisor": {"task": "", "control": ""}}, PLAIN),
        ({"divisor": {"task": "even", "control": ""}}, PAIR),
        ({"divisor": {"task": "even", "control": "control"}}, SUMS),
    ],
    ids=["left out", "nothing", "empty", "without a control", "given"],
)
def test_a_divisor_may_be_left_out(settings, sums):
    check_divisor(SECTION | settings)
    assert sums_of(SECTION | settings) == sums
