"""The carousel: paths against what is known of them, statements, the figure and the numbers."""

import numpy as np
import pytest
import torch

from layout import assert_complete
from selective import LABELS, STYLE, network_of
from studies.gated.carousel import measure as carousel
from studies.gated.carousel.figure import draw
from studies.gated.carousel.numbers import numbers
from studies.gated.exhibit import Asked

SETTINGS = {"biases": [0, 3], "input_bias": 0, "lags": [1, 2, 8], "sequences": 4}


@pytest.fixture
def exhibit(normal):
    def exhibit(names=("lstm", "rnn"), seeds=(0,), **settings):
        trained = [network_of(name, seed, normal) for name in names for seed in seeds]
        return carousel.make(Asked(SETTINGS | settings, seeds, 1, trained)), trained

    return exhibit


def rows_of(made, **names):
    found = made.tables["carousel_paths"]
    for name, value in names.items():
        found = found[found[name] == value]
    return found.set_index("lag")


def test_forget_gates_alone_are_powers_of_their_bias_before_training(exhibit):
    made, _ = exhibit()
    for bias in SETTINGS["biases"]:
        f = 1 / (1 + np.exp(-bias))
        norms = rows_of(made, architecture="lstm", bias=bias)["direct"]
        apart = rows_of(made, architecture="lstm", bias=bias)["direct_from_identity"]
        for lag in SETTINGS["lags"]:
            assert norms[lag] == pytest.approx(f**lag)
            assert apart[lag] == pytest.approx(1 - f**lag)


def test_one_step_is_forget_gate_and_the_way_through_h(exhibit):
    made, (trained, _) = exhibit()
    cell, parameters = trained.network.cell, trained.parameters
    sizes, left_out = [], []
    for x in torch.from_numpy(trained.task.generate("diagnostic", 4).inputs).double():
        state = torch.zeros(10, dtype=torch.float64)
        for shown in x[:-1]:
            before, state = state, cell.step(parameters, state, shown)
        h = cell.output(before)
        o = torch.sigmoid(parameters["W_o"] @ x[-2] + parameters["U_o"] @ h + parameters["b_o"])

        def step(c, o=o, shown=x[-1]):
            return cell.memory(cell.step(parameters, torch.cat([o * torch.tanh(c), c]), shown))

        exact = torch.autograd.functional.jacobian(step, state[5:])
        direct = torch.diag(1 - cell.gate(parameters, state, x[-1]))
        sizes.append(np.log(np.linalg.norm(exact, 2)))
        left_out.append(np.linalg.norm(exact - direct, 2) / np.linalg.norm(exact, 2))
    assert rows_of(made, when="trained", architecture="lstm")["exact"][1] == pytest.approx(np.exp(np.mean(sizes)))
    assert rows_of(made, architecture="lstm", when="trained")["left_out"][1] == pytest.approx(np.mean(left_out))


def test_norms_over_sequences_are_geometric_means():
    """Of norms 1 and 100 it is 10, where the arithmetic mean is 50.5."""
    matrices = torch.stack([torch.eye(2, dtype=torch.float64), 100 * torch.eye(2, dtype=torch.float64)])
    assert carousel._norm(matrices) == pytest.approx(10)


def test_a_shut_input_gate_leaves_forget_gates_alone(exhibit):
    made, _ = exhibit(input_bias=-40)
    np.testing.assert_allclose(rows_of(made, architecture="lstm", when="start")["left_out"], 0, atol=1e-12)


def test_statements_are_of_the_largest_bias_and_the_longest_lag(exhibit):
    made, _ = exhibit()
    stated = made.statements.set_index("statement")["value"]
    norms = rows_of(made, architecture="lstm", bias=3)
    rnn = rows_of(made, architecture="rnn", when="start")
    assert stated["carried_exact"] == norms["exact"][8]
    assert stated["over_rnn_start"] == norms["exact"][8] / rnn["exact"][8]
    assert stated["left_out_start_one"] == rows_of(made, architecture="lstm", bias=3)["left_out"][1]
    assert stated["open_direct"] == pytest.approx(1 - 1 / (1 + np.exp(-3)))
    assert stated["trained_direct"] == rows_of(made, architecture="lstm", when="trained")["direct"][8]
    alone, _ = exhibit(["lstm"])
    assert set(stated.index) - set(alone.statements["statement"]) == {"over_rnn_start", "over_rnn_trained"}


@pytest.mark.parametrize(
    ("names", "seeds", "settings"),
    [(("lstm", "rnn"), (0, 1), {}), (("lstm",), (0,), {"biases": [1], "lags": [1]}), (("rnn",), (0,), {})],
)
def test_figure_is_complete_whatever_is_there(exhibit, names, seeds, settings, tmp_path):
    made, _ = exhibit(names, seeds, **settings)
    assert tuple(made.tables) == carousel.TABLES
    assert_complete(draw(made.tables, STYLE), tmp_path)


def test_numbers_are_of_the_largest_bias_and_the_longest_lag(exhibit):
    made, _ = exhibit()
    found, stated = numbers(made.tables, LABELS), made.statements.set_index("statement")["value"]
    assert (found["bias"], found["lag"]) == (3, 8)
    assert found["start"]["exact"][8] == stated["carried_exact"]
    assert found["trained"]["left_out"][1] == stated["left_out_trained_one"]
    norms = found["carried"]["trained"].loc[0]
    assert norms["lstm"] / norms["rnn"] == pytest.approx(stated["over_rnn_trained"])
