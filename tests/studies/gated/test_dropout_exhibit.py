"""Dropout: noise against slow computation, what is stated, the figure, and sentences at odd values."""

import numpy as np
import pytest
import torch

from layout import assert_complete
from learnability.networks.dropped import dropped_hidden_units
from learnability.report.style import Style
from learners import ROOT_SEED, learner
from studies.gated.dropout import figure
from studies.gated.dropout import measure as dropout
from studies.gated.dropout.numbers import numbers
from studies.gated.exhibit import ExhibitRequest

SETTINGS = {
    "lstm": {},
    "lstm_dropout": {"dropout": 0.3},
    "lstm_variational": {"variational_dropout": 0.3},
    "lstm_drop_connect": {"drop_connect": 0.3},
}
LABELS = {"lstm": "LSTM", "lstm_dropout": "step", "lstm_variational": "sequence", "lstm_drop_connect": "DropConnect"}
STYLE = Style(list(LABELS), dict.fromkeys(LABELS, "k"), LABELS, width_mm=175, font_size=7)


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    models = [
        learner(folder, "dropout", name, {"cell": "lstm", "gate_init": 0.5} | settings, seed)
        for name, settings in SETTINGS.items()
        for seed in (0, 1)
    ]
    case = ExhibitRequest({"sequences": 4, "draws": 5, "test_sequences": 6}, [0, 1], ROOT_SEED, models)
    return dropout.make(case), models


def test_noise_is_the_deviation_over_masks(exhibit):
    result, models = exhibit
    noisy = next(model for model in models if model.architecture == "lstm_dropout" and model.seed == 1)
    x = torch.from_numpy(noisy.task.generate("training", 4).inputs).double()
    masks = dropout.generators(ROOT_SEED, 1, 5)
    hidden = np.array([dropped_hidden_units(noisy.network, noisy.parameters, x, mask) for mask in masks])
    last, change = hidden[:, :, -1], hidden[:, :, 1:] - hidden[:, :, :-1]
    rows = result.tables["dropout_noise"].set_index(["architecture", "weights", "seed"]).loc["lstm_dropout", "own", 1]
    for name, values in {"state": last, "change": change}.items():
        deviation = np.sqrt(((values - values.mean(0)) ** 2).sum() / 4)
        assert rows[name] == pytest.approx(deviation / np.sqrt((values.mean(0) ** 2).sum()))
    assert rows["gradient"] > 0


def test_gradients_vary_over_masks_of_the_weights_that_are_named(exhibit):
    result, models = exhibit
    of_seed = {model.architecture: model for model in models if model.seed == 1}
    noisy, plain = of_seed["lstm_variational"], of_seed["lstm"]
    sequences = noisy.task.generate("training", 4)
    x, y = (torch.from_numpy(array).double() for array in (sequences.inputs, sequences.targets))
    rows = result.tables["dropout_noise"].set_index(["architecture", "weights", "seed"]).loc["lstm_variational"]
    for weights, parameters in {"own": noisy.parameters, dropout.SAME_WEIGHTS: plain.parameters}.items():
        slopes = []
        for masks in dropout.generators(ROOT_SEED, 1, 5):
            leaves = {name: value.clone().requires_grad_() for name, value in parameters.items()}
            hidden = dropped_hidden_units(noisy.network, leaves, x, masks)
            loss = (noisy.network.read_out(leaves, hidden) - y).square().mean()
            slopes.append(
                np.concatenate([gradient.numpy().ravel() for gradient in torch.autograd.grad(loss, [*leaves.values()])])
            )
        deviation = np.sqrt(((slopes - np.mean(slopes, 0)) ** 2).sum() / 4)
        assert rows.loc[(weights, 1), "gradient"] == pytest.approx(deviation / np.linalg.norm(np.mean(slopes, 0)))


