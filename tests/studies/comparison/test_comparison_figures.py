"""Figures of the comparison with any number of tasks: few panels, legible names, and numbers of the tables."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from layout import MOST_PANELS, cut_off, overlaps
from learnability.report.style import Style
from studies.comparison.drawn import BORDER
from studies.comparison.everywhere.figure import draw as draw_ranks
from studies.comparison.foretold.figure import NUMBERS
from studies.comparison.foretold.figure import draw as draw_foretold
from studies.comparison.learned.figure import draw as draw_scores
from studies.comparison.longer.figure import draw as draw_longer
from studies.comparison.memory.figure import draw as draw_memory
from studies.comparison.tables import overall

CELLS = [f"cell_{place}" for place in range(30)]
LABELS = {cell: f"forget-gate {place}" for place, cell in enumerate(CELLS)}
STYLE = Style(CELLS, dict.fromkeys(CELLS, "#0173b2"), LABELS, 175, 7)
CONTESTS = [
    "sum",
    "selective",
    "recall",
    "digits",
    "the_sum_with_a_common_divisor",
    "count",
    "forecasts_of_a_heartbeat",
]
COUNTS = pytest.mark.parametrize("count", [1, 2, 4, 7])


def tables_of(count):
    """Tables of thirty cells at so many tasks, of random scores without ties; the last task has no longer sequences."""
    generator = np.random.default_rng(5)
    rows = [
        {"family": "gates", "contest": contest, "architecture": cell, "score": generator.random(), "seeds": 5}
        for contest in CONTESTS[:count]
        for cell in CELLS
    ]
    table = pd.DataFrame(rows)
    table = table.assign(score_low=table["score"] - 0.02, score_high=table["score"] + 0.02)
    table["rank"] = table.groupby("contest")["score"].rank(ascending=False).astype(int)
    longer = table[table["contest"].isin(CONTESTS[: max(1, count - 1)])]
    longer = longer.assign(longer=longer["score"] * generator.uniform(0.5, 1.02, len(longer)))
    foretold = [
        {"number": number, "source": "sum", "contest": contest, "correlation": 0.5}
        for number in NUMBERS
        for contest in CONTESTS[:count]
    ]
    return {
        "performance": table,
        "overall": overall(table),
        "longer": longer.assign(lost=longer["score"] - longer["longer"]),
        "foretold": pd.DataFrame(foretold).assign(correlation_low=0.1, correlation_high=0.9),
    }


def assert_few_panels_and_legible(figure: Figure) -> None:
    figure.draw_without_rendering()
    assert len(figure.axes) <= MOST_PANELS
    assert figure.get_figwidth() >= figure.get_figheight()
    texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
    assert min(text.get_fontsize() for text in texts) >= 7
    assert overlaps(figure) == [] and cut_off(figure) == []


@COUNTS
@pytest.mark.parametrize(
    "draw", [draw_scores, draw_longer, draw_ranks, draw_foretold], ids=lambda draw: draw.__module__
)
def test_a_figure_of_all_tasks_has_few_panels(draw, count):
    """Alone it can catch a panel for each task, and names of tasks that cover one another."""
    assert_few_panels_and_legible(draw(tables_of(count), STYLE))


@pytest.mark.parametrize("draw", [draw_scores, draw_longer], ids=lambda draw: draw.__module__)
def test_a_figure_of_two_cells_is_legible(draw):
    tables = {
        name: table[table["architecture"].isin(CELLS[:2])] if "architecture" in table else table
        for name, table in tables_of(7).items()
    }
    assert_few_panels_and_legible(draw(tables, STYLE))


def assert_numbers(figure, table, value, best=""):
    """Require a text with each number of a table in its place, and frames around the largest of `best` by task."""
    left, right = figure.axes
    names = [tick.get_text() for tick in left.get_yticklabels()]
    contests = table["contest"].unique().tolist()
    texts = {text.get_position(): text for text in right.texts}
    frames = {tuple(patch.get_xy()) for patch in right.patches if mpl.colors.to_hex(patch.get_edgecolor()) == BORDER}
    places = set()
    for row in table.to_dict("records"):
        column, place = contests.index(row["contest"]), names.index(LABELS[row["architecture"]])
        text = texts.pop((column, place))
        rivals = table[table["contest"] == row["contest"]]
        is_best = best != "" and row[best] == rivals[best].max()
        assert float(text.get_text().replace("−", "-")) == pytest.approx(row[value], abs=0.00501)
        assert text.get_text() not in ("-0.00", "−0.00")
        assert (text.get_weight() == "bold") == is_best
        places |= {(column - 0.5, place - 0.5)} if is_best else set()
    assert frames == places and len(places) == len(contests) * bool(best) and not texts
    return names


def test_scores_stand_at_their_cell_and_task():
    """Alone it can catch a heat map with rows in another order than its names."""
    tables = tables_of(7)
    names = assert_numbers(draw_scores(tables, STYLE), tables["performance"], "score", "score")
    assert names == [LABELS[cell] for cell in tables["overall"]["architecture"]]


def test_losses_stand_at_their_cell_and_task():
    tables = tables_of(7)
    names = assert_numbers(draw_longer(tables, STYLE), tables["longer"], "lost")
    means = {
        cell: np.mean([row["longer"] for row in tables["longer"].to_dict("records") if row["architecture"] == cell])
        for cell in CELLS
    }
    assert names == [LABELS[cell] for cell in sorted(CELLS, key=lambda cell: -means[cell])]


@pytest.mark.parametrize(("score", "colour"), [(0.02, "white"), (0.98, "black")], ids=["dark", "light"])
def test_a_number_is_white_on_a_dark_shade_and_black_on_a_light_one(score, colour):
    tables = tables_of(2)
    tables["performance"].loc[0, "score"] = score
    _, right = draw_scores(tables, STYLE).axes
    assert {text.get_color() for text in right.texts if text.get_text() == f"{score:.2f}"} == {colour}


def memory_and_scores(count):
    """Tables of so many tasks with a capacity of each cell, and a ρ for each task."""
    tables = tables_of(count)
    memory = pd.DataFrame({"family": "gates", "contest": "sum", "architecture": CELLS[::-1]})
    foretold = tables["foretold"].assign(correlation=np.linspace(-0.9, 0.9, len(tables["foretold"])))
    return tables | {"memory": memory.assign(capacity_start=np.arange(1.0, 31.0)), "foretold": foretold}


@pytest.mark.parametrize(("count", "contests"), [(1, ["sum"]), (4, ["sum", "recall"])])
def test_memory_stands_against_scores_at_two_tasks_with_their_rho(count, contests):
    """Alone it can catch scores of another task or cell, and the ρ of another number."""
    tables = memory_and_scores(count)
    figure = draw_memory(tables, STYLE)
    assert_few_panels_and_legible(figure)
    scores = tables["performance"].set_index(["contest", "architecture"])["score"]
    rhos = tables["foretold"].set_index(["number", "contest"])["correlation"]
    for ax, contest in zip(figure.axes, contests, strict=True):
        places = [[place + 1, scores[contest, cell]] for place, cell in enumerate(CELLS[::-1])]
        assert ax.collections[0].get_offsets().tolist() == places
        rho = f"ρ = {rhos['capacity', contest]:.2f}"
        assert [text.get_text() for text in ax.texts] == [LABELS[CELLS[-1]], LABELS[CELLS[0]], rho]


def test_a_correlation_of_too_few_cells_is_not_written():
    tables = memory_and_scores(1)
    figure = draw_memory(tables | {"foretold": tables["foretold"].assign(correlation=np.nan)}, STYLE)
    assert [text.get_text() for ax in figure.axes for text in ax.texts if "ρ" in text.get_text()] == []
