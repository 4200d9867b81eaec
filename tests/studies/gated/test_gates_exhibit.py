"""Gates: against steps taken one by one, the figure, and the numbers of the page."""

import numpy as np
import pytest
import torch

from layout import assert_complete
from learnability.cells.linearization import affine
from selective import ARCHITECTURES, LABELS, STYLE, network_of
from studies.gated.exhibit import ExhibitRequest
from studies.gated.gates import measure as gates
from studies.gated.gates.figure import draw
from studies.gated.gates.numbers import numbers

SETTINGS = {"inputs": [-6, 0, 6], "sequences": 9, "probe": {"sequences": 40, "penalty": 1e-2}}
GATED_NETWORKS = [name for name in ARCHITECTURES if name not in ("rnn", "identity_rnn", "lstm_memory")]


@pytest.fixture
def exhibit(normal):
    def exhibit(names=tuple(ARCHITECTURES), seeds=(0,)):
        models = [network_of(name, seed, normal) for name in names for seed in seeds]
        return gates.make(ExhibitRequest(SETTINGS, seeds, 1, models)), models

    return exhibit


def one_by_one(model, path):
    """Gates at symbols, at blanks before the marker, and behind it, by walking along each sequence."""
    gates_at = {"symbol": [], "blank": [], "asked": []}
    for x in torch.from_numpy(model.task.generate("diagnostic", SETTINGS["sequences"]).inputs).double():
        state, behind = torch.zeros(model.network.cell.state_size, dtype=torch.float64), False
        for symbol in x:
            value = torch.sigmoid(affine(model.parameters, path, model.network.cell.output(state), symbol))
            if symbol.argmax() == len(symbol) - 1:
                behind = True
            else:
                gates_at["asked" if behind else "symbol" if symbol.argmax() else "blank"].append(value)
            state = model.network.cell.step(model.parameters, state, symbol)
    return {name: torch.stack(values).numpy() for name, values in gates_at.items()}


@pytest.mark.parametrize(("name", "gate", "path"), [("lstm", "output", "o"), ("gru", "update", "z")])
def test_gates_are_those_of_steps_one_by_one(exhibit, name, gate, path):
    result, (model,) = exhibit([name])
    table = result.tables["gates_units"]
    table, gates_at = table[table["gate"] == gate], one_by_one(model, path)
    for where, values in gates_at.items():
        np.testing.assert_allclose(table[where], values.mean(0))
    pairs = (gates_at["symbol"][:, None] > gates_at["blank"]).mean((0, 1))
    np.testing.assert_allclose(table["auc"], pairs)


def test_what_is_equal_is_not_told_apart():
    ones = np.ones((3, 2))
    np.testing.assert_allclose(gates.separation(ones, np.ones((5, 2))), 0.5)
    np.testing.assert_allclose(gates.separation(ones + 1, np.ones((5, 2))), 1)


def test_a_gate_without_weights_is_the_same_held(normal):
    model = network_of("lstm", 0, normal)
    silent = {f"{kind}_i": torch.zeros_like(model.parameters[f"{kind}_i"]) for kind in "WU"}
    result = gates.make(ExhibitRequest(SETTINGS, [0], 1, [model._replace(parameters=model.parameters | silent)]))
    shares = result.tables["gates_held"]
    assert shares.loc[shares["gate"] == "input", "accuracy"].nunique() == 1
    units = result.tables["gates_units"]
    input_gate = units[units["gate"] == "input"]
    np.testing.assert_allclose(input_gate["symbol"], input_gate["blank"])
    (row,) = result.tables["gates_written"].to_dict("records")
    values, bias = one_by_one(model._replace(parameters=model.parameters | silent), "g"), model.parameters["b_i"]
    sizes = {where: np.abs(np.tanh(np.log(g / (1 - g)))) for where, g in values.items()}
    gate = torch.sigmoid(bias).numpy()
    assert row["proposed"] == pytest.approx(sizes["symbol"].mean() / sizes["blank"].mean())
    assert row["written"] == pytest.approx((gate * sizes["symbol"]).mean() / (gate * sizes["blank"]).mean())


