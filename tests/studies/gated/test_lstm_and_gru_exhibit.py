"""LSTM and GRU: interpolation and costs against their laws, what is stated, the figure, and numbers of the page."""

import numpy as np
import pandas as pd
import pytest

from layout import assert_complete
from learnability.report.style import Style
from learners import DENOISE, ROOT_SEED, TASK, learner
from studies.gated.exhibit import ExhibitRequest
from studies.gated.lstm_and_gru import figure
from studies.gated.lstm_and_gru import measure as lstm_and_gru
from studies.gated.lstm_and_gru.numbers import numbers

LABELS = {"lstm": "LSTM", "gru": "GRU"}
STYLE = Style(list(LABELS), dict.fromkeys(LABELS, "k"), LABELS, width_mm=175, font_size=7)


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    folder, models = tmp_path_factory.mktemp("trained"), []
    for task in lstm_and_gru.TASKS:
        for name, units in {"lstm": 4, "gru": 5}.items():
            settings = {"cell": name, "gate_init": 0.5}
            data = DENOISE if task == "denoise" else TASK
            models += [learner(folder, f"compared_{task}_{name}", name, settings, seed, data, units) for seed in (0, 1)]
    case = ExhibitRequest({"test_sequences": 5, "batch_size": 3, "rounds": 2}, [0, 1], ROOT_SEED, models)
    return lstm_and_gru.make(case)


def test_a_gru_goes_as_far_as_its_gate_says(exhibit):
    table = exhibit.tables["gru_interpolation"]
    np.testing.assert_allclose(table["from_state"], table["gate"], atol=1e-12)
    np.testing.assert_allclose(table["from_candidate"], 1 - table["gate"], atol=1e-12)
    assert (table["through_reset"] < 1e-12).all()


def test_sizes_are_counted(exhibit):
    costs = exhibit.tables["lstm_gru_costs"]
    gates = {"lstm": 4, "gru, same units": 3, "gru, same parameters": 3}
    for row in costs.to_dict("records"):
        units = row["units"]
        assert row["parameters"] == gates[row["network"]] * units * (2 + units + 1) + units
        assert row["state"] == units * (2 if row["network"] == "lstm" else 1)
    assert costs["units"].tolist() == [4, 4, 5]
    assert costs["time"][0] == 1 and costs["kept_bytes"][0] > costs["kept_bytes"][1]
    # 4 units, 2 inputs: 4 (or 3) gates of 8 and 16 entries, and a readout of 4; backward twice those of states
    assert costs["forward"].tolist()[:2] == [4 * 24 + 4, 3 * 24 + 4]
    assert costs["backward"].tolist()[:2] == [4 * 40 + 8, 3 * 40 + 8]
    statements = exhibit.statements.groupby("statement")["value"].first()
    assert statements["multiply_adds_at_same_units"] == (4 * 64 + 12) / (3 * 64 + 12)


def test_statements_are_of_each_task():
    rows = [
        {"seed": 0, "task": task, "architecture": name, "validation_loss": loss, "accuracy": accuracy}
        for task, name, loss, accuracy in [
            ("sum", "lstm", 0.2, np.nan),
            ("sum", "gru", 0.1, np.nan),
            ("few", "lstm", 0.3, np.nan),
            ("few", "gru", 0.6, np.nan),
            ("denoise", "lstm", 0.01, 0.8),
            ("denoise", "gru", 0.02, 0.6),
        ]
    ]
    curve = {"lstm": [1.0, 0.8, 0.7, 0.5, 0.2], "gru": [1.2, 0.6, 0.3, 0.3, 0.1]}
    curves = pd.DataFrame(
        [
            {"seed": 0, "task": task, "architecture": name, "epoch": epoch, "validation_loss": loss}
            for task in lstm_and_gru.TASKS
            for name, losses in curve.items()
            for epoch, loss in enumerate(losses)
        ]
    )
    statements = {name: value for name, _, value in lstm_and_gru._of_learning(pd.DataFrame(rows), curves)}
    assert statements["gru_over_lstm_sum"] == pytest.approx(0.5)
    assert statements["gru_over_lstm_denoise"] == pytest.approx(0.75)
    assert statements["wins_of_the_lesser"] == 1
    assert statements["lstm_over_gru_epochs_few"] == 3  # half of what both gain is (1 + 0.2) / 2


def test_it_is_drawn_and_has_its_numbers(exhibit, tmp_path):
    tables = dict(exhibit.tables)
    assert tuple(tables) == lstm_and_gru.TABLES
    assert (exhibit.statements["seed"].value_counts() > 3).all()
    assert_complete(figure.draw(tables, STYLE), tmp_path)
    page, losses = numbers(tables, LABELS), tables["lstm_gru_losses"]
    sums = losses[losses["task"] == "sum"].set_index(["architecture", "seed"])["validation_loss"]
    assert page["ratio"]["sum"] == pytest.approx((sums["gru"] / sums["lstm"]).median())
    assert page["ahead"]["sum"] == (sums["gru"] < sums["lstm"]).sum()
    costs = tables["lstm_gru_costs"].iloc[:2]
    lstm, gru = costs["forward"] + costs["backward"]
    assert page["saved"]["work"]["gru, same units"] == pytest.approx(gru / lstm)
    assert page["kept"] < 1e-9 and page["replaced"] < 1e-9
