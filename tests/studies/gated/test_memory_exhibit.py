"""Memory: curves, readouts, products and suffixes against literal loops, and what is said of them."""

import numpy as np
import pandas as pd
import pytest

from layout import assert_complete
from learnability.report.style import Style
from learnability.reservoirs import fit_readout
from studies.gated.exhibit import ExhibitRequest
from studies.gated.memory import measure as memory
from studies.gated.memory.figure import draw
from studies.gated.memory.measure import INPUTS, RESERVOIR
from studies.gated.memory.numbers import numbers

SETTINGS = {
    "reservoir": {"units": 12},
    "radii": [0.4, 0.9, 1.3],
    "capacity": {"input_scales": [0.1, 1], "lags": 20, "steps": 600},
    "narma": {"input_scale": 0.3, "steps": 400, "washout": 30, "penalties": [1e-4, 0]},
    "products": {"radius": 0.9, "bias_scale": 0.5, "steps": 600, "washout": 30},
    "inverted": {"radii": [0.3, 0.9], "penalties": [1, 1e-12]},
    "washouts": {"radius": 0.9, "penalty": 1e-8, "steps": [0, 50]},
    "suffixes": {"radii": [0.3, 0.9], "input_scale": 1, "sequences": 40, "steps": 30, "longest": 6},
}
STYLE = Style((), {}, {}, width_mm=175, font_size=7)


def test_capacity_is_the_sum_of_the_curve_and_reach_its_last_half():
    shares = [1.0, 0.9, 0.5, 0.2, 0.0]
    names = {"seed": 0, "input_scale": 1.0, "units": 9, "lag": range(5)}
    curves = [pd.DataFrame(names | {"radius": 0.5, "recalled": shares})]
    curves += [pd.DataFrame(names | {"radius": 0.9, "recalled": 0.1})]
    totals = memory.totals(pd.concat(curves)).set_index("radius")
    assert totals["capacity"].tolist() == pytest.approx([2.6, 0.5]) and totals["reach"].tolist() == [2, 0]


def test_capacity_stays_below_the_units_and_a_small_radius_recalls_less(exhibit):
    table = exhibit.tables["memory_totals"]
    assert (table["capacity"] <= table["units"]).all()
    weak = table[table["input_scale"] == 0.1].pivot(index="seed", columns="radius", values="capacity")
    assert (weak[0.9] > weak[0.4]).all()


def test_last_inputs_are_those_of_a_loop():
    inputs = np.arange(1.0, 6).reshape(1, 5, 1)
    expected = [[x, x - 1, max(x - 2, 0)] for x in range(1, 6)]
    np.testing.assert_array_equal(memory.last_inputs(inputs, 3)[0], expected)


def test_common_suffixes_are_those_of_a_loop():
    symbols = np.random.default_rng(0).choice([-1.0, 1.0], (9, 5))
    lengths = memory.common_suffix(symbols)
    for a, x in enumerate(symbols):
        for b, y in enumerate(symbols):
            count = 0
            while count < 5 and x[-1 - count] == y[-1 - count]:
                count += 1
            assert lengths[a, b] == (-1 if a == b else count)


def test_the_error_on_narma_is_that_of_least_squares_with_a_column_of_ones(exhibit):
    table = exhibit.tables["memory_narma"]
    row = table[(table["reads"] == INPUTS) & (table["seed"] == 3)].iloc[0]
    case = ExhibitRequest(SETTINGS, [3], 1)
    designs, targets = [], []
    for split in ("training", "test"):
        x, y = memory._series(case, 3, split)
        columns = [np.concatenate([np.zeros(lag), x[0, : 400 - lag, 0]]) for lag in range(12)]
        designs.append(np.stack([*columns, np.ones(400)], 1)[30:])
        targets.append(y[0, 30:])
    penalty = np.diag([row["penalty"]] * 12 + [0])
    weights = np.linalg.solve(designs[0].T @ designs[0] + penalty, designs[0].T @ targets[0])
    error = ((designs[1] @ weights - targets[1]) ** 2).mean() / targets[1].var()
    assert row["error"] == pytest.approx(error, rel=1e-6)