@pytest.mark.parametrize("how", gates.HELD)
def test_gates_are_held_as_they_say(normal, how):
    model = network_of("gru", 0, normal)
    sequences = model.task.generate("diagnostic", 9)
    steps = gates.steps_of(model, "z", sequences)
    h, x = normal(4, 5), normal(4, model.task.input_size)
    value = torch.sigmoid(affine(gates.held(model.parameters, "z", steps, how), "z", h, x))
    W, U, b = (model.parameters[f"{kind}_z"] for kind in "WUb")
    expected = {
        "learned": torch.sigmoid(x @ W.T + h @ U.T + b),
        "of_input": torch.sigmoid(x @ W.T + steps.of_state.mean((0, 1)) + b),
        "constant": steps.gate.mean((0, 1)).expand(4, -1),
    }
    torch.testing.assert_close(value, expected[how])


def test_a_probe_names_what_can_be_read_and_no_more():
    """Units that are one-hot codes of two places name both; one of the places alone names it and guesses the other."""
    generator = np.random.default_rng(0)
    symbols = generator.integers(0, 3, (400, 2))
    codes = np.eye(3)[symbols].reshape(400, 6)
    assert gates.probe(codes, symbols, 3, 1e-9) == 1
    assert gates.probe(-2 * codes[:, :3] + 1, symbols, 3, 1e-9) == pytest.approx((1 + 1 / 3) / 2, abs=0.05)
    assert gates.probe(np.zeros((400, 2)), symbols, 3, 1e-9) == pytest.approx(1 / 3, abs=0.06)


def test_probes_read_the_state_before_the_marker(exhibit):
    result, (model,) = exhibit(["lstm"])
    sequences = model.task.generate("probe", 40)
    read = {"output": [], "memory": []}
    for x in torch.from_numpy(sequences.inputs).double():
        state = torch.zeros(10, dtype=torch.float64)
        for symbol in x:
            if symbol[-1] > 0:
                break
            state = model.network.cell.step(model.parameters, state, symbol)
        read["output"].append(state[:5].numpy())
        read["memory"].append(state[5:].numpy())
    symbols = sequences.targets[:, -2:] - 1
    table = result.tables["gates_probes"].set_index("reads")
    for name, values in read.items():
        assert table["accuracy"][name] == gates.probe(np.array(values), symbols, 3, 1e-2)
    statements = result.statements.set_index("statement")["value"]
    apart = table["accuracy"]["memory"] - table["accuracy"]["output"]
    assert statements["lstm_hidden_from_output"] == apart and (table["chance"] == 1 / 3).all()


def test_statements_are_of_every_gate(exhibit):
    result, _ = exhibit()
    assert tuple(result.tables) == gates.TABLES
    assert sorted(result.tables["gates_units"]["architecture"].unique()) == sorted(GATED_NETWORKS)
    statements = result.statements.set_index("statement")["value"]
    assert statements["switch_half"] == 0.5
    assert (
        statements["switch_blocked"]
        == pytest.approx(1 - statements["switch_passed"])
        == pytest.approx(1 / (1 + np.e**6))
    )
    units, shares = result.tables["gates_units"], result.tables["gates_held"]
    input_gate = units[(units["architecture"] == "lstm") & (units["gate"] == "input")]
    assert statements["lstm_input_largest"] == (input_gate["symbol"] - input_gate["blank"]).abs().max()
    of_gate = shares[(shares["architecture"] == "gru") & (shares["gate"] == "update")].set_index("held")["accuracy"]
    assert statements["gru_update_constant"] == of_gate["learned"] - of_gate["constant"]


@pytest.mark.parametrize(
    ("names", "seeds"), [(tuple(ARCHITECTURES), (0, 1, 2)), (("gru",), (0,)), (("lstm", "rnn"), (0,))]
)
def test_figure_is_complete_whatever_is_there(exhibit, names, seeds, tmp_path):
    result, _ = exhibit(names, seeds)
    assert_complete(draw(result.tables, STYLE), tmp_path)


def test_numbers_are_of_the_gates_that_write_or_forget(exhibit):
    result, _ = exhibit()
    page, statements = numbers(result.tables, LABELS), result.statements.set_index("statement")["value"]
    assert set(page["moves"].index) == set(gates.SHOWN)
    assert page["moves"]["largest"]["gru", "update"] == statements["gru_update_largest"]
    of_gate = page["recall"].loc["forget_rnn", "forget"]
    assert of_gate["learned"] - of_gate["of_input"] == statements["forget_rnn_forget_of_input"]
    assert page["output_gate"]["asked"] / page["before_marker"] == pytest.approx(statements["lstm_exposure"])
