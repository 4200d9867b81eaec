"""The carousel: paths against what is known of them, statements, the figure and the numbers."""

import numpy as np
import pytest
import torch

from layout import assert_complete
from selective import LABELS, STYLE, network_of
from studies.gated.carousel import measure as carousel
from studies.gated.carousel.figure import draw
from studies.gated.carousel.numbers import numbers
from studies.gated.exhibit import ExhibitRequest

SETTINGS = {"biases": [0, 3], "input_bias": 0, "lags": [1, 2, 8], "sequences": 4}


@pytest.fixture
def exhibit(normal):
    def exhibit(names=("lstm", "rnn"), seeds=(0,), **settings):
        models = [network_of(name, seed, normal) for name in names for seed in seeds]
        return carousel.make(ExhibitRequest(SETTINGS | settings, seeds, 1, models)), models

    return exhibit


def rows_of(result, **names):
    rows = result.tables["carousel_paths"]
    for name, value in names.items():
        rows = rows[rows[name] == value]
    return rows.set_index("lag")


def test_forget_gates_alone_are_powers_of_their_bias_before_training(exhibit):
    result, _ = exhibit()
    for bias in SETTINGS["biases"]:
        f = 1 / (1 + np.exp(-bias))
        norms = rows_of(result, architecture="lstm", bias=bias)["direct"]
        apart = rows_of(result, architecture="lstm", bias=bias)["direct_from_identity"]
        for lag in SETTINGS["lags"]:
            assert norms[lag] == pytest.approx(f**lag)
            assert apart[lag] == pytest.approx(1 - f**lag)


def test_one_step_is_forget_gate_and_the_way_through_h(exhibit):
    result, (model, _) = exhibit()
    cell, parameters = model.network.cell, model.parameters
    sizes, left_out = [], []
    for x in torch.from_numpy(model.task.generate("diagnostic", 4).inputs).double():
        state = torch.zeros(10, dtype=torch.float64)
        for symbol in x[:-1]:
            before, state = state, cell.step(parameters, state, symbol)
        h = cell.output(before)
        o = torch.sigmoid(parameters["W_o"] @ x[-2] + parameters["U_o"] @ h + parameters["b_o"])

        def step(c, o=o, x_t=x[-1]):
            return cell.memory(cell.step(parameters, torch.cat([o * torch.tanh(c), c]), x_t))

        exact = torch.autograd.functional.jacobian(step, state[5:])
        direct = torch.diag(1 - cell.gate(parameters, state, x[-1]))
        sizes.append(np.log(np.linalg.norm(exact, 2)))
        left_out.append(np.linalg.norm(exact - direct, 2) / np.linalg.norm(exact, 2))
    assert rows_of(result, when="trained", architecture="lstm")["exact"][1] == pytest.approx(np.exp(np.mean(sizes)))
    assert rows_of(result, architecture="lstm", when="trained")["left_out"][1] == pytest.approx(np.mean(left_out))


def test_norms_over_sequences_are_geometric_means():
    """The mean of norms 1 and 100 is 10, where the arithmetic mean is 50.5."""
    matrices = torch.stack([torch.eye(2, dtype=torch.float64), 100 * torch.eye(2, dtype=torch.float64)])
    assert carousel._norm(matrices) == pytest.approx(10)


def test_a_shut_input_gate_leaves_forget_gates_alone(exhibit):
    result, _ = exhibit(input_bias=-40)
    np.testing.assert_allclose(rows_of(result, architecture="lstm", when="start")["left_out"], 0, atol=1e-12)


def test_statements_are_of_the_largest_bias_and_the_longest_lag(exhibit):
    result, _ = exhibit()
    statements = result.statements.set_index("statement")["value"]
    norms = rows_of(result, architecture="lstm", bias=3)
    rnn = rows_of(result, architecture="rnn", when="start")
    assert statements["carried_exact"] == norms["exact"][8]
    assert statements["over_rnn_start"] == norms["exact"][8] / rnn["exact"][8]
    assert statements["left_out_start_one"] == rows_of(result, architecture="lstm", bias=3)["left_out"][1]
    assert statements["open_direct"] == pytest.approx(1 - 1 / (1 + np.exp(-3)))
    assert statements["trained_direct"] == rows_of(result, architecture="lstm", when="trained")["direct"][8]
    alone, _ = exhibit(["lstm"])
    assert set(statements.index) - set(alone.statements["statement"]) == {"over_rnn_start", "over_rnn_trained"}


@pytest.mark.parametrize(
    ("names", "seeds", "settings"),
    [(("lstm", "rnn"), (0, 1), {}), (("lstm",), (0,), {"biases": [1], "lags": [1]}), (("rnn",), (0,), {})],
)
def test_figure_is_complete_whatever_is_there(exhibit, names, seeds, settings, tmp_path):
    result, _ = exhibit(names, seeds, **settings)
    assert tuple(result.tables) == carousel.TABLES
    assert_complete(draw(result.tables, STYLE), tmp_path)


def test_numbers_are_of_the_largest_bias_and_the_longest_lag(exhibit):
    result, _ = exhibit()
    page, statements = numbers(result.tables, LABELS), result.statements.set_index("statement")["value"]
    assert (page["bias"], page["lag"]) == (3, 8)
    assert page["start"]["exact"][8] == statements["carried_exact"]
    assert page["trained"]["left_out"][1] == statements["left_out_trained_one"]
    norms = page["carried"]["trained"].loc[0]
    assert norms["lstm"] / norms["rnn"] == pytest.approx(statements["over_rnn_trained"])
