"""Deep reservoirs: deviations against a literal loop, what is felt for how long, and what is said of it."""

import numpy as np
import pytest

from layout import assert_complete
from learnability.core.streams import numpy_generator
from learnability.report.style import Style
from studies.gated.deep_reservoirs import measure as deep_reservoirs
from studies.gated.deep_reservoirs.figure import draw
from studies.gated.deep_reservoirs.measure import ALL, GRADED, SAME, SHALLOW
from studies.gated.deep_reservoirs.numbers import numbers
from studies.gated.exhibit import ExhibitRequest

SETTINGS = {
    "units": 6,
    "graded_leaks": [1, 0.3, 0.1],
    "reservoir": {"spectral_radius": 0.8},
    "input_scale": 0.5,
    "layer_scale": 0.5,
    "varied": {"layer_scale": [0.1, 0.5], "spectral_radius": [0.4]},
    "lags": 30,
    "steps": 800,
    "sequences": 3,
}
STYLE = Style((), {}, {}, width_mm=175, font_size=7)


def test_deviations_are_those_of_a_loop(exhibit):
    generator = numpy_generator(1, 3, "deep reservoirs", "inputs")
    generator.uniform(-1, 1, (1, 800, 1))
    pairs = generator.uniform(-1, 1, (3, 62, 1))
    replacements = generator.uniform(-1, 1, (3, 1))
    first, second, _ = deep_reservoirs._draw(ExhibitRequest(SETTINGS, [], 1), 3)[GRADED].layers
    sizes = np.zeros((3, 31))
    for sequence in range(3):
        ends = []
        for perturb in (False, True):
            h, g, states = np.zeros(6), np.zeros(6), []
            for t in range(62):
                x = replacements[sequence] if perturb and t == 31 else pairs[sequence, t]
                h = np.tanh(first.recurrent @ h + first.input @ x)
                g = 0.7 * g + 0.3 * np.tanh(second.recurrent @ g + second.input @ h)
                states.append(g)
            ends.append(np.array(states[31:]))
        sizes[sequence] = np.linalg.norm(ends[1] - ends[0], axis=1)
    expected = sizes.mean(0) / sizes.mean(0).max()
    table = exhibit.tables["deep_decay"].set_index(["seed", "kind", "layer"]).sort_index()
    np.testing.assert_allclose(table.loc[(3, GRADED, 2), "deviation"], expected, atol=1e-12)


def test_all_kinds_have_as_many_units_and_recall_no_more(exhibit):
    table = exhibit.tables["deep_layers"]
    assert (table.loc[table["layer"] == ALL, "units"] == 18).all() and (
        table.loc[table["layer"] != ALL, "units"] == 6
    ).all()
    assert (table["capacity"] <= table["units"]).all()
    assert set(table.loc[table["kind"] == SHALLOW, "layer"]) == {ALL}


def test_layers_have_the_sum_and_the_mean_lag_of_their_curve_and_the_last_step_of_their_decay(exhibit):
    curves, decay = (exhibit.tables[name].groupby(["seed", "kind", "layer"]) for name in ("deep_curves", "deep_decay"))
    for row in exhibit.tables["deep_layers"].to_dict("records"):
        place = row["seed"], row["kind"], row["layer"]
        curve, steps = curves.get_group(place).set_index("lag")["recalled"], decay.get_group(place).set_index("step")
        assert row["capacity"] == pytest.approx(sum(curve))
        assert row["mean_lag"] == pytest.approx(sum(lag * share for lag, share in curve.items()) / sum(curve))
        assert row["felt"] == 1 + max(step for step, share in steps["deviation"].items() if share >= 0.1)


def test_leak_rates_make_layers_slow(exhibit):
    felt = exhibit.tables["deep_layers"].pivot_table(index="seed", columns=["kind", "layer"], values="felt")
    assert (felt[GRADED][3] > 2 * felt[GRADED][1]).all() and (felt[GRADED][1] == felt[SAME][1]).all()


def test_an_input_is_felt_until_little_is_left_for_good():
    assert deep_reservoirs.felt_for(np.array([1, 0.05, 0.3, 0.05])) == 3
    assert deep_reservoirs.felt_for(np.array([1, 0.05, 0.01])) == 1


def test_a_setting_that_is_varied_is_that_of_an_exhibit_with_it(exhibit):
    table = exhibit.tables["deep_settings"].set_index(["setting", "value", "seed"])
    values = {name: rows.set_index("seed")["value"] for name, rows in exhibit.statements.groupby("statement")}
    for name, ratio in {"felt": "felt_ratio", "lag": "lag_ratio"}.items():
        ratios = table[ratio].loc["layer_scale"].unstack("value")
        default = values[f"{name}_last_over_first_same"]
        np.testing.assert_allclose(ratios[0.5], default)  # the exhibit's own value
        np.testing.assert_allclose(ratios.min(axis=1), values[f"{name}_last_over_first_least"])
        np.testing.assert_allclose(ratios.max(axis=1), values[f"{name}_last_over_first_largest"])
    weak = deep_reservoirs.make(ExhibitRequest(SETTINGS | {"layer_scale": 0.1}, [3], 1)).statements.set_index(
        "statement"
    )
    assert weak["value"]["felt_last_over_first_same"] == table["felt_ratio"]["layer_scale", 0.1, 3]
    assert weak["value"]["capacity_over_shallow_same"] == table["capacity"]["layer_scale", 0.1, 3]
    radius = SETTINGS | {"reservoir": {"spectral_radius": 0.4}}
    narrower = deep_reservoirs.make(ExhibitRequest(radius, [3], 1)).statements.set_index("statement")["value"]
    assert narrower["lag_last_over_first_same"] == table["lag_ratio"]["spectral_radius", 0.4, 3]


@pytest.mark.parametrize("seeds", [[0], [0, 3]])
def test_the_figure_is_whole(exhibit, seeds, tmp_path):
    tables = {name: table[table["seed"].isin(seeds)] for name, table in exhibit.tables.items()}
    assert_complete(draw(tables, STYLE), tmp_path)


def test_numbers_of_the_page_are_medians(exhibit):
    page = numbers(exhibit.tables, {})
    table = exhibit.tables["deep_settings"]
    ratios = table[table["setting"] == "layer_scale"].groupby("value")["lag_ratio"].median()
    assert page["coupled"]["lag_ratio"].to_dict() == pytest.approx(ratios.to_dict())
    assert page["units"] == 18 and len(page["graded"]) > 1
    statements = exhibit.statements.pivot(index="statement", columns="seed", values="value")
    assert statements.notna().all(axis=None) and (statements.loc["felt_last_over_first_graded"] > 2).all()
