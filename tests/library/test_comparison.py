"""Several models side by side: the numbers of each, and a figure that shows them."""

from inspect import unwrap
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
import torch

from learnability import compare, measure_module
from learnability.core.errors import InputError
from learnability.measurement.step import OWN_GRADIENT
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions

FAST = Reading(OWN_GRADIENT.statistic, detection=DetectionOptions(draws=100))
MATCHED_READING = Reading(
    StatisticOptions(probe="own_gradient", directions=1, noise="matched"), detection=DetectionOptions(draws=100)
)


@pytest.fixture(scope="module")
def models():
    torch.manual_seed(0)
    inputs = torch.randn(30, 10, 2)
    targets = inputs.cumsum(1).sum(2)
    kinds = {"GRU": torch.nn.GRU, "LSTM": torch.nn.LSTM}
    return {
        name: measure_module(kind(2, 1, batch_first=True), inputs[:count], targets[:count], lags=lags, reading=FAST)
        for (name, kind), count, lags in zip(kinds.items(), (30, 24), ([1, 2, 4, 8], [1, 3]), strict=True)
    }


@pytest.fixture(scope="module")
def blind_model(models):
    measurement = models["GRU"]
    return measurement._replace(sample_complexity=measurement.sample_complexity.assign(log_sample_complexity=np.inf))


def curve(ax, name, points):
    (match,) = (line for line in ax.lines if line.get_label() == name and len(line.get_xdata()) == points)
    return match


def test_the_table_has_the_window_and_the_limit_of_each(models):
    table = compare(models).table
    assert table["model"].tolist() == ["GRU", "LSTM"]
    for row in table.to_dict("records"):
        expected = models[row["model"]].limits().set_index("noise").loc["total"]
        assert {name: row[name] for name in expected.index} == expected.to_dict()
    assert table.drop(columns="model").equals(compare(list(models.values())).table.drop(columns="model"))
    assert compare(list(models.values())).table["model"].tolist() == ["model 1", "model 2"]
    assert "GRU" in compare(models)._repr_html_()
    header, *rows = repr(compare(models)).splitlines()
    assert header.split() == table.columns.tolist()
    assert len(rows) == 2 and all(row.endswith(str(limit)) for row, limit in zip(rows, table["limit"], strict=True))


def test_the_figure_shows_the_numbers_of_each_and_leaves_settings_alone(models):
    before = dict(mpl.rcParams)
    figure = compare(models).figure
    assert dict(mpl.rcParams) == before
    complexity, transport = figure.axes
    for name, measurement in models.items():
        table = measurement.to_dataframe()
        rows = table[(table["transport"] == "exact") & (table["noise"] == "total")]
        samples = rows["sample_complexity"].where(np.isfinite(rows["sample_complexity"]))
        np.testing.assert_array_equal(curve(complexity, name, len(rows)).get_ydata(), samples)
        np.testing.assert_array_equal(curve(transport, name, len(rows)).get_ydata(), rows["exact"])


def test_the_figure_is_landscape_with_names_at_the_ends_of_curves(models):
    figure = compare(models).figure
    width, height = figure.get_size_inches()
    assert 4 / 3 <= width / height <= 16 / 9
    assert not figure.legends and not any(ax.get_legend() for ax in figure.axes)
    for ax, names in zip(figure.axes, ({"GRU", "LSTM", "N = 24", "N = 30"}, {"GRU", "LSTM"}), strict=True):
        assert {text.get_text() for text in ax.texts} == names
        boxes = [text.get_window_extent() for text in ax.texts]
        assert not any(box.overlaps(earlier_box) for place, box in enumerate(boxes) for earlier_box in boxes[:place])
        assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in boxes)


