"""Truncated gradients: tables against slow computation, what is stated, the figure, and sentences at odd values."""

import numpy as np
import pandas as pd
import pytest

from layout import assert_complete
from learnability.networks.frozen import Frozen
from learnability.report.style import Style
from learnability.transport import TorchEngine
from learnability.windows.response import measure_response
from learners import ROOT_SEED, learner
from studies.gated.exhibit import ExhibitRequest
from studies.gated.truncation import figure
from studies.gated.truncation import measure as truncation
from studies.gated.truncation.numbers import numbers

LABELS: dict[str, str] = {"lstm": "LSTM", "lstm_slow": "LSTM, slow"}
STYLE = Style(list(LABELS), dict.fromkeys(LABELS, "k"), LABELS, width_mm=175, font_size=7)


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    folder, models = tmp_path_factory.mktemp("trained"), []
    for window, names in {0: LABELS, 4: ["lstm"], 8: LABELS}.items():
        for name in names:
            settings = {"cell": "lstm", "gate_init": 0.5 if name == "lstm" else 0.1}
            models += [
                learner(folder, f"truncation_{window}", name, settings, seed, truncation=window) for seed in (0, 1)
            ]
    case = ExhibitRequest({"sequences": 9, "batch_size": 3, "rounds": 2}, [0, 1], ROOT_SEED, models)
    return truncation.make(case), models


def test_shares_are_of_each_network_on_sequences_of_its_own(exhibit):
    result, models = exhibit
    shares = result.tables["truncation_shares"].set_index(["experiment", "architecture", "seed"])
    for model in models:
        frozen = Frozen.of(model.network, model.parameters, model.task.generate("diagnostic", 9))
        response, _ = measure_response(frozen, model.task, TorchEngine())
        expected = response.set_index("lag")["response"][[2, 5]] / [0.6, 0.5]
        rows = shares.loc[model.experiment, model.architecture, model.seed]
        np.testing.assert_allclose(rows["share"], expected, rtol=1e-9)
        window = int(model.experiment.removeprefix("truncation_"))
        assert set(rows["window"]) == {window or 16}


def test_a_window_keeps_its_share_of_memory_and_a_pass_has_all_updates(exhibit):
    costs = exhibit[0].tables["truncation_costs"]
    assert costs["window"].tolist() == [4, 8, 16]
    np.testing.assert_allclose(costs["kept"], [1 / 4, 1 / 2, 1], rtol=0.05)
    np.testing.assert_allclose(costs["pass"], costs["update"] * [4, 2, 1])
    assert costs["update"].iloc[-1] == 1
    losses = exhibit[0].tables["truncation_losses"].query("architecture == 'lstm' and seed == 0")
    assert losses.set_index("window")["updates"].to_dict() == {16: 4, 4: 16, 8: 8}


@pytest.fixture
def shares():
    lags = {"lag": [3, 8, 20]}
    return pd.concat(
        [
            pd.DataFrame(lags | {"architecture": name, "seed": 0, "window": window, "share": values})
            for name, window, values in [
                ("lstm", 4, [0.9, 0.2, 0.1]),
                ("lstm", 8, [0.9, 0.3, 0.1]),
                ("lstm", 16, [0.9, 0.8, 0.7]),
                ("lstm_slow", 8, [0.9, 0.4, 0.2]),
                ("lstm_slow", 16, [0.9, 0.5, 0.3]),
            ]
        ]
    )


def test_statements_compare_windows_within_a_seed(shares):
    statements = dict((name, value) for name, _, value in truncation._of_learning(shares, ["lstm", "lstm_slow"]))
    assert statements["larger_windows_learn_more"] == pytest.approx(2.4 / 1.2)
    assert statements["learned_beyond_the_shortest"] == pytest.approx(0.3 / 1.5)
    assert statements["state_that_keeps"] == pytest.approx((0.6 / 0.8) / (0.4 / 1.5))


def test_figure_is_complete(exhibit, tmp_path):
    result, _ = exhibit
    assert tuple(result.tables) == truncation.TABLES
    assert_complete(figure.draw(result.tables, STYLE), tmp_path)
    alone = {
        name: table[table["architecture"] == "lstm"] if "architecture" in table else table
        for name, table in result.tables.items()
    }
    figure.draw(alone, STYLE)


def test_numbers_are_of_lags_beyond_windows(exhibit, shares):
    tables = exhibit[0].tables | {"truncation_shares": shares}
    page = numbers(tables, LABELS)
    assert (page["shortest"], page["between"], page["whole"]) == (4, 8, 16)
    assert page["crossed"].to_dict() == pytest.approx({4: 0.15, 8: 0.2, 16: 0.7})
    assert page["left"].to_dict() == pytest.approx({"lstm": 0.4 / 1.5, "lstm_slow": 0.6 / 0.8})
    curves = tables["truncation_curves"]
    tables["truncation_curves"] = curves.assign(validation_loss=np.where(curves["window"] == 4, 0.1, 0.5))
    assert numbers(tables, LABELS)["behind"] == page["passes"] == 2