def test_the_penalty_is_chosen_on_the_validation_series(exhibit):
    """Readouts are fitted to the training series; the one with the least error on another series is taken."""
    table = exhibit.tables["memory_narma"].set_index(["seed", "radius"])["penalty"]
    case = ExhibitRequest(SETTINGS | {"narma": SETTINGS["narma"] | {"penalties": [10.0, 1e-4, 0]}}, [0, 3], 1)
    narma, differ = memory.make(case).tables["memory_narma"], 0
    for row in narma[narma["reads"] == RESERVOIR].to_dict("records"):
        reservoir = memory._draw(case, row["seed"], row["radius"], input_scale=0.3)
        series = {split: memory._series(case, row["seed"], split) for split in ("training", "validation")}
        errors = {"training": [], "validation": []}
        for penalty in (10.0, 1e-4, 0):
            weights, offset = fit_readout(reservoir.states(series["training"][0]), series["training"][1], penalty, 30)
            for split, (x, y) in series.items():
                prediction = reservoir.states(x) @ weights + offset
                errors[split].append(((prediction - y)[:, 30:] ** 2).mean())
        best = {split: (10.0, 1e-4, 0)[int(np.argmin(of_split))] for split, of_split in errors.items()}
        assert row["penalty"] == best["validation"]
        differ += best["validation"] != best["training"]
    assert differ > 0 and len(table) > 0  # so that a choice on the training series would be another


def test_no_product_without_a_bias_and_most_of_it_with_one(exhibit):
    shares = exhibit.tables["memory_products"].pivot(index="seed", columns="reads", values="explained")
    assert (shares[[INPUTS, f"{RESERVOIR}, no bias"]] < 0.02).all(axis=None)
    assert (shares[f"{RESERVOIR}, bias"] > 0.5).all()


def test_an_inverse_agrees_where_there_is_much_penalty(exhibit):
    table = exhibit.tables["memory_readouts"]
    much = table[table["penalty"] == 1]
    assert (much["difference"] < 1e-12).all() and (table["difference"].max() > much["difference"]).all()
    np.testing.assert_allclose(much["error_inverted"], much["error_solved"], rtol=1e-12)


def test_states_are_closer_the_longer_the_common_suffix_and_the_smaller_the_radius(exhibit):
    table = exhibit.tables["memory_suffixes"].pivot_table(index="common", columns="radius", values="distance")
    assert (table.loc[0] == 1).all() and (np.diff(table, axis=0) < 0).all()
    assert (table[0.3] <= table[0.9]).all()
    neighbours = exhibit.tables["memory_neighbours"]
    assert (neighbours["share"] > 3 * neighbours["by_chance"]).all()


def last_states(reservoir, inputs):
    """h after the last step of each sequence, by a loop from 0."""
    ends = []
    for series in inputs:
        h = np.zeros(reservoir.units)
        for x in series:
            h = np.tanh(reservoir.recurrent @ h + reservoir.input @ x + reservoir.bias)
        ends.append(h)
    return np.array(ends)


def test_distances_behind_a_common_suffix_are_those_of_a_loop(exhibit):
    """The last k symbols are the same, the one before is the opposite, and all earlier ones are of another draw."""
    case = ExhibitRequest(SETTINGS, [3], 1)
    x, y = (memory._symbols(case, 3, name, 40) for name in ("one", "other"))
    reservoir = memory._draw(case, 3, 0.9, input_scale=1)
    apart = []
    for common in range(7):
        mixture = y.copy()
        for place in range(30 - common, 30):
            mixture[:, place] = x[:, place]
        mixture[:, 29 - common] = -x[:, 29 - common]
        apart.append(np.mean([np.linalg.norm(h) for h in last_states(reservoir, mixture) - last_states(reservoir, x)]))
    table = exhibit.tables["memory_suffixes"].set_index(["seed", "radius", "common"])["distance"]
    np.testing.assert_allclose(table.loc[3, 0.9], np.array(apart) / apart[0], rtol=1e-9)


