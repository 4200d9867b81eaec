"""Counting: sequences, a counter that is built by hand, equal parameters, the figure and sentences."""

import pytest
import torch

from layout import assert_landscape
from learnability.core.errors import InputError
from learnability.networks.network import Network
from learnability.report.style import Style
from studies.gated.counting import measure as counting
from studies.gated.counting.figure import draw
from studies.gated.counting.measure import CELLS, Counting, is_right
from studies.gated.counting.numbers import numbers
from studies.gated.exhibit import ExhibitRequest

SETTINGS = {
    "longest_trained": 3,
    "longest_tested": 7,
    "hidden_sizes": {"rnn": 25, "gru": 14, "lstm": 12},
    "learning_rates": [0.003, 0.01, 0.03],
    "repeats": 2,
    "epochs": 10,
    "batch_size": 3,
}
LABELS = {"rnn": "RNN", "gru": "GRU", "lstm": "LSTM"}
STYLE = Style(list(CELLS), {"rnn": "r", "gru": "b", "lstm": "g"}, LABELS, width_mm=175, font_size=7)


def test_sequences_are_as_many_as_and_bs_and_end_at_the_last_b():
    sequences = Counting().generate([1, 3])
    assert sequences.inputs.argmax(-1)[1].tolist() == [0, 0, 0, 1, 1, 1]
    assert sequences.inputs[0].tolist() == [[1, 0], [0, 1], *[[0, 0]] * 4]
    assert sequences.targets.tolist() == [[0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]
    assert sequences.mask.astype(int).tolist() == [[0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1]]


def test_an_lstm_whose_memory_counts_by_hand_is_right_for_any_length():
    """c goes up by one at an a and down by one at a b: h = tanh(c), and the b's end where it is 0."""
    network = Network.build({"cell": "lstm", "gate_init": 0.5}, 2, 2, True, 2, "cross_entropy")
    parameters = {name: torch.zeros_like(value) for name, value in network.initial_parameters(0, 0).items()}
    for gate in "ifo":
        parameters[f"b_{gate}"] += 40.0
    candidate = next(name for name in parameters if name.startswith("W_") and name[2:] not in ("i", "f", "o"))
    parameters[candidate][0] = torch.tensor([20.0, -20.0])
    parameters["w"][0, 0], parameters["b"][0] = 1.0, -0.5  # another one, where tanh(c) > 1/2
    assert is_right(network, parameters, range(1, 150)).all()
    parameters["b"][0] = -0.9  # tanh(1) = 0.76: it ends a step too soon
    assert is_right(network, parameters, range(1, 5)).tolist() == [True, False, False, False]


def test_networks_are_of_equal_parameters_and_the_best_rate_counts(exhibit):
    runs = exhibit.tables["counting_runs"]
    assert runs["parameters"].max() <= 1.03 * runs["parameters"].min()
    for _, rows in runs.groupby(["seed", "architecture"]):
        assert len(rows) == 3 and rows.loc[rows["chosen"], "loss"].item() == rows["loss"].min()


def test_runs_and_lengths_say_the_same(exhibit):
    runs, right = exhibit.tables["counting_runs"], exhibit.tables["counting_lengths"]
    for row in runs[runs["chosen"]].to_dict("records"):
        rows = right.query(f"seed == {row['seed']} and architecture == '{row['architecture']}'").set_index("n")["right"]
        assert rows.index.tolist() == list(range(1, 8))
        assert rows[rows.index <= 3].mean() == row["trained_right"]
        assert rows[rows.index <= row["right_up_to"]].all() and not rows.get(row["right_up_to"] + 1, 0)
    statements = exhibit.statements.pivot(index="statement", columns="seed", values="value")
    beyond = right.query("n in (4, 5, 6) and seed == 3").groupby("architecture")["right"].mean()
    assert statements.loc["lstm_counts_beyond_gru", 3] == pytest.approx(beyond["lstm"] - beyond["gru"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hidden_sizes", {"rnn": 12, "gru": 12, "lstm": 12}),
        ("longest_tested", 5),
        ("learning_rates", [0.01, 0.01, 0.03]),
    ],
)
def test_what_cannot_be_compared_is_refused(name, value):
    with pytest.raises(InputError, match=f"'counting.{name}' must be"):
        counting.make(ExhibitRequest(SETTINGS | {name: value}, [0], 1))


def test_the_figure_is_complete_and_landscape(exhibit, tmp_path):
    assert_landscape(draw(exhibit.tables, STYLE), tmp_path)


def test_shares_are_of_longer_n_at_the_best_rate(exhibit):
    longest, right = SETTINGS["longest_trained"], exhibit.tables["counting_lengths"]
    page = numbers(exhibit.tables, LABELS)
    for (seed, name), rows in right.groupby(["seed", "architecture"]):
        beyond = rows.set_index("n")["right"].loc[longest + 1 : 2 * longest]
        assert page["shares"][name][seed] == pytest.approx(beyond.mean())
    assert 0 <= page["at_edge"] <= page["chosen"] == page["up_to"].size
