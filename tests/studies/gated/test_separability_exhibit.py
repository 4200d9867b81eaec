"""Separability: Cover's formula against all dichotomies of points, linear programming, the figure and sentences."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from layout import assert_landscape
from learnability.core.errors import InputError
from learnability.core.streams import numpy_generator
from learnability.report.style import Style
from learnability.reservoirs import draw_reservoir
from studies.gated.exhibit import ExhibitRequest
from studies.gated.separability import measure as separability
from studies.gated.separability.figure import draw
from studies.gated.separability.measure import (
    COARSE,
    INPUTS,
    LINEAR,
    RESERVOIR,
    cover,
    is_separable,
    margin_of,
    spanned,
)
from studies.gated.separability.numbers import numbers

SETTINGS = {
    "points": 14,
    "dichotomies": 60,
    "steps": 4,
    "input_size": 2,
    "units": [3, 7, 14],
    "reservoir": {"spectral_radius": 0.9},
    "tolerance": 1e-9,
    "coarse": 0.05,
}
STYLE = Style((), {}, {}, width_mm=175, font_size=7)


@pytest.mark.parametrize("dimensions", [1, 2, 3, 5])
def test_covers_formula_counts_all_dichotomies_of_points_in_general_position(dimensions):
    points = np.random.default_rng(0).standard_normal((7, dimensions))
    outcomes = [is_separable(points, np.array(signs)) for signs in product([False, True], repeat=7)]
    assert np.mean(outcomes) == cover(7, dimensions)


def test_covers_formula_has_its_known_values():
    assert cover(10, 5) == 0.5 and cover(40, 20) == 0.5  # of twice as many points as dimensions
    assert cover(5, 5) == cover(5, 9) == 1
    assert cover(4, 2) == 8 / 16


def test_margins_are_those_of_linear_programming_and_of_geometry():
    draw = np.random.default_rng(2)
    for points in draw.standard_normal((20, 8, 4)):
        signs = draw.random(8) < 0.5
        sides = np.where(signs, 1.0, -1.0)[:, None] * points
        program = linprog(np.zeros(4), A_ub=-sides, b_ub=-np.ones(8), bounds=(None, None))
        assert is_separable(points, signs) == (program.status == 0)
    assert margin_of(np.array([[3.0, 0], [0, 4.0]]), np.array([True, True])) == pytest.approx(12 / 5)
    assert margin_of(np.array([[1.0, 0], [-1.0, 0]]), np.array([True, True])) < 1e-12


def test_points_that_coincide_are_not_separated():
    points = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]])
    assert not is_separable(points, np.array([True, False, True]))
    assert is_separable(points, np.array([True, True, False]))


def test_dichotomies_are_the_same_in_the_space_that_points_span():
    draw = np.random.default_rng(1)
    points = draw.standard_normal((9, 3)) @ draw.standard_normal((3, 6)) * 10.0 ** np.arange(-2, 4)
    within = spanned(points, 1e-9)
    assert within.shape == (9, 3)
    for signs in draw.random((20, 9)) < 0.5:
        assert is_separable(within, signs) == is_separable(points @ np.diag(10.0 ** -np.arange(-2, 4)), signs)


def test_shares_of_states_lie_within_the_binomial_interval_of_the_formula(exhibit):
    rows = exhibit.tables["separability_shares"].query(f"reads == '{RESERVOIR}'")
    assert (rows["deviation"] <= 3).all()
    assert rows["cover"].tolist() == [cover(14, units) for units in rows["units"]]
    standard = np.sqrt(rows["cover"] * (1 - rows["cover"]) / 60)
    inside = (rows["cover"] > 0.02) & (rows["cover"] < 0.98)
    np.testing.assert_allclose(
        rows["deviation"][inside], ((rows["separable"] - rows["cover"]).abs() / standard)[inside]
    )
    assert (rows["dimensions"] == np.minimum(rows["units"], 14)).all()


def test_a_linear_reservoir_spans_no_more_than_its_inputs(exhibit):
    rows = exhibit.tables["separability_shares"].query(f"reads == '{LINEAR}'")
    assert (rows["dimensions"] == np.minimum(rows["units"], 4 * 2)).all()
    inputs = exhibit.tables["separability_shares"].query(f"reads == '{INPUTS}'")
    assert (inputs["dimensions"] == 2).all() and (inputs["units"] == 0).all()


def test_rows_are_of_states_that_a_loop_has(exhibit):
    inputs = numpy_generator(1, 3, "separability", "inputs").uniform(-1, 1, (14, 4, 2))
    reservoir = draw_reservoir(7, 2, 1, 3, spectral_radius=0.9)
    states, linear = [], []
    for sequence in inputs:
        h, g = np.zeros(7), np.zeros(7)
        for x in sequence:
            h = np.tanh(reservoir.recurrent @ h + reservoir.input @ x)
            g = reservoir.recurrent @ g + reservoir.input @ x
        states.append(h)
        linear.append(g)
    halves = numpy_generator(1, 3, "separability", "dichotomies").random((60, 14)) < 0.5
    table = exhibit.tables["separability_shares"].set_index(["seed", "reads", "units"])
    for reads, points in ((RESERVOIR, states), (LINEAR, linear)):
        share = np.mean([is_separable(np.array(points), positive) for positive in halves])
        assert table.loc[(3, reads, 7), "separable"] == share
    assert table.loc[(3, COARSE, 7), "dimensions"] <= 7


def test_one_point_is_refused():
    with pytest.raises(InputError, match=r"'separability.points' must be at least 2. Got 1"):
        separability.make(ExhibitRequest(SETTINGS | {"points": 1}, [0], 1))


def test_the_figure_is_complete_and_landscape(exhibit, tmp_path):
    assert_landscape(draw(exhibit.tables, STYLE), tmp_path)


def test_shares_of_the_page_are_medians(exhibit):
    table = exhibit.tables["separability_shares"]
    page = numbers(exhibit.tables, {})
    for name, reads in (("separable", RESERVOIR), ("coarse", COARSE), ("inputs", INPUTS)):
        rows = table[table["reads"] == reads]
        most = rows.loc[rows["units"] == rows["units"].max(), "separable"].median()
        shares = {"separable": page["separable"].iloc[-1], "coarse": page["coarse"]["separable"]}
        assert shares.get(name, page["inputs"]) == pytest.approx(most)
