"""Echo states: products and exponents against literal ones, counterexamples that are some, and what is said of them."""

import numpy as np
import pandas as pd
import pytest

from layout import assert_complete
from learnability.core.streams import numpy_generator
from learnability.report.style import Style
from studies.gated.echo_states import measure as echo_states
from studies.gated.echo_states.figure import draw
from studies.gated.echo_states.measure import ABOVE, AT, BELOW
from studies.gated.echo_states.numbers import numbers
from studies.gated.exhibit import ExhibitRequest

SETTINGS = {
    "reservoir": {"units": 8},
    "radii": [0.3, 0.9, 2.0],
    "inputs": {"none": 0.0, "weak": 0.1, "strong": 6.0},
    "sequences": 2,
    "lags": 12,
    "washout": 5,
    "steps": 400,
    "starts": 3,
    "tolerance": 1e-6,
    "counterexamples": {"weights": [[2, 6], [-0.8, -2.5]], "steps": 60},
}
STYLE = Style((), {}, {}, width_mm=175, font_size=7)


def test_products_are_those_of_jacobians_written_out(exhibit):
    noise = numpy_generator(1, 3, "echo states", "inputs").normal(size=(2, 400, 1))
    reservoir = echo_states._draw(ExhibitRequest(SETTINGS, [], 1), 3, 0.9)
    for name, strength in SETTINGS["inputs"].items():
        logs = []
        for series in strength * noise:
            h, jacobians = np.zeros(8), []
            for x in series[:17]:
                h = np.tanh(reservoir.recurrent @ h + reservoir.input @ x)
                jacobians.append((1 - h**2)[:, None] * reservoir.recurrent)
            logs.append(np.log(np.linalg.norm(np.linalg.multi_dot(jacobians[:-5:-1]), 2)))
        table = exhibit.tables["echo_stretch"]
        rows = table[(table["seed"] == 3) & (table["radius"] == 0.9) & (table["input"] == name)]
        row = rows[rows["lag"] == 4].iloc[0]
        assert row["stretch"] == pytest.approx(np.exp(np.mean(logs)))
        assert row["linear"] == pytest.approx(np.linalg.norm(np.linalg.matrix_power(reservoir.recurrent, 4), 2))
        if name == "none":
            assert row["stretch"] == pytest.approx(row["linear"])


def test_exponents_without_input_are_logarithms_of_the_radius_and_decide_on_echo_states(exhibit):
    table = exhibit.tables["echo_exponents"]
    still = table[table["input"] == "none"]
    np.testing.assert_allclose(still["exponent"], still["linear_exponent"], atol=0.02)
    assert (still["echo_states"] == (still["radius"] < 1)).all()
    strong = table[(table["input"] == "strong") & table["decided"]]
    assert strong["echo_states"].all() and (strong["exponent"] < 0).all()


def test_echo_states_are_decided_where_a_distance_would_pass_the_tolerance_twice(exhibit):
    """e^{λT} is the factor of a distance after T steps: it decides where that is 10⁻¹² or less, or 10¹² or more."""
    table = exhibit.tables["echo_exponents"]
    assert (table["decided"] == (abs(np.exp(table["exponent"]).map(np.log10)) * 400 >= 12)).all()
    assert set(table["decided"]) == {True, False} and not np.isinf(table["linear_exponent"]).any()
    assert (table["echo_states"] == (table["distance"] <= 1e-6)).all()
    noise = numpy_generator(1, 3, "echo states", "inputs").normal(size=(2, 400, 1))[0]
    reservoir = echo_states._draw(ExhibitRequest(SETTINGS, [], 1), 3, 2.0)
    h = echo_states._starts(ExhibitRequest(SETTINGS, [], 1), 3, 8)
    assert h.shape == (4, 8) and (h[0] == 0).all()
    for x in noise:
        h = np.tanh(h @ reservoir.recurrent.T + 0.1 * x @ reservoir.input.T)
    row = table.set_index(["seed", "radius", "input"]).loc[(3, 2.0, "weak")]
    assert row["distance"] == pytest.approx(max(np.linalg.norm(end - h[0]) for end in h[1:]), rel=1e-3)


