"""Richness: dimensions of known covariances, what a linear filter leaves unexplained, the figure and sentences."""

import numpy as np
import pytest
from scipy.linalg import solve_discrete_lyapunov

from layout import assert_landscape
from learnability.core.errors import InputError
from learnability.report.style import Style
from learnability.reservoirs import draw_reservoir
from studies.gated.exhibit import ExhibitRequest
from studies.gated.linear import linear_states
from studies.gated.richness import measure as richness
from studies.gated.richness.figure import draw
from studies.gated.richness.measure import (
    LINEAR,
    RESERVOIR,
    components_for,
    participation_ratio,
    unexplained,
    variances_of,
)
from studies.gated.richness.numbers import numbers

SETTINGS = {
    "reservoir": {"units": 10},
    "radii": [0.3, 0.6, 0.9, 1.5],
    "input_scales": [0.1, 2],
    "steps": 600,
    "washout": 100,
    "lags": 20,
    "share": 0.99,
}
STYLE = Style((), {}, {}, width_mm=175, font_size=7)


def test_equal_variances_are_as_many_dimensions_and_one_is_one():
    assert participation_ratio(np.full(7, 0.2)) == pytest.approx(7)
    assert participation_ratio(np.array([3.0, 0, 0])) == 1
    assert participation_ratio(np.array([2.0, 1.0])) == pytest.approx(9 / 5)


def test_components_are_counted_until_the_share_is_held():
    variances = np.array([0.5, 0.3, 0.15, 0.05])
    assert [components_for(variances, share) for share in (0.5, 0.51, 0.8, 0.99, 1)] == [1, 2, 2, 4, 4]


def test_variances_are_those_of_the_covariance():
    states = np.random.default_rng(0).standard_normal((500, 4)) @ np.diag([3.0, 1, 0.5, 0.1]) + 7
    eigenvalues = np.linalg.eigvalsh(np.cov(states.T))[::-1]
    np.testing.assert_allclose(variances_of(states), eigenvalues / eigenvalues.sum(), rtol=1e-10)


def test_a_linear_filter_has_the_covariance_of_its_lyapunov_equation():
    reservoir = draw_reservoir(6, 1, 1, 0, spectral_radius=0.8, input_scale=0.5)
    inputs = np.random.default_rng(0).uniform(-1, 1, (200_000, 1))
    expected = np.linalg.eigvalsh(
        solve_discrete_lyapunov(reservoir.recurrent, reservoir.input @ reservoir.input.T / 3)
    )[::-1]
    ratio = participation_ratio(variances_of(linear_states(reservoir, inputs[None])[0, 100:]))
    assert ratio == pytest.approx(participation_ratio(expected), rel=0.01)


def test_a_linear_function_of_the_inputs_is_explained_and_a_square_is_not():
    inputs = np.random.default_rng(1).uniform(-1, 1, 4000)
    states = np.stack([np.roll(inputs, 2), inputs - np.roll(inputs, 5)], 1)
    assert unexplained(states, inputs, 8, 10) < 1e-20
    assert unexplained(states, inputs, 3, 10) == pytest.approx(1 / 3, abs=0.05)  # lag 5 is one of three variances
    assert unexplained(inputs[:, None] ** 2, inputs, 8, 10) == pytest.approx(1, abs=0.05)


def test_weak_input_leaves_a_reservoir_its_linear_filter(exhibit):
    table = exhibit.tables["richness_dimensions"]
    weak = table[(table["input_scale"] == 0.1) & (table["radius"] < 0.9)]
    by_kind = weak.pivot(index=["seed", "radius"], columns="kind", values="dimension")
    np.testing.assert_allclose(by_kind[RESERVOIR], by_kind[LINEAR], rtol=0.05)
    rows = table[table["kind"] == RESERVOIR].set_index(["input_scale", "seed", "radius"])["unexplained"]
    assert (rows[2.0] > rows[0.1]).loc[:, [0.3, 0.6, 0.9]].all()
    assert table.loc[table["radius"] > 1, "kind"].unique().tolist() == [RESERVOIR]


def test_dimensions_are_between_one_and_the_units(exhibit):
    table = exhibit.tables["richness_dimensions"]
    assert table["dimension"].between(1, 10).all() and table["components"].between(1, 10).all()


@pytest.mark.parametrize(("name", "value"), [("radii", [1.0, 1.5]), ("input_scales", [1])])
def test_settings_that_leave_nothing_to_compare_are_refused(name, value):
    with pytest.raises(InputError, match=f"'richness.{name}' must be at least"):
        richness.make(ExhibitRequest(SETTINGS | {name: value}, [0], 1))


def test_the_figure_is_complete_and_landscape(exhibit, tmp_path):
    assert_landscape(draw(exhibit.tables, STYLE), tmp_path)


def test_numbers_of_the_page_are_medians_below_and_above_a_radius_of_1(exhibit):
    table = exhibit.tables["richness_dimensions"]
    page = numbers(exhibit.tables, {})
    states = table[table["kind"] == RESERVOIR]
    for name, rows in (("most", states[states["radius"] < 1]), ("most_beyond", states[states["radius"] > 1])):
        assert page[name] == pytest.approx(rows.groupby(["input_scale", "radius"])["dimension"].median().max())
    assert page["weak_unexplained"] < page["strong_unexplained"]