def test_members_committees_and_single_units_are_judged_on_fresh_sequences(exhibit):
    result, models = exhibit
    noisy = next(model for model in models if model.architecture == "lstm_dropout" and model.seed == 1)
    network, parameters, sequences = noisy.network, noisy.parameters, noisy.task.generate("diagnostic", 4)
    x, y = (torch.from_numpy(array).double() for array in (sequences.inputs, sequences.targets))

    def loss(hidden):
        return np.mean(
            [(float(network.read_out(parameters, h)) - float(t)) ** 2 for h, t in zip(hidden, y.flatten(), strict=True)]
        )

    masks = dropout.generators(ROOT_SEED, 1, 5)
    members = torch.stack([dropped_hidden_units(network, parameters, x, mask).flatten(0, 1) for mask in masks])
    whole = loss(dropout.hidden_units(network.cell, parameters, x).flatten(0, 1))
    units = range(network.cell.hidden_size)
    cut = [loss(dropout.hidden_units_without(network.cell, parameters, x, unit).flatten(0, 1)) for unit in units]
    row = result.tables["dropout_losses"].set_index(["architecture", "seed"]).loc[("lstm_dropout", 1)]
    assert row["member_loss"] == pytest.approx(np.mean([loss(hidden) for hidden in members]))
    assert row["committee_loss"] == pytest.approx(loss(members.mean(0)))
    assert row["largest_reliance"] == pytest.approx(max(cut) / whole)
    assert row["mean_reliance"] == pytest.approx(np.mean(cut) / whole)
    assert row["least_validation_loss"] == noisy.curve["validation_loss"].min()


def test_all_kinds_are_measured_with_the_same_weights_and_their_own(exhibit):
    noise = exhibit[0].tables["dropout_noise"]
    assert len(noise) == 3 * 2 * 2 and set(noise["weights"]) == {dropout.SAME_WEIGHTS, dropout.OWN_WEIGHTS}
    losses = exhibit[0].tables["dropout_losses"].set_index(["architecture", "seed"])
    assert losses["rate"].groupby("architecture").max().to_dict() == dict.fromkeys(LABELS, 0.3) | {"lstm": 0}
    assert (losses["committee_loss"] <= losses["member_loss"] + 1e-12).all()
    np.testing.assert_allclose(losses.loc["lstm", "committee_loss"], losses.loc["lstm", "member_loss"])
    assert (losses["largest_reliance"] >= losses["mean_reliance"]).all()


def test_statements_are_ratios_within_a_seed(exhibit):
    result, _ = exhibit
    statements = result.statements.set_index(["statement", "seed"])["value"]
    losses = result.tables["dropout_losses"].set_index(["architecture", "seed"])["validation_loss"]
    noise = result.tables["dropout_noise"].set_index(["weights", "architecture", "seed"])
    for seed in (0, 1):
        plain, sequence = losses["lstm", seed], losses["lstm_variational", seed]
        assert statements["variational_dropout_loss", seed] == pytest.approx(plain / sequence)
        assert statements["step_over_sequence_loss", seed] == pytest.approx(losses["lstm_dropout", seed] / sequence)
        step, variational = (noise.loc[("own", name, seed), "change"] for name in ("lstm_dropout", "lstm_variational"))
        assert statements["change_noise_own_weights", seed] == pytest.approx(step / variational)
    assert np.isfinite(statements).all()


def test_figure_is_complete(exhibit, tmp_path):
    tables = exhibit[0].tables
    assert tuple(tables) == dropout.TABLES
    assert_complete(figure.draw(tables, STYLE), tmp_path)


def test_numbers_of_noise_are_with_the_same_weights(exhibit):
    tables = {name: table[table["seed"] == 0] for name, table in exhibit[0].tables.items()}
    noise = tables["dropout_noise"].set_index(["weights", "kind"])["state"]
    page = numbers(tables, LABELS)
    assert page["noise"]["state"]["dropout"] == noise[dropout.SAME_WEIGHTS, "dropout"]
    ratio = noise[dropout.SAME_WEIGHTS, "dropout"] / noise[dropout.SAME_WEIGHTS, "variational_dropout"]
    assert page["step_over_sequence"]["state"] == pytest.approx(ratio)
