"""Pixels and characters: answers against counts by hand, tables, figures, and findings for every outcome."""

import hashlib

import numpy as np
import pandas as pd
import pytest
import torch

from attention_evidence import draw_of
from learnability.networks.network import Network
from learnability.report.style import Style, write_figure
from learnability.tasks import Characters, Pixels
from learnability.tasks.sources import BUILT_IN
from studies.attention.dense import measure_classes
from studies.attention.dense_tables import LIBRARY_DATA, tabulate
from studies.attention.paper import OF_DENSE_TASKS
from studies.attention.trained import first_segment, measure
from studies.attention.trained_tables import BUFFER_ALONE, of_copying

LABELS = {"rnn": "RNN", "lstm": "LSTM", "rel_rnn": "RelRNN", BUFFER_ALONE: "RelRNN, ρ = 0"}
SIZES = {"training_sequences": 20, "test_sequences": 5, "truncation": 0}


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("ab ab aaab c " * 40)
    return {"source": str(path), "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "shares": (0.6, 0.2, 0.2)}


def constant(task, name):
    """A network that always names one class, and its probability."""
    network = Network.for_task({"cell": "rnn"}, task, 4, True)
    parameters = network.initial_parameters(1, 0)
    bias = torch.zeros(task.outputs, dtype=torch.float64)
    bias[name] = 1.0
    parameters |= {"w": torch.zeros_like(parameters["w"]), "b": bias}
    return network, parameters, torch.softmax(bias, 0).numpy()


def test_answers_of_characters_are_counted(text):
    task = Characters(10, 1, 0, **text)
    network, parameters, shares = constant(task, 1)
    (row,) = measure_classes(network, parameters, task, **SIZES).to_dict("records")
    targets = task.generate("diagnostic", 5).targets
    assert task.characters == " abc"
    assert row["accuracy"] == row["majority"] == pytest.approx((targets == 1).mean())
    assert row["bits"] == pytest.approx(-np.log2(shares[targets]).mean(), rel=1e-6)
    assert row["baseline_bits"] == pytest.approx(task.baseline / np.log(2))
    assert (row["chance"], row["data"], row["steps"]) == (0.25, "text.txt", 10)


def test_answers_of_pixels_are_those_at_the_last_step():
    task = Pixels(64, 1, 0)
    network, parameters, shares = constant(task, 3)
    (row,) = measure_classes(network, parameters, task, **SIZES).to_dict("records")
    labels = task.generate("diagnostic", 5).targets[:, -1]
    of_training = task.generate("training", 20).targets[:, -1]
    assert row["accuracy"] == (labels == 3).mean()
    assert row["majority"] == (labels == pd.Series(of_training).value_counts(sort=True).index[0]).mean()
    assert row["bits"] == pytest.approx(-np.log2(shares[labels]).mean(), rel=1e-6)
    assert (row["baseline_bits"], row["data"]) == (pytest.approx(np.log2(10)), "digits")


def test_data_that_are_called_embedded_are():
    assert set(LIBRARY_DATA.values()) <= set(BUILT_IN)


def test_what_is_shown_ends_with_the_first_chunk(text):
    sequences = Characters(10, 1, 0, **text).generate("diagnostic", 2)
    assert first_segment(sequences, 0).inputs.shape[1] == 10
    assert (first_segment(sequences, 4).inputs == sequences.inputs[:, :4]).all()
    network = Network.for_task({"cell": "rel_rnn"}, Characters(10, 1, 0, **text), 4, True)
    settings = {"task": {"training_sequences": 5}, "training": {"truncation": 4}}
    options = {"transfer": [], "sequences": 3, "norm_sequences": 20, "screening": {"sizes": [1, 2], "other": 1}}
    tables = measure(network, network.initial_parameters(1, 0), Characters(10, 1, 0, **text), settings, **options)
    assert set(tables["attention"]["step"]) == set(tables["arriving"]["back"] + 1) == {1, 2, 3, 4}
    assert tables["screened"].empty


def answers(data, **accuracies):
    return pd.DataFrame(
        {
            "experiment": experiment,
            "architecture": name,
            "seed": seed,
            "accuracy": share,
            "bits": 4 * (1 - share),
            "baseline_bits": 3.3,
            "majority": 0.1,
            "chance": 0.1,
            "data": data[experiment],
            "steps": 64,
        }
        for name, shares in accuracies.items()
        for seed, share in enumerate(shares)
        for experiment in LIBRARY_DATA
    )


def weights(experiment, name, states):
    """The last steps attend to so many states equally."""
    rows = [(step, step - place) for step in range(50, 54) for place in range(states)]
    table = pd.DataFrame(rows, columns=["step", "attended"]).assign(weight=1 / states)
    return table.assign(experiment=experiment, architecture=name, seed=0)


NO_WEIGHTS = weights("pixels", "rel_rnn", 1).iloc[:0].astype(object)
ATTENTION = pd.concat([weights("pixels", "rel_rnn", 20), weights("copy_100", BUFFER_ALONE, 2)])
ANSWERS = answers(LIBRARY_DATA, rnn=[0.6, 0.8, 0.7], lstm=[0.5], rel_rnn=[0.4])
NO_ANSWERS = ANSWERS.iloc[:0]


def tables_of(rows=ANSWERS, attention=ATTENTION, shares=(1.0, 0.3)):
    speeds = pd.DataFrame({"experiment": "copy_100", "architecture": ["rel_rnn", BUFFER_ALONE], "accuracy": shares})
    states = attention[["architecture", "experiment"]].drop_duplicates().assign(measured=[20.0, 2.0][: len(attention)])
    states = states.assign(low=states["measured"], high=states["measured"])
    return tabulate({"answers": rows}) | {"attention": attention, "attended": states, "learning_speed": speeds}


def test_tables_have_medians_beside_the_paper():
    tables = tables_of()
    pixels = tables["pixels"].set_index("architecture")
    assert list(pixels.index) == list(OF_DENSE_TASKS)
    assert pixels.loc["rnn", ["accuracy", "lowest", "highest", "seeds", "paper_accuracy"]].tolist() == pytest.approx(
        [0.7, 0.6, 0.8, 3, 0.904]
    )
    assert np.isnan(pixels.loc["sab", "accuracy"]) and pixels.loc["sab", "seeds"] == 0
    characters = tables["characters"].set_index("architecture")
    assert characters.loc["rnn", ["bits", "paper_bits"]].tolist() == pytest.approx([1.2, 1.56])
    renamed_pixels = tabulate({"answers": ANSWERS.replace({"architecture": {"lstm": "mine"}})})["pixels"]
    assert renamed_pixels["architecture"].iloc[-1] == "mine"


@pytest.mark.parametrize(
    ("name", "has_networks"),
    [
        ("pixels", True),
        ("characters", True),
        ("attention_pixels", True),
        ("attention_characters", False),
        ("attention_short_term", True),
        ("attention_maps", True),
    ],
)
def test_figures_render_with_and_without_networks(name, has_networks, tmp_path):
    style = Style(list(LABELS), dict.fromkeys(LABELS, "#0173b2"), LABELS, width_mm=175, font_size=7)
    curve = pd.DataFrame({"epoch": [0, 1, 2], "validation_loss": [2.0, 1.5, 1], "validation_accuracy": [0.1, 0.3, 0.6]})
    curves = pd.concat(
        [curve.assign(experiment=task, architecture=who, seed=0) for task in LIBRARY_DATA for who in ("rnn", "lstm")]
    )
    for rows, attention, curve, has_panels in (
        (ANSWERS, ATTENTION, curves, has_networks),
        (NO_ANSWERS, NO_WEIGHTS, curves.iloc[:0], False),
    ):
        tables = tables_of(rows, attention) | {"curve": curve}
        figure = draw_of(name)(tables, style)
        write_figure(figure, tmp_path / "figure.png")
        assert figure.get_suptitle()
        assert any(text.get_text().startswith("No ") for ax in figure.axes for text in ax.texts) == (not has_panels)


def test_experiments_without_a_delay_are_none_of_copying():
    assert of_copying(ATTENTION)["task"].unique().tolist() == ["copy"]