def test_long_names_are_in_a_legend_and_leave_the_panels_their_width(models):
    long = {"LSTM with forget-gate bias of 3": models["GRU"], "plain RNN, tanh activation": models["LSTM"]}
    figure, short = compare(long).figure, compare(models).figure
    (key,) = figure.legends
    assert {text.get_text() for text in key.get_texts()} == set(long)
    assert {text.get_text() for text in figure.axes[0].texts} == {"N = 24", "N = 30"}
    box = key.get_window_extent()
    assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
    for ax, short_ax in zip(figure.axes, short.axes, strict=True):
        assert ax.get_window_extent().width >= short_ax.get_window_extent().width
        assert not box.overlaps(ax.get_window_extent())


def test_names_of_lags_do_not_run_together(models):
    inputs = torch.randn(24, 70, 2)
    lags = [1, 2, 4, 57, 59, 61, 63, 64]
    measurement = measure_module(torch.nn.GRU(2, 1, batch_first=True), inputs, inputs.sum(2), reading=FAST, lags=lags)
    for ax in compare({"one": measurement}).figure.axes:
        assert ax.get_xticks().tolist() == lags
        labels = [label for label in ax.get_xticklabels() if label.get_text()]
        assert [label.get_text() for label in labels][:4] == ["1", "2", "4", "57"] and len(labels) < len(lags)
        boxes = [label.get_window_extent() for label in labels]
        assert all(box.x1 < next_box.x0 for box, next_box in pairwise(boxes))


def test_what_no_n_detects_is_marked_at_the_edge(models, blind_model):
    complexity = compare(models | {"never": blind_model}).figure.axes[0]
    marks = [line for line in complexity.lines if line.get_marker() == "$∞$" and line.get_label() == "never"]
    assert np.round([float(x) for line in marks for x in line.get_xdata()]).tolist() == [1, 2, 4, 8]
    assert all(0.8 < line.get_ydata()[0] < 1 for line in marks)


def test_windows_are_in_a_noise_that_all_models_have(models):
    inputs = torch.randn(24, 6, 2)
    own_measurement = measure_module(
        torch.nn.GRU(2, 1, batch_first=True), inputs, inputs.sum(2), reading=MATCHED_READING
    )
    comparison = compare(models | {"own": own_measurement})
    expected = [
        measurement.limits().set_index("noise")["window"]["matched"]
        for measurement in (*models.values(), own_measurement)
    ]
    assert comparison.table["window"].tolist() == expected
    assert comparison.figure.axes[0].get_title("left").startswith("(a) noise of the lag's own part")


def test_the_title_says_which_window_is_longest_where_intervals_are_apart(models, blind_model):
    """No window is longest where no N detects a lag."""
    assert compare({"GRU": models["GRU"]}).figure.get_suptitle() == "Window of GRU"
    windows = blind_model.window.assign(horizon=0, horizon_low=0, horizon_high=0)
    no_window = blind_model._replace(window=windows)
    assert compare([no_window, no_window]).figure.get_suptitle() == "No model detects any of the measured lags"
    long = blind_model._replace(window=windows.assign(horizon=8, horizon_low=4, horizon_high=8))
    assert compare({"long": long, "none": no_window}).figure.get_suptitle() == "long has the longest window"
    assert compare([long, long]).figure.get_suptitle() == "The intervals of the longest windows overlap"


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        (lambda models: {}, r"'measured' must be 1 to 6 models\. Got 0\."),
        (lambda models: [models["GRU"]] * 7, r"'measured' must be 1 to 6 models\. Got 7\."),
        (lambda models: models["GRU"], "'measured' must be a dict or a list of what measure_model returned"),
        (lambda models: {"GRU": 3}, r"'measured\['GRU'\]' must be what measure_model returned\. Got 'int'"),
        (lambda models: {3: models["GRU"]}, "'measured' must be a dict by names, which are texts"),
    ],
    ids=["none", "seven", "one", "number", "name"],
)
def test_what_cannot_be_compared_is_refused(models, choose, message):
    with pytest.raises(InputError, match=message):
        unwrap(compare)(choose(models))  # the checks of types in tests would refuse some first