def test_counterexamples_are_those_of_a_loop(exhibit):
    """The largest distance from the start at 0, and the largest product of the last Jacobians from any start."""
    weights = np.array(SETTINGS["counterexamples"]["weights"], float)
    states = [echo_states._starts(ExhibitRequest(SETTINGS, [], 1), 3, 2)]
    for _ in range(60):
        states.append(np.tanh(states[-1] @ weights.T))
    products = [np.eye(2) for _ in states[0]]
    table = exhibit.tables["echo_counterexamples"].set_index(["seed", "case", "step"])
    for step in range(1, 61):
        last = [np.diag(1 - h**2) @ weights for h in states[61 - step]]
        products = [product @ jacobian for product, jacobian in zip(products, last, strict=True)]
        row = table.loc[(3, BELOW, step)]
        assert row["distance"] == pytest.approx(max(np.linalg.norm(h - states[step][0]) for h in states[step]))
        assert row["stretch"] == pytest.approx(max(np.linalg.norm(product, 2) for product in products))


def test_counterexamples_are_some(exhibit):
    first, last = (exhibit.tables["echo_counterexamples"].groupby(["case", "seed"]).nth(place) for place in (0, -1))
    last = last.set_index(["case", "seed"])
    assert (last.loc[BELOW, "spectral_radius"] < 1).all() and (last.loc[BELOW, "stretch"] < 1e-3).all()
    assert (last.loc[BELOW, "distance"] > 1).all()
    assert (last.loc[AT, "stretch"] == 1).all()
    assert (last.loc[AT, "distance"] < first.set_index(["case", "seed"]).loc[AT, "distance"] / 2).all()
    np.testing.assert_allclose(last.loc[ABOVE, "spectral_radius"], 2)
    assert (last.loc[ABOVE, "distance"] < 1e-3).all()


def test_a_change_is_forgotten_once_it_stays_small():
    def after(*stretch):
        return echo_states.forgotten_after(pd.DataFrame({"lag": range(len(stretch)), "stretch": stretch}))

    assert after(1, 0.05, 0.2, 0.09, 0.01) == 3
    assert after(1, 0.01) == 1
    assert after(1, 0.5, 0.2) == np.inf


def test_statements_are_those_of_the_tables(exhibit):
    statements = exhibit.statements.pivot(index="statement", columns="seed", values="value")
    assert (statements.loc["distance_though_products_vanish"] > 1).all()
    assert (statements.loc["product_left_though_states_meet"] == 1).all()
    assert (statements.loc["echo_states_above_1_none"] == 0).all()
    assert (statements.loc["expanding_among_echo_states"] == 0).all()
    assert (statements.loc["lasts_longer_near_1_weak"] > 1).all()
    assert statements.notna().all(axis=None)


@pytest.mark.parametrize("seeds", [[0], [0, 3]])
def test_the_figure_is_whole(exhibit, seeds, tmp_path):
    tables = {name: table[table["seed"].isin(seeds)] for name, table in exhibit.tables.items()}
    figure = draw(tables, STYLE)
    assert_complete(figure, tmp_path)
    assert "above 1 forget" in " ".join(figure.get_suptitle().split())


def test_numbers_of_the_page_are_of_the_tables(exhibit):
    page = numbers(exhibit.tables, {})
    assert page["above"].to_dict() == {"none": 0, "weak": page["above"]["weak"], "strong": 1}
    assert page["agrees"] + len(page["unlike"]) == page["cases"] == len(exhibit.tables["echo_exponents"])
    assert not page["unlike"]["decided"].any()
    assert page["below"]["spectral_radius"] < 1 and page["at"]["spectral_radius"] == 1


def test_the_title_says_that_no_reservoir_forgets(exhibit):
    exponents = exhibit.tables["echo_exponents"].assign(echo_states=False, forgotten_after=np.inf, decided=False)
    title = draw(exhibit.tables | {"echo_exponents": exponents}, STYLE).get_suptitle()
    assert "No reservoir of spectral radius above 1" in " ".join(title.split())
