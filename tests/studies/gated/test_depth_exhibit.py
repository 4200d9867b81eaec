"""Stacked LSTMs: contexts and time scales against their definitions, what is stated, the figure, and odd values."""

import numpy as np
import pytest
import torch

from layout import assert_complete
from learnability.networks.layers import hidden_units_of_layers
from learnability.report.style import Style
from learners import ROOT_SEED, learner
from studies.gated.depth import figure
from studies.gated.depth import measure as depth
from studies.gated.depth.numbers import numbers
from studies.gated.exhibit import ExhibitRequest

LABELS = {"lstm": "LSTM", "lstm_2_layers": "2 layers", "lstm_3_layers": "3 layers"}
STYLE = Style(list(LABELS), dict.fromkeys(LABELS, "k"), LABELS, width_mm=175, font_size=7)


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    models = [
        learner(folder, "depth", name, {"cell": "lstm", "gate_init": 0.5, "layers": layers}, seed)
        for layers, name in enumerate(LABELS, 1)
        for seed in (0, 1)
    ]
    case = ExhibitRequest({"sequences": 3, "test_sequences": 5, "lags": [1, 2, 4, 8]}, [0, 1], ROOT_SEED, models)
    return depth.make(case), models


def test_contexts_are_mean_lags_of_squared_derivatives(exhibit):
    result, models = exhibit
    deep = next(model for model in models if model.architecture == "lstm_2_layers" and model.seed == 1)
    x = torch.from_numpy(deep.task.generate("diagnostic", 3).inputs).double()
    for k in (0, 1):

        def last(inputs, k=k):
            return hidden_units_of_layers(deep.network.cell, deep.parameters, inputs[None])[k][0, -1]

        squares = sum(torch.autograd.functional.jacobian(last, sequence).square().sum((0, 2)) for sequence in x).flip(0)
        expected = (squares * torch.arange(16)).sum() / squares.sum()
        rows = result.tables["depth_layers"].set_index(["architecture", "seed", "moment", "layer"])
        assert rows.loc[("lstm_2_layers", 1, depth.END, k + 1), "context"] == pytest.approx(float(expected))


def test_time_scales_are_slopes_of_transport(exhibit):
    tables = exhibit[0].tables
    names = ["architecture", "seed", "moment", "layer"]
    scales = tables["depth_layers"].set_index(names)["time_scale"]
    for key, rows in tables["depth_profiles"].groupby(names):
        slope = np.polyfit(rows["lag"], np.log(rows["transport"]), 1)[0]
        assert scales[key] == pytest.approx(-1 / slope if slope < 0 else np.inf)
    assert tables["depth_layers"].groupby("layers").size().to_dict() == {1: 4, 2: 8, 3: 12}


def test_statements_are_of_the_uppermost_over_the_lowest(exhibit):
    result, _ = exhibit
    statements = result.statements.set_index(["statement", "seed"])["value"]
    rows = result.tables["depth_layers"].set_index(["layers", "seed", "moment", "layer"])
    for seed in (0, 1):
        contexts = rows.loc[3, seed, depth.END]["context"]
        assert statements["context_3_layers_trained", seed] == pytest.approx(contexts[3] / contexts[1])
        assert statements["levels_3_layers", seed] == pytest.approx(contexts.max() / contexts.min())
    losses = result.tables["depth_losses"].set_index(["layers", "seed"])["test_loss"]
    assert statements["one_layer_over_2", 0] == pytest.approx(losses[1, 0] / losses[2, 0])
    assert np.isfinite(statements.drop([key for key in statements.index if "time_scale" in key[0]])).all()


def test_figure_is_complete(exhibit, tmp_path):
    tables = exhibit[0].tables
    assert tuple(tables) == depth.TABLES
    assert_complete(figure.draw(tables, STYLE), tmp_path)


def test_numbers_are_medians_and_ratios_within_a_seed(exhibit):
    result, _ = exhibit
    page, statements = numbers(result.tables, LABELS), result.statements.set_index(["statement", "seed"])["value"]
    assert page["ratios"].loc[1, 3] == pytest.approx(statements["one_layer_over_3", 1])
    layers = result.tables["depth_layers"].set_index(["moment", "layers", "layer"]).sort_index()
    assert page["context"]["trained"][3][2] == pytest.approx(layers.loc[("trained", 3, 2), "context"].mean())


def test_the_loss_on_other_sequences_is_that_of_a_loop(exhibit):
    result, models = exhibit
    model = models[-1]
    sequences, squares = model.task.generate("test", 5), []
    for x, y in zip(torch.from_numpy(sequences.inputs).double(), sequences.targets, strict=True):
        hidden = hidden_units_of_layers(model.network.cell, model.parameters, x[None])[-1][0]
        squares += ((hidden @ model.parameters["w"]).numpy() - y).tolist()
    row = result.tables["depth_losses"].set_index(["architecture", "seed"]).loc[(model.architecture, model.seed)]
    assert row["test_loss"] == pytest.approx(np.mean(np.square(squares)), rel=1e-5)
    assert row["parameters"] == sum(value.numel() for value in model.parameters.values())