def test_nearest_states_and_chance_are_those_of_a_loop(exhibit):
    case = ExhibitRequest(SETTINGS, [3], 1)
    symbols = memory._symbols(case, 3, "one", 40)
    ends = last_states(memory._draw(case, 3, 0.3, input_scale=1), symbols)
    right, chance = [], []
    for a in range(40):
        neighbours = [b for b in range(40) if b != a]
        suffix = {}
        for b in neighbours:
            suffix[b] = next(k for k in range(31) if k == 30 or symbols[a, 29 - k] != symbols[b, 29 - k])
        longest = [b for b in neighbours if suffix[b] == max(suffix.values())]
        right.append(min(neighbours, key=lambda b, a=a: np.linalg.norm(ends[a] - ends[b])) in longest)
        chance.append(len(longest) / 39)
    row = exhibit.tables["memory_neighbours"].set_index(["seed", "radius"]).loc[(3, 0.3)]
    assert row["share"] == pytest.approx(np.mean(right)) and row["by_chance"] == pytest.approx(np.mean(chance))


def squared_error(fit, test, penalty):
    """Test error of a ridge regression by its normal equations, over the variance of the test's targets."""
    (states, y), (test_states, targets) = fit, test
    deviations, about = states - states.mean(0), y - y.mean()
    weights = np.linalg.solve(deviations.T @ deviations + penalty * np.eye(states.shape[1]), deviations.T @ about)
    prediction = (test_states - states.mean(0)) @ weights + y.mean()
    return ((prediction - targets) ** 2).mean() / targets.var()


def test_products_are_predicted_on_a_series_that_was_not_fitted(exhibit):
    case = ExhibitRequest(SETTINGS, [3], 1)
    reservoir = memory._draw(case, 3, 0.9, bias_scale=0.5)
    pairs = []
    for name in ("product", "other"):
        x = memory._noise(case, 3, name, 600)[0, :, 0]
        products = np.array([x[t] * x[t - 1] for t in range(30, 600)])
        pairs.append((reservoir.states(x[None, :, None])[0, 30:], products))
    table = exhibit.tables["memory_products"].set_index(["seed", "reads"])["explained"]
    assert table[3, f"{RESERVOIR}, bias"] == pytest.approx(1 - squared_error(*pairs, 0), rel=1e-6)


@pytest.mark.parametrize("start", [memory.ZERO, memory.ANYWHERE])
@pytest.mark.parametrize("washout", [0, 50])
def test_the_washout_of_a_fit_leaves_the_test_series_its_own(exhibit, start, washout):
    case = ExhibitRequest(SETTINGS, [3], 1)
    reservoir = memory._draw(case, 3, 0.9, input_scale=0.3)
    (x, y), (test, targets) = (memory._series(case, 3, split) for split in ("training", "test"))
    initial = memory.numpy_generator(1, 3, "memory", "start").uniform(-1, 1, (1, 12))
    states = reservoir.states(x, initial * (start == memory.ANYWHERE))
    pairs = (states[0, washout:], y[0, washout:]), (reservoir.states(test)[0, 30:], targets[0, 30:])
    table = exhibit.tables["memory_washout"].set_index(["seed", "start", "washout"])["error"]
    assert table[3, start, washout] == pytest.approx(squared_error(*pairs, 1e-8), rel=1e-6)


def test_statements_are_those_of_the_tables(exhibit):
    statements = exhibit.statements.pivot(index="statement", columns="seed", values="value")
    assert statements.notna().all(axis=None)
    assert (statements.loc["capacity_over_units"] <= 1).all() and (statements.loc["longer_suffix_closer"] == -1).all()
    assert (statements.loc["product_with_bias"] > statements.loc["product_without_bias"]).all()


@pytest.mark.parametrize("seeds", [[0], [0, 3]])
def test_the_figure_is_whole(exhibit, seeds, tmp_path):
    tables = {name: table[table["seed"].isin(seeds)] for name, table in exhibit.tables.items()}
    assert_complete(draw(tables, STYLE), tmp_path)


def test_numbers_of_the_page_are_medians(exhibit):
    page, tables = numbers(exhibit.tables, {}), exhibit.tables
    totals = tables["memory_totals"]
    weak = totals[totals["input_scale"] == totals["input_scale"].min()]
    assert page["weak"].max() == pytest.approx(weak.groupby("radius")["capacity"].median().max())
    narma = tables["memory_narma"].set_index("reads")["error"]
    assert page["narma_inputs"] == pytest.approx(narma[INPUTS].median())
    assert page["narma"].min() >= narma[RESERVOIR].min()
    assert page["explained"]["with_bias"] > page["explained"]["without_bias"]
    assert page["washout"]["anywhere"] >= page["washout"]["zero"] > 0
