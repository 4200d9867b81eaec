"""Cost of training: multiply-adds counted by hand, errors of a literal ridge regression, figure and sentences."""

import numpy as np
import pytest

from layout import assert_landscape
from learnability.core.errors import InputError
from learnability.networks.network import Network
from learnability.report.style import Style
from learnability.reservoirs import Reservoir, draw_reservoir
from learnability.tasks import Narma
from studies.gated.exhibit import ExhibitRequest
from studies.gated.training_cost import measure as training_cost
from studies.gated.training_cost.figure import draw
from studies.gated.training_cost.measure import RESERVOIR, ridge_work
from studies.gated.training_cost.numbers import numbers

SETTINGS = {
    "units": [4, 8],
    "sequences": 6,
    "steps": 30,
    "epochs": 3,
    "batch_size": 3,
    "learning_rates": [0.001, 0.003, 0.01],
    "reservoir": {"spectral_radius": 0.8, "input_scale": 0.3},
    "penalties": [0.1, 0.001],
}
LABELS = {"rnn": "RNN", "gru": "GRU"}
STYLE = Style((), {}, {}, width_mm=175, font_size=7)


def test_the_work_of_a_readout_is_counted_by_hand():
    recurrent = np.array([[0, 0.5, 0], [0.1, 0, 0], [0, 0.2, 0.3]])
    reservoir = Reservoir(recurrent, np.array([[1.0], [0.5], [0.0]]), np.zeros(3))
    states = (10 + 4) * (4 + 2)  # entries of W and W_in that are not 0
    products = 10 * (6 + 3)  # the upper half of H Hᵀ, and H Yᵀ
    work_per_penalty = 27 // 6 + 2 * 2 * 9 + 2 * 10 * 3 + 4 * 3
    assert ridge_work(reservoir, 10, 4, 2) == states + products + 2 * work_per_penalty
    sparse_reservoir = draw_reservoir(50, 1, 0, 0, density=0.1)
    assert ridge_work(sparse_reservoir, 1, 0, 0) == sparse_reservoir.recurrent.nnz + 50 + 50 * 51 // 2 + 50


def test_the_work_of_bptt_is_that_of_all_steps(exhibit):
    rows = exhibit.tables["cost_trainings"].query("seed == 3 and units == 8").set_index("model")
    steps = 6 * 30 * 3
    # W_h 8, U_h 64 and w 8, of which the latter two are passed twice backward
    assert set(rows.loc["rnn", "multiply_adds"]) == {steps * ((8 + 64 + 8) + (8 + 2 * 64 + 2 * 8))}
    assert set(rows.loc["gru", "multiply_adds"]) == {steps * ((3 * 72 + 8) + (3 * 8 + 2 * 3 * 64 + 2 * 8))}
    task = Narma(30, 1, 3)
    assert set(rows.loc["rnn", "trained"]) == {
        Network.for_task({"cell": "rnn"}, task, 8, readout_bias=True).count_parameters()
    }


def test_the_reservoir_has_the_error_of_a_literal_ridge_regression(exhibit):
    task = Narma(30, 1, 3)
    (x, y), (test_inputs, targets) = (task.generate(split, 6)[:2] for split in ("training", "validation"))
    reservoir = draw_reservoir(4, 1, 1, 3, **SETTINGS["reservoir"])
    h, g = (reservoir.states(inputs.astype(float)).reshape(-1, 4) for inputs in (x, test_inputs))
    y, targets = y.astype(float).ravel(), targets.astype(float).ravel()
    errors = []
    for penalty in SETTINGS["penalties"]:
        deviations = h - h.mean(0)
        weights = np.linalg.solve(deviations.T @ deviations + penalty * np.eye(4), deviations.T @ (y - y.mean()))
        errors.append((((g - h.mean(0)) @ weights + y.mean() - targets) ** 2).mean() / targets.var())
    table = exhibit.tables["cost_trainings"].set_index(["seed", "units", "model"]).sort_index()
    assert table.loc[(3, 4, RESERVOIR), "error"].item() == pytest.approx(min(errors), rel=1e-6)


