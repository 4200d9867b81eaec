"""Hyperparameters beside those that the paper prints."""

import pytest

from studies.attention.hyperparameters import tabulate
from studies.attention.paper import HYPERPARAMETERS, OF_TRAINING

SLOW = {"method": "adam", "learning_rate": 0.0002}


def run(task, architecture, settings, optimizer):
    return {
        "task": {"name": task},
        "architecture": architecture,
        "architecture_settings": settings,
        "optimizer_settings": optimizer,
    }


@pytest.mark.parametrize(
    ("settings", "optimizer", "paper"),
    [
        ({"cell": "rel_rnn"}, SLOW, "as printed"),
        ({"cell": "rel_rnn", "mix": "mean"}, SLOW, "as printed"),
        ({"cell": "rel_rnn", "relevant": 5, "nonlinearity": "modrelu"}, SLOW, "nonlinearity tanh, relevant 10"),
        ({"cell": "rel_rnn"}, {"method": "sgd", "learning_rate": 0.0002}, "method adam"),
    ],
)
def test_what_differs_from_the_paper_is_told(settings, optimizer, paper):
    (row,) = tabulate([run("copy", "rel_rnn", settings, optimizer)]).to_dict("records")
    assert row["paper"] == paper


def test_what_is_not_set_is_what_the_cell_takes():
    (row,) = tabulate([run("copy", "rel_rnn", {"cell": "rel_rnn"}, SLOW)]).to_dict("records")
    assert (row["nonlinearity"], row["short_term"], row["relevant"], row["mix"]) == ("tanh", 10, 10, "sum")
    assert row["orthogonal_learning_rate"] is None


def test_a_network_stands_once_for_each_task_of_the_paper():
    runs = [
        run(task, name, {"cell": name}, SLOW)
        for task in ("copy", "copy", "pixels", "delayed_sum")
        for name in ("rnn", "lstm")
    ]
    table = tabulate(runs)
    assert table[["task", "architecture"]].to_numpy().tolist() == [
        *(["copy", "rnn"], ["copy", "lstm"], ["pixels", "rnn"], ["pixels", "lstm"])
    ]
    assert table["paper"].tolist() == ["not printed", "as printed"] * 2


def test_each_printed_row_has_a_value_of_each_kind():
    assert all(len(row) == len(HYPERPARAMETERS) for rows in OF_TRAINING.values() for row in rows.values())
