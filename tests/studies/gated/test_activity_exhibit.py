"""Penalties on activations: units against a literal loop, what is stated, the figure, and sentences at odd values."""

import numpy as np
import pytest
import torch

from layout import assert_complete
from learnability.report.style import Style
from learners import DENOISE, ROOT_SEED, TASK, learner
from studies.gated.activity import figure
from studies.gated.activity import measure as activity
from studies.gated.activity.numbers import numbers
from studies.gated.exhibit import ExhibitRequest

SETTINGS = {
    "lstm": {},
    "lstm_activity_weak": {"activity_regularization": 0.1},
    "lstm_activity": {"activity_regularization": 3.0},
    "lstm_temporal_weak": {"temporal_regularization": 0.1},
    "lstm_temporal": {"temporal_regularization": 3.0},
}
LABELS = dict(zip(SETTINGS, ("LSTM", "α = 0.1", "α = 3", "β = 0.1", "β = 3"), strict=True))
COLOURS = dict(zip(SETTINGS, ("k", "r", "g", "b", "c"), strict=True))
STYLE = Style(list(LABELS), COLOURS, LABELS, width_mm=175, font_size=7)


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    models = [
        learner(folder, f"activity_{kind}", name, {"cell": "lstm", "gate_init": 0.5} | settings, seed, task, epochs=10)
        for kind, task in {"sum": TASK, "denoise": DENOISE}.items()
        for name, settings in SETTINGS.items()
        for seed in (0, 1)
    ]
    case = ExhibitRequest(
        {"sequences": 3, "test_sequences": 5, "saturated": 0.3, "lags": [1, 4, 8]}, [0, 1], ROOT_SEED, models
    )
    return activity.make(case), models


def test_units_are_measured_step_by_step(exhibit):
    result, models = exhibit
    network_of_seed = next(model for model in models if model.architecture == "lstm_temporal" and model.seed == 1)
    cell, p = network_of_seed.network.cell, network_of_seed.parameters
    x = torch.from_numpy(network_of_seed.task.generate("diagnostic", 3).inputs).double()
    state, hidden, memory = cell.initial_state(x[:, 0]), [], []
    for x_t in x.unbind(1):
        state = cell.step(p, state, x_t)
        h, c = state.numpy().reshape(3, 2, 4).swapaxes(0, 1)
        hidden.append(h)
        memory.append(np.tanh(c))
    h, tanh_of_memory = np.array(hidden), np.array(memory)
    row = result.tables["activity_units"].set_index(["task", "architecture", "seed"]).loc["sum", "lstm_temporal", 1]
    assert row["saturated"] == pytest.approx((np.abs(tanh_of_memory) > 0.3).mean())
    assert row["derivative"] == pytest.approx((1 - tanh_of_memory**2).mean())
    assert row["relative_change"] == pytest.approx(((h[1:] - h[:-1]) ** 2).mean() / (h**2).mean())
    assert (row["penalty"], row["strength"]) == ("temporal", 3.0)


def test_penalties_lower_what_they_penalise(exhibit):
    units = exhibit[0].tables["activity_units"].query("task == 'sum'").groupby("architecture").median(numeric_only=True)
    assert units["activation"]["lstm_activity"] < units["activation"]["lstm"]
    assert units["change"]["lstm_temporal"] < units["change"]["lstm"]


def test_statements_take_the_strongest(exhibit):
    result, _ = exhibit
    statements = result.statements.set_index(["statement", "seed"])["value"]
    units = result.tables["activity_units"].query("task == 'denoise'").set_index(["architecture", "seed"])
    norms = result.tables["activity_gradients"].query("task == 'denoise'")
    norms = norms.set_index(["architecture", "seed", "lag"])["gradient"]
    for seed in (0, 1):
        plain, strong = units.loc["lstm", seed], units.loc["lstm_activity", seed]
        assert statements["activity_activation_denoise", seed] == pytest.approx(
            plain["activation"] / strong["activation"]
        )
        assert statements["activity_saturated_denoise", seed] == pytest.approx(plain["saturated"] - strong["saturated"])
        ratio = norms["lstm_activity", seed, 8] / norms["lstm", seed, 8]
        assert statements["activity_gradient_denoise", seed] == pytest.approx(ratio)
    assert np.isfinite(statements).all()


def test_figure_is_complete(exhibit, tmp_path):
    tables = exhibit[0].tables
    assert tuple(tables) == activity.TABLES
    assert_complete(figure.draw(tables, STYLE), tmp_path)


def test_numbers_of_gradients_are_within_a_seed(exhibit):
    result, _ = exhibit
    page, statements = numbers(result.tables, LABELS), result.statements.set_index("statement")["value"]
    ratios = statements["activity_gradient_denoise"]
    assert page["gradients"]["denoise", LABELS["lstm_activity"]] == pytest.approx(ratios.median())
    assert len(page["gradients"]) == 8
