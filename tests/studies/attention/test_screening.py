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
SIZES = {"sizes": [1, 3], "other": 2}
LABELS = {"rel_rnn": "RelRNN", "rel_lstm": "RelLSTM"}


def test_sizes_are_those_of_cells_that_have_them():
    norms = {"units": 4, "delay": 12, "sequences": 2, "root_seed": 1, "seeds": [0, 1]}
    screened_norms = measure_screening({"cell": "rel_rnn", "mix": "mean"}, **SIZES, **norms)
    assert len(screened_norms) == 4 * 32
    for setting, constant in (("relevant", "short_term"), ("short_term", "relevant")):
        rows = screened_norms[(screened_norms["varied"] == setting) & (screened_norms["size"] == 3)]
        expected = measure_norms({"cell": "rel_rnn", "mix": "mean", setting: 3, constant: 2}, **norms)
        assert (rows["log_norm"].to_numpy() == expected["log_norm"].to_numpy()).all()
        assert (rows["other"] == 2).all()
    assert measure_screening({"cell": "mem_rnn"}, **SIZES, **norms).empty


def test_a_trained_network_is_put_to_other_sizes():
    build = {"cell": "rel_lstm", "gate_init": 0.5}
    network = Network.for_task(build, TASK, 4, True)
    parameters = network.initial_parameters(1, 0)
    norms = measure_screened(network, parameters, TASK, **SIZES, sequences=5)
    sequences = TASK.generate("diagnostic", 5)
    for (setting, size), rows in norms.groupby(["varied", "size"]):
        resized_network = Network.for_task({**build, "relevant": 2, "short_term": 2, setting: size}, TASK, 4, True)
        assert rows["log_norm"].to_numpy() == pytest.approx(log_norms(resized_network, parameters, sequences))
        assert set(rows["accuracy"]) == {
            measure_accuracy(resized_network, {name: value.float() for name, value in parameters.items()}, sequences)
        }
    assert measure_screened(network, parameters, Copy(6, 1, 0), **SIZES, sequences=5).empty
    for without in ({"cell": "lstm", "gate_init": 0.5}, {"cell": "rel_rnn", "relevant": 0}):
        network = Network.for_task(without, TASK, 4, True)
        assert measure_screened(network, network.initial_parameters(1, 0), TASK, **SIZES, sequences=5).empty


def slopes(of_relevant, of_short_term, name="rel_rnn", **more):
    """log₁₀ norms that fall by so much a step at sizes 3 and 25."""
    back = np.arange(102)
    parts = [
        pd.DataFrame({"back": back, "log_norm": -slope * back, "varied": setting, "size": size, "other": 15})
        for setting, slopes_of_sizes in (("relevant", of_relevant), ("short_term", of_short_term))
        for size, slope in zip((3, 25), slopes_of_sizes, strict=True)
    ]
    return pd.concat(parts).assign(architecture=name, **more)


NO_SLOPES = pd.DataFrame(columns=["experiment", "architecture", "seed", "back", "log_norm", "accuracy", "other"])
EMPTY = pd.DataFrame(columns=["architecture", "back", "log_norm", "varied", "size", "other"])
AFTER = slopes((0.02, 0.01), (0.03, 0.03), experiment="denoise_82", seed=0, accuracy=0.75)


def measurements(before, after, by_size=NO_SLOPES):
    """Tables with networks trained at each size, whose experiments are named after it."""
    names = "denoise_82_" + by_size["varied"] + "_" + by_size["size"].astype(str) if len(by_size) else []
    at_each = by_size.assign(experiment=names, delay=82, trained_at=82)
    norms = at_each.reindex(columns=[*RUN, "back", "log_norm"])
    answers = at_each.reindex(columns=[*RUN, "accuracy", "delay", "trained_at"])
    return {"sizes": before, "screened": after, "arriving": norms, "answers": answers.drop_duplicates()}


def screening_table(before, after, by_size=NO_SLOPES):
    return tabulate(measurements(before, after, by_size), {})["screening"]


def test_the_table_reads_norms_at_the_farthest_quarter():
    table = screening_table(slopes((0.5, 0.1), (0.2, 0.2)), AFTER)
    assert table["farthest"].tolist() == pytest.approx([-44, -8.8, -17.6, -17.6, -1.76, -0.88, -2.64, -2.64])
    assert table["trained_on"].tolist() == ["nothing"] * 4 + ["denoise, T = 82"] * 4
    assert table["span"].iloc[0] == pytest.approx(50.5)
    assert table["accuracy"].tolist() == pytest.approx([np.nan] * 4 + [0.75] * 4, nan_ok=True)
    assert leverage(table)["relevant"].tolist() == pytest.approx([35.2, 0.88])


def test_networks_that_were_trained_at_each_size_are_read_beside_those_that_are_put_to_it():
    by_size = slopes((0.05, 0.01), (0.02, 0.01), experiment="", seed=0, accuracy=0.5)
    table = screening_table(slopes((0.2, 0.2), (0.5, 0.1)), AFTER, by_size)
    rows = table[table["trained_on"] == AT_EACH]
    assert rows["farthest"].tolist() == pytest.approx([-4.4, -0.88, -1.76, -0.88])
    assert rows["other"].eq(15).all() and rows["accuracy"].eq(0.5).all()
    assert table["trained_on"].tolist()[4:8] == ["denoise, T = 82"] * 4
    ratios = leverage(table).set_index("trained_on").loc[AT_EACH]
    assert ratios[["relevant", "short_term"]].tolist() == pytest.approx([3.52, 0.88])


@pytest.mark.parametrize(
    ("before", "after", "panels"), [(slopes((0.5, 0.1), (0.2, 0.2)), AFTER, 2), (EMPTY, NO_SLOPES, 1)]
)
def test_the_figure_has_a_panel_for_each_network_before_and_after_training(before, after, panels, tmp_path):
    style = Style(list(LABELS), dict.fromkeys(LABELS, "#0173b2"), LABELS, width_mm=175, font_size=7)
    tables = measurements(before, after)
    figure = screening.draw({**tables, **tabulate(tables, {})}, style)
    write_figure(figure, tmp_path / "figure.png")
    assert len(figure.axes) == panels
