"""Gates: against steps taken one by one, the figure, and the numbers of the page."""

import numpy as np
import pytest
import torch

from layout import assert_complete
from learnability.cells.linearization import affine
from selective import ARCHITECTURES, LABELS, STYLE, network_of
from studies.gated.exhibit import Asked
from studies.gated.gates import measure as gates
from studies.gated.gates.figure import draw
from studies.gated.gates.numbers import numbers

SETTINGS = {"inputs": [-6, 0, 6], "sequences": 9, "probe": {"sequences": 40, "penalty": 1e-6}}
GATED = [name for name in ARCHITECTURES if name not in ("rnn", "identity_rnn", "lstm_memory")]


@pytest.fixture
def exhibit(normal):
    def exhibit(names=tuple(ARCHITECTURES), seeds=(0,)):
        trained = [network_of(name, seed, normal) for name in names for seed in seeds]
        return gates.make(Asked(SETTINGS, seeds, 1, trained)), trained

    return exhibit


def one_by_one(trained, path):
    """Gates at symbols, at blanks before the marker, and behind it, by walking along each sequence."""
    found = {"symbol": [], "blank": [], "asked": []}
    for x in torch.from_numpy(trained.task.generate("diagnostic", SETTINGS["sequences"]).inputs).double():
        state, behind = torch.zeros(trained.network.cell.state_size, dtype=torch.float64), False
        for shown in x:
            value = torch.sigmoid(affine(trained.parameters, path, trained.network.cell.output(state), shown))
            if shown.argmax() == len(shown) - 1:
                behind = True
            else:
                found["asked" if behind else "symbol" if shown.argmax() else "blank"].append(value)
            state = trained.network.cell.step(trained.parameters, state, shown)
    return {name: torch.stack(values).numpy() for name, values in found.items()}


@pytest.mark.parametrize(("name", "gate", "path"), [("lstm", "output", "o"), ("gru", "update", "z")])
def test_gates_are_those_of_steps_one_by_one(exhibit, name, gate, path):
    made, (trained,) = exhibit([name])
    table = made.tables["gates_units"]
    table, found = table[table["gate"] == gate], one_by_one(trained, path)
    for where, values in found.items():
        np.testing.assert_allclose(table[where], values.mean(0))
    pairs = (found["symbol"][:, None] > found["blank"]).mean((0, 1))
    np.testing.assert_allclose(table["auc"], pairs)


def test_what_is_equal_is_not_told_apart():
    same = np.ones((3, 2))
    np.testing.assert_allclose(gates.separation(same, np.ones((5, 2))), 0.5)
    np.testing.assert_allclose(gates.separation(same + 1, np.ones((5, 2))), 1)


def test_a_gate_without_weights_is_the_same_held(normal):
    trained = network_of("lstm", 0, normal)
    silent = {f"{kind}_i": torch.zeros_like(trained.parameters[f"{kind}_i"]) for kind in "WU"}
    made = gates.make(Asked(SETTINGS, [0], 1, [trained._replace(parameters=trained.parameters | silent)]))
    shares = made.tables["gates_held"]
    assert shares.loc[shares["gate"] == "input", "accuracy"].nunique() == 1
    units = made.tables["gates_units"]
    own = units[units["gate"] == "input"]
    np.testing.assert_allclose(own["symbol"], own["blank"])
    (row,) = made.tables["gates_written"].to_dict("records")
    values, bias = one_by_one(trained._replace(parameters=trained.parameters | silent), "g"), trained.parameters["b_i"]
    sizes = {where: np.abs(np.tanh(np.log(g / (1 - g)))) for where, g in values.items()}
    gate = torch.sigmoid(bias).numpy()
    assert row["proposed"] == pytest.approx(sizes["symbol"].mean() / sizes["blank"].mean())
    assert row["written"] == pytest.approx((gate * sizes["symbol"]).mean() / (gate * sizes["blank"]).mean())


