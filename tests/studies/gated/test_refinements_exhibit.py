"""Gates, one after the other: tables by hand, the figure, and the numbers of the page."""

import numpy as np
import pytest
import torch

from layout import assert_complete
from selective import ARCHITECTURES, LABELS, STYLE, network_of
from studies.gated.exhibit import ExhibitRequest
from studies.gated.refinements import measure as refinements
from studies.gated.refinements.figure import draw
from studies.gated.refinements.numbers import numbers

SETTINGS = {"accuracy": 0.5, "sequences": 7}


@pytest.fixture
def exhibit(normal):
    def exhibit(names=tuple(ARCHITECTURES), seeds=(0, 1), **curve):
        models = [network_of(name, seed, normal, **curve) for name in names for seed in seeds]
        return refinements.make(ExhibitRequest(SETTINGS, seeds, 1, models)), models

    return exhibit


def test_the_lowest_loss_decides(exhibit):
    result, _ = exhibit()
    assert tuple(result.tables) == refinements.TABLES
    ends = result.tables["refinements_ends"]
    assert (ends[["loss", "accuracy", "learned_after"]] == [0.1, 0.5, 3]).all(axis=None)
    assert result.tables["refinements_curves"]["updates"].unique().tolist() == [0, 3, 6]


@pytest.mark.parametrize("name", ["lstm", "identity_rnn"])
def test_memories_are_measured_step_by_step(exhibit, name):
    result, (model, *_) = exhibit([name], [0])
    sequences = model.task.generate("diagnostic", SETTINGS["sequences"])
    squares, slopes = [], []
    for x, mask in zip(torch.from_numpy(sequences.inputs).double(), sequences.scored, strict=True):
        state = torch.zeros(model.network.cell.state_size, dtype=torch.float64)
        for t in range(len(x)):
            state = model.network.cell.step(model.parameters, state, x[t])
            if mask[t]:
                slopes += (1 / torch.cosh(state[-5:]) ** 2).tolist()
        squares += (state[-5:] ** 2).tolist()
    (row,) = result.tables["refinements_ends"].to_dict("records")
    assert row["size"] == pytest.approx(np.sqrt(np.mean(squares)))
    assert row["slope"] == pytest.approx(np.mean(slopes) if name == "lstm" else np.nan, nan_ok=True)
    assert row["parameters"] == sum(value.numel() for value in model.parameters.values())


def test_each_cell_is_shown_at_the_rate_with_the_lowest_median_loss(normal):
    """Losses of three seeds: 0.3, 0.2 and 0.1 at one rate, 0.15, 0.9 and 0.16 at the other, whose median is less.

    With the fourth, which has one rate alone, the median of that rate would be less.
    """
    curves = {0.01: (0.3, 0.2, 0.1), 0.001: (0.15, 0.9, 0.16)}
    models = [
        network_of("rnn", seed, normal, losses=(1.0, loss, 0.95), rate=rate)
        for rate, losses in curves.items()
        for seed, loss in enumerate(losses)
    ]
    models.append(network_of("rnn", 3, normal, losses=(1.0, 0.01, 0.95), rate=0.01))
    models += [network_of("lstm", seed, normal, rate=0.003) for seed in range(3)]
    result = refinements.make(ExhibitRequest(SETTINGS, [0, 1, 2, 3], 1, models))
    rates = result.tables["refinements_rates"].set_index(["architecture", "rate"])
    assert rates["loss"].to_dict() == {("rnn", 0.001): 0.16, ("rnn", 0.01): 0.2, ("lstm", 0.003): 0.1}
    assert rates["chosen"].to_dict() == {("rnn", 0.001): True, ("rnn", 0.01): False, ("lstm", 0.003): True}
    assert rates["edge"].all() and (rates["seeds"] == 3).all()
    ends = result.tables["refinements_ends"]
    assert ends.loc[ends["architecture"] == "rnn", "loss"].tolist() == [0.15, 0.9, 0.16]
    assert ends.groupby("architecture")["rate"].unique().map(list).to_dict() == {"rnn": [0.001], "lstm": [0.003]}


def test_a_step_is_from_one_network_to_the_other_of_its_seed(exhibit, normal):
    better = {"accuracies": (0.2, 0.9, 1.0), "losses": (0.3, 0.2, 0.025)}
    models = [network_of("rnn", seed, normal) for seed in (0, 1, 2)]
    models += [network_of("lstm", seed, normal, **better) for seed in (1, 2, 3)]
    result = refinements.make(ExhibitRequest(SETTINGS, [0, 1, 2, 3], 1, models))
    steps = result.tables["refinements_steps"]
    assert steps[["step", "seed"]].to_numpy().tolist() == [["lstm_over_rnn", 1], ["lstm_over_rnn", 2]]
    assert steps["loss_ratio"].tolist() == pytest.approx([4, 4])
    assert steps["accuracy_gained"].tolist() == pytest.approx([0.5, 0.5])
    statements = result.statements.groupby("statement")["value"].median()
    assert statements.to_dict() == pytest.approx({"lstm_over_rnn_loss": 4, "lstm_over_rnn_accuracy": 0.5})


def test_ratios_are_of_what_is_better_where_it_is_smaller(exhibit):
    result, _ = exhibit(seeds=[0])
    ends = result.tables["refinements_ends"].set_index("architecture")
    statements = result.statements.set_index("statement")["value"]
    assert statements["forgetting_rnn_size"] == ends["size"]["identity_rnn"] / ends["size"]["forget_rnn"]
    assert statements["forget_gate_slope"] == ends["slope"]["lstm_input_forget"] / ends["slope"]["lstm_input"]


@pytest.mark.parametrize(
    ("names", "seeds", "accuracies"),
    [
        (tuple(ARCHITECTURES), (0, 1, 2), (0.2, 0.5, 0.4)),
        (("rnn", "lstm"), (0,), (0.0, 0.0, 0.0)),
        (("gru",), (0,), (1, 1, 1)),
    ],
)
def test_figure_is_complete_whatever_is_learned(exhibit, names, seeds, accuracies, tmp_path):
    result, _ = exhibit(names, seeds, accuracies=accuracies)
    assert_complete(draw(result.tables, STYLE), tmp_path)


def test_numbers_are_of_steps_and_cells(exhibit):
    result, _ = exhibit()
    page, statements = numbers(result.tables, LABELS), result.statements.groupby("statement")["value"].median()
    assert page["steps"].to_dict() == dict.fromkeys(refinements.OF_THE_LSTM, 0)
    assert page["change"]["slope_ratio"]["forget_gate"] == pytest.approx(statements["forget_gate_slope"])
    assert page["rows"]["seeds that learn"]["gru"] == "2 of 2"
    assert set(page["rows"]["recall"]) == {"50 %"} and set(page["at_edge"]) == set(LABELS.values())