def test_one_training_of_each_network_counts_and_is_the_best(exhibit):
    table = exhibit.tables["cost_trainings"]
    for (_, _, model), rows in table.groupby(["seed", "units", "model"]):
        assert rows["chosen"].sum() == 1 and len(rows) == (1 if model == RESERVOIR else 3)
        assert rows.loc[rows["chosen"], "error"].item() == rows["error"].min()
    curves = exhibit.tables["cost_curves"]
    least = curves.groupby(["seed", "units", "model"])["error"].min()
    best = table[table["chosen"] & (table["model"] != RESERVOIR)].set_index(["seed", "units", "model"])["error"]
    np.testing.assert_allclose(least.sort_index(), best.sort_index())


def test_work_is_counted_to_the_first_epoch_below_the_reservoir(exhibit, monkeypatch):
    """The reservoir is given the error that an RNN has after its second epoch."""
    original, before = training_cost._reservoir, exhibit.tables["cost_curves"].query("seed == 3 and units == 4")
    goal = before.query("model == 'rnn' and epoch == 2")["error"].item() * (1 + 1e-9)
    variance = Narma(30, 1, 3).generate("validation", 6).targets.astype(float).var()
    monkeypatch.setattr(training_cost, "_reservoir", lambda *args: original(*args) | {"error": goal * variance})
    trainings, curves = training_cost._compared(ExhibitRequest(SETTINGS, [3], 1), 3, 4)
    assert trainings.loc[trainings["model"] == RESERVOIR, "error"].item() == pytest.approx(goal)
    epochs = []
    for row in trainings[trainings["chosen"] & (trainings["model"] != RESERVOIR)].to_dict("records"):
        an_epoch, curve = row["multiply_adds"] / SETTINGS["epochs"], curves[curves["model"] == row["model"]]
        good_epochs = [epoch for epoch, error in zip(curve["epoch"], curve["error"], strict=True) if error <= goal]
        np.testing.assert_allclose(curve["multiply_adds"], an_epoch * curve["epoch"])
        assert row["reached_after"] == (an_epoch * min(good_epochs) if good_epochs else np.inf)
        epochs += good_epochs[:1]
    assert any(0 < epoch < SETTINGS["epochs"] for epoch in epochs)


def test_what_is_never_reached_is_infinitely_far(exhibit):
    table = exhibit.tables["cost_trainings"]
    ridge = table[table["model"] == RESERVOIR].set_index(["seed", "units"])["error"]
    for row in table[table["model"] != RESERVOIR].to_dict("records"):
        assert np.isfinite(row["reached_after"]) == (row["error"] <= ridge[row["seed"], row["units"]])
        assert row["reached_after"] <= row["multiply_adds"] or row["reached_after"] == np.inf


def test_fewer_than_three_rates_are_refused():
    with pytest.raises(InputError, match=r"'training_cost.learning_rates' must be at least three"):
        training_cost.make(ExhibitRequest(SETTINGS | {"learning_rates": [0.1, 0.1, 0.2]}, [0], 1))


def test_the_figure_is_complete_and_landscape(exhibit, tmp_path):
    assert_landscape(draw(exhibit.tables, STYLE), tmp_path)


def test_work_to_an_error_is_all_of_a_training_that_does_not_reach_it(exhibit):
    table = exhibit.tables["cost_trainings"]
    is_network = table["model"] != RESERVOIR
    work = table["multiply_adds"].groupby([table["seed"], table["units"]]).transform("first")
    for factor, least in ((20.0, 20), (0.5, 0.5), (np.inf, 30)):
        trainings = table.assign(
            multiply_adds=(work * 30).where(is_network, work), reached_after=(work * factor).where(is_network, work)
        )
        page = numbers({"cost_trainings": trainings}, LABELS)
        assert page["least"] == pytest.approx(least)
        np.testing.assert_allclose(page["factors"], factor)
