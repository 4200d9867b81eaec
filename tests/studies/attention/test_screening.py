"""Gradients over the sizes of what screening keeps: measured as one by one, the table, the figure and the finding."""

import numpy as np
import pandas as pd
import pytest

from learnability.networks.accuracy import measure_accuracy
from learnability.networks.network import Network
from learnability.report.style import Style, write_figure
from learnability.tasks import Copy, Denoise
from learnability.windows.reach import RUN
from studies.attention.backward import log_norms, measure_norms
from studies.attention.screening import measure_screened, measure_screening
from studies.attention.sizes.figures import screening
from studies.attention.sizes.tables import AT_EACH, leverage, tabulate

TASK = Denoise(6, 1, 0, symbols=2, alphabet=3)
ASKED = {"sizes": [1, 3], "other": 2}
LABELS = {"rel_rnn": "RelRNN", "rel_lstm": "RelLSTM"}


def test_sizes_are_those_of_cells_that_have_them():
    norms = {"units": 4, "delay": 12, "sequences": 2, "root_seed": 1, "seeds": [0, 1]}
    found = measure_screening({"cell": "rel_rnn", "mix": "mean"}, **ASKED, **norms)
    assert len(found) == 4 * 32
    for varied, other in (("relevant", "short_term"), ("short_term", "relevant")):
        rows = found[(found["varied"] == varied) & (found["size"] == 3)]
        expected = measure_norms({"cell": "rel_rnn", "mix": "mean", varied: 3, other: 2}, **norms)
        assert (rows["log_norm"].to_numpy() == expected["log_norm"].to_numpy()).all()
        assert (rows["other"] == 2).all()
    assert measure_screening({"cell": "mem_rnn"}, **ASKED, **norms).empty


def test_a_trained_network_is_put_to_other_sizes():
    build = {"cell": "rel_lstm", "gate_init": 0.5}
    network = Network.for_task(build, TASK, 4, True)
    parameters = network.initial_parameters(1, 0)
    found = measure_screened(network, parameters, TASK, **ASKED, sequences=5)
    drawn = TASK.generate("diagnostic", 5)
    for (varied, size), rows in found.groupby(["varied", "size"]):
        other = Network.for_task({**build, "relevant": 2, "short_term": 2, varied: size}, TASK, 4, True)
        assert rows["log_norm"].to_numpy() == pytest.approx(log_norms(other, parameters, drawn))
        assert set(rows["accuracy"]) == {
            measure_accuracy(other, {name: each.float() for name, each in parameters.items()}, drawn)
        }
    assert measure_screened(network, parameters, Copy(6, 1, 0), **ASKED, sequences=5).empty
    for without in ({"cell": "lstm", "gate_init": 0.5}, {"cell": "rel_rnn", "relevant": 0}):
        network = Network.for_task(without, TASK, 4, True)
        assert measure_screened(network, network.initial_parameters(1, 0), TASK, **ASKED, sequences=5).empty


def slopes(of_relevant, of_short_term, name="rel_rnn", **more):
    """log₁₀ norms that fall by so much a step at sizes 3 and 25."""
    back = np.arange(102)
    parts = [
        pd.DataFrame({"back": back, "log_norm": -slope * back, "varied": varied, "size": size, "other": 15})
        for varied, own in (("relevant", of_relevant), ("short_term", of_short_term))
        for size, slope in zip((3, 25), own, strict=True)
    ]
    return pd.concat(parts).assign(architecture=name, **more)


NOTHING = pd.DataFrame(columns=["experiment", "architecture", "seed", "back", "log_norm", "accuracy", "other"])
EMPTY = pd.DataFrame(columns=["architecture", "back", "log_norm", "varied", "size", "other"])
TRAINED = slopes((0.02, 0.01), (0.03, 0.03), experiment="denoise_82", seed=0, accuracy=0.75)


def measured(before, after, sized=NOTHING):
    """With what was trained at its size, whose experiment is named after it."""
    named = "denoise_82_" + sized["varied"] + "_" + sized["size"].astype(str) if len(sized) else []
    at_each = sized.assign(experiment=named, delay=82, trained_at=82)
    arriving, answers = (
        at_each.reindex(columns=[*RUN, *kept]) for kept in (["back", "log_norm"], ["accuracy", "delay", "trained_at"])
    )
    return {"sizes": before, "screened": after, "arriving": arriving, "answers": answers.drop_duplicates()}


def tabulated(before, after, sized=NOTHING):
    return tabulate(measured(before, after, sized), {})["screening"]


def test_the_table_reads_norms_at_the_farthest_quarter():
    table = tabulated(slopes((0.5, 0.1), (0.2, 0.2)), TRAINED)
    assert table["farthest"].tolist() == pytest.approx([-44, -8.8, -17.6, -17.6, -1.76, -0.88, -2.64, -2.64])
    assert table["trained_on"].tolist() == ["nothing"] * 4 + ["denoise, T = 82"] * 4
    assert table["span"].iloc[0] == pytest.approx(50.5)
    assert table["accuracy"].tolist() == pytest.approx([np.nan] * 4 + [0.75] * 4, nan_ok=True)
    assert leverage(table)["relevant"].tolist() == pytest.approx([35.2, 0.88])


def test_networks_that_were_trained_at_each_size_are_read_beside_those_that_are_put_to_it():
    sized = slopes((0.05, 0.01), (0.02, 0.01), experiment="", seed=0, accuracy=0.5)
    table = tabulated(slopes((0.2, 0.2), (0.5, 0.1)), TRAINED, sized)
    own = table[table["trained_on"] == AT_EACH]
    assert own["farthest"].tolist() == pytest.approx([-4.4, -0.88, -1.76, -0.88])
    assert own["other"].eq(15).all() and own["accuracy"].eq(0.5).all()
    assert table["trained_on"].tolist()[4:8] == ["denoise, T = 82"] * 4
    moved = leverage(table).set_index("trained_on").loc[AT_EACH]
    assert moved[["relevant", "short_term"]].tolist() == pytest.approx([3.52, 0.88])


@pytest.mark.parametrize(
    ("before", "after", "panels"), [(slopes((0.5, 0.1), (0.2, 0.2)), TRAINED, 2), (EMPTY, NOTHING, 1)]
)
def test_the_figure_has_a_panel_for_each_network_before_and_after_training(before, after, panels, tmp_path):
    style = Style(list(LABELS), dict.fromkeys(LABELS, "#0173b2"), LABELS, width_mm=175, font_size=7)
    given = measured(before, after)
    figure = screening.draw({**given, **tabulate(given, {})}, style)
    write_figure(figure, tmp_path / "figure.png")
    assert len(figure.axes) == panels