@pytest.mark.parametrize("how", gates.HELD)
def test_gates_are_held_as_they_say(normal, how):
    trained = network_of("gru", 0, normal)
    drawn = trained.task.generate("diagnostic", 9)
    steps = gates.steps_of(trained, "z", drawn)
    h, x = normal(4, 5), normal(4, trained.task.input_size)
    found = torch.sigmoid(affine(gates.held(trained.parameters, "z", steps, how), "z", h, x))
    W, U, b = (trained.parameters[f"{kind}_z"] for kind in "WUb")
    expected = {
        "learned": torch.sigmoid(x @ W.T + h @ U.T + b),
        "of_input": torch.sigmoid(x @ W.T + steps.of_state.mean((0, 1)) + b),
        "constant": steps.gate.mean((0, 1)).expand(4, -1),
    }
    torch.testing.assert_close(found, expected[how])


def test_a_probe_names_what_can_be_read_and_no_more():
    """Units that are one-hot codes of two places name both; one of the places alone names it and guesses the other."""
    generator = np.random.default_rng(0)
    symbols = generator.integers(0, 3, (400, 2))
    codes = np.eye(3)[symbols].reshape(400, 6)
    assert gates.probe(codes, symbols, 3, 1e-9) == 1
    assert gates.probe(-2 * codes[:, :3] + 1, symbols, 3, 1e-9) == pytest.approx((1 + 1 / 3) / 2, abs=0.05)
    assert gates.probe(np.zeros((400, 2)), symbols, 3, 1e-9) == pytest.approx(1 / 3, abs=0.06)


def test_probes_read_the_state_before_the_marker(exhibit):
    made, (trained,) = exhibit(["lstm"])
    drawn = trained.task.generate("probe", 40)
    read = {"output": [], "memory": []}
    for x in torch.from_numpy(drawn.inputs).double():
        state = torch.zeros(10, dtype=torch.float64)
        for shown in x:
            if shown[-1] > 0:
                break
            state = trained.network.cell.step(trained.parameters, state, shown)
        read["output"].append(state[:5].numpy())
        read["memory"].append(state[5:].numpy())
    symbols = drawn.targets[:, -2:] - 1
    table = made.tables["gates_probes"].set_index("reads")
    for name, values in read.items():
        assert table["accuracy"][name] == gates.probe(np.array(values), symbols, 3, 1e-6)
    stated = made.statements.set_index("statement")["value"]
    apart = table["accuracy"]["memory"] - table["accuracy"]["output"]
    assert stated["lstm_hidden_from_output"] == apart and (table["chance"] == 1 / 3).all()


def test_statements_are_of_every_gate(exhibit):
    made, _ = exhibit()
    assert tuple(made.tables) == gates.TABLES
    assert sorted(made.tables["gates_units"]["architecture"].unique()) == sorted(GATED)
    stated = made.statements.set_index("statement")["value"]
    assert stated["switch_half"] == 0.5
    assert stated["switch_blocked"] == pytest.approx(1 - stated["switch_passed"]) == pytest.approx(1 / (1 + np.e**6))
    units, shares = made.tables["gates_units"], made.tables["gates_held"]
    own = units[(units["architecture"] == "lstm") & (units["gate"] == "input")]
    assert stated["lstm_input_largest"] == (own["symbol"] - own["blank"]).abs().max()
    of_gate = shares[(shares["architecture"] == "gru") & (shares["gate"] == "update")].set_index("held")["accuracy"]
    assert stated["gru_update_constant"] == of_gate["learned"] - of_gate["constant"]


@pytest.mark.parametrize(
    ("names", "seeds"), [(tuple(ARCHITECTURES), (0, 1, 2)), (("gru",), (0,)), (("lstm", "rnn"), (0,))]
)
def test_figure_is_complete_whatever_is_there(exhibit, names, seeds, tmp_path):
    made, _ = exhibit(names, seeds)
    assert_complete(draw(made.tables, STYLE), tmp_path)


def test_numbers_are_of_the_gates_that_write_or_forget(exhibit):
    made, _ = exhibit()
    found, stated = numbers(made.tables, LABELS), made.statements.set_index("statement")["value"]
    assert set(found["moves"].index) == set(gates.SHOWN)
    assert found["moves"]["largest"]["gru", "update"] == stated["gru_update_largest"]
    of_gate = found["recall"].loc["forget_rnn", "forget"]
    assert of_gate["learned"] - of_gate["of_input"] == stated["forget_rnn_forget_of_input"]
    assert found["output_gate"]["asked"] / found["before_marker"] == pytest.approx(stated["lstm_exposure"])
