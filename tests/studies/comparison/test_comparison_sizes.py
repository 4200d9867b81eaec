"""Orders of cells at several sizes: which races they are of, how far they agree, and what they look like."""

import numpy as np
import pandas as pd
import pytest

from layout import assert_legible
from learnability.core.errors import InputError
from learnability.report.style import Style
from studies.comparison.checks import check_sizes
from studies.comparison.expectations import judge
from studies.comparison.sizes.figure import draw
from studies.comparison.sizes.orders import COLUMNS, FIRST, OF_FULL, by_size, expect, orders

CELLS = list("abcdef")
SIZES = {"sum": {500: "sum_500", 2000: "sum", 8000: "sum_8000"}}
TWO_TASKS = SIZES | {"recall": {500: "recall_500", 2000: "recall"}}
SCORES = {"sum_500": [0.6, 0.5, 0.4, 0.3, 0.2, 0.1], "sum": [0.5, 0.7, 0.4, 0.3, 0.2, 0.1]}
SCORES["sum_8000"] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
SCORES |= {"recall_500": SCORES["sum_500"], "recall": SCORES["sum"]}
COMPARISON = {"race": {"parameters": 2000}, "contests": ["sum"], "tasks": {"sum": {}, "recall": {}, "sum_500": {}}}


@pytest.fixture
def performance():
    """Scores at three sizes: at 2,000 parameters two cells change places, at 8,000 all stand the other way round.

    The first cell has too few parameters at 2,000.
    """
    rows = [
        {"family": "gates", "contest": contest, "architecture": cell, "score": score, "rank": rank}
        for contest, scores in SCORES.items()
        for cell, score, rank in zip(CELLS, scores, np.argsort(np.argsort(scores))[::-1] + 1, strict=True)
    ]
    table = pd.DataFrame(rows).assign(rate=0.01, edge=False, diverged=0, units=4)
    limits = {contest: size for sizes in TWO_TASKS.values() for size, contest in sizes.items()}
    table["parameters"] = table["contest"].map(limits)
    table.loc[(table["architecture"] == "a") & (table["parameters"] == 2000), "parameters"] = 1700
    return table.assign(score_low=table["score"], score_high=table["score"])


def test_orders_agree_as_far_as_ranks_do(performance):
    """Alone it can catch sizes that are exchanged, and a best cell that is sought at the wrong size."""
    table = by_size(performance, SIZES)
    assert set(table["task"]) == {"sum"} and sorted(table["size"].unique()) == [500, 2000, 8000]
    pairs = orders(table, np.random.default_rng(0)).set_index(["smaller", "larger"])
    assert pairs["correlation"].tolist() == pytest.approx([1 - 6 * 2 / 210, -1, -1 + 6 * 2 / 210])
    assert (pairs["correlation_low"] <= pairs["correlation"]).all()
    near, far = pairs.loc[(500, 2000)], pairs.loc[(500, 8000)]
    assert near[["best_smaller", "place_at_larger", "best_larger", "place_at_smaller"]].tolist() == ["a", 2, "b", 2]
    assert far[["best_smaller", "place_at_larger", "best_larger", "place_at_smaller"]].tolist() == ["a", 6, "f", 6]
    assert (near["shared"], far["shared"]) == (FIRST, FIRST - 1)
    assert near["gain"] == pytest.approx(0.1 / 6)


def test_cells_that_fill_both_sizes_are_compared_alone(performance):
    """Alone it can catch cells that are too small at one size, and a threshold of another size's parameters."""
    pairs = orders(by_size(performance, SIZES), np.random.default_rng(0)).set_index(["smaller", "larger"])
    assert pairs["full_cells"].tolist() == [5, 6, 5]  # one is too small at 2,000
    assert pairs["full_correlation"].tolist() == pytest.approx([1, -1, -1])
    assert (pairs["full_low"] <= pairs["full_correlation"]).all()


def test_expectations_are_judged_by_orders(performance):
    table = orders(by_size(performance, SIZES), None)
    assert table.columns.tolist() == COLUMNS + OF_FULL and table["correlation_low"].isna().all()
    verdicts = judge({}, expect(table)).set_index("statement")
    assert verdicts["verdict"].tolist() == ["yes", "yes", "no", "no", "no", "no", "no", "no", "no"]
    assert verdicts["measured"].iloc[1::3].tolist() == [FIRST - 2, FIRST - 6, FIRST - 6]


@pytest.fixture
def figure(performance):
    """The figure of a task at three sizes, and of one at two."""
    table = by_size(performance, TWO_TASKS)
    style = Style(CELLS, dict.fromkeys(CELLS, "#0173b2"), {cell: cell * 3 for cell in CELLS}, 175, 7)
    return draw({"by_size": table, "orders": orders(table, None)}, style)


def dots(ax):
    """Scores at the smaller and the larger size, by cell, and whether each circle is open."""
    points = [collection.get_offsets()[0].tolist() for collection in ax.collections]
    open_circles = [bool((collection.get_facecolor()[0][:3] == 1).all()) for collection in ax.collections]
    return dict(zip(CELLS, points, strict=True)), dict(zip(CELLS, open_circles, strict=True))


def test_a_panel_compares_scores_at_the_smallest_and_the_largest_size(figure, tmp_path):
    """Alone it can catch axes that are exchanged, a name at another cell's dot, and the ρ of other sizes."""
    assert_legible(figure, tmp_path)
    pairs = [("sum_500", "sum_8000", "-1.00", "-1.00"), ("recall_500", "recall", "0.94", "1.00")]
    for ax, (smaller, larger, rho, of_full) in zip(figure.axes, pairs, strict=True):
        points, _ = dots(ax)
        scores = {cell: list(pair) for cell, *pair in zip(CELLS, SCORES[smaller], SCORES[larger], strict=True)}
        assert points == scores
        named = {text.get_text(): list(text.xy) for text in ax.texts if hasattr(text, "xy")}
        best = sorted(CELLS, key=lambda cell: -scores[cell][1])[:1]
        by_gain = sorted(CELLS, key=lambda cell: scores[cell][0] - scores[cell][1])
        assert set(named) == {cell * 3 for cell in (*best, by_gain[0], by_gain[-1])}
        assert all(place == scores[label[0]] for label, place in named.items())
        assert f"ρ = {rho}, filled {of_full}" in " ".join(
            ax.get_title(loc="left").replace("\N{NO-BREAK SPACE}", " ").split()
        )


def test_a_circle_is_open_where_a_cell_is_smaller_than_the_others(figure):
    of_sum, of_recall = (dots(ax)[1] for ax in figure.axes)
    assert not any(of_sum.values()) and of_recall == {cell: cell == "a" for cell in CELLS}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"sum": [0.9, 0.8], "recall": [0.7]}, "keep nearly their order"),
        ({"sum": [0.9, 0.6], "recall": [0.7]}, "keep nearly their order at associative recall alone"),
        ({"sum": [0.9, 0.6], "recall": [0.1]}, "change their order"),
    ],
    ids=["all", "one", "none"],
)
def test_the_title_names_the_tasks_whose_order_holds_between_all_sizes(performance, values, message):
    """Alone it can catch a title that speaks of the task with the best agreement, or of neighbouring sizes alone."""
    table = by_size(performance, TWO_TASKS)
    agreement = orders(table, None)
    agreement["full_correlation"] = [*values["sum"], min(values["sum"]), *values["recall"]]
    style = Style(CELLS, dict.fromkeys(CELLS, "#0173b2"), {cell: cell for cell in CELLS}, 175, 7)
    assert (
        draw({"by_size": table, "orders": agreement}, style).get_suptitle() == f"Cells that fill both sizes {message}"
    )


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({}, r"'comparison.sizes' must be such that one contest has a further size"),
        ({"sum": []}, r"'comparison.sizes' must be such that one contest has a further size"),
        ({"recall": [300]}, r"'comparison.sizes' must be one of sum"),
        ({"sum": [2000]}, r"'comparison.sizes.sum' must be other than 2000, which is race.parameters"),
        ({"sum": [500]}, r"'comparison.sizes.sum' must be such that no contest has the name of a task"),
    ],
    ids=["none", "empty", "no contest", "the same", "a task"],
)
def test_sizes_without_a_contest_of_their_own_are_refused(sizes, message):
    with pytest.raises(InputError, match=message):
        check_sizes({**COMPARISON, "sizes": sizes})
