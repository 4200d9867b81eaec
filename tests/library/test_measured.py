import base64
import html
import os
import re
import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image

from learnability import measure_model
from learnability.core.errors import InputError
from learnability.measurement.limits import (
    CUT_OFF,
    DOMINATES,
    NO_LIMIT,
    NO_SIGNAL,
    NO_TARGET,
    RARE,
    VANISHES,
    limit_of,
)
from learnability.measurement.step import OWN_GRADIENT
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions

LAGS = [1, 2, 4]
OWN_READING = replace(OWN_GRADIENT, detection=DetectionOptions(draws=100))
RANDOM = Reading(StatisticOptions(directions=3), detection=DetectionOptions(draws=100))
MATCHED_READING = replace(OWN_READING, statistic=replace(OWN_READING.statistic, noise="matched"))


@pytest.fixture(scope="module")
def measure():
    """A leaky tanh cell that is to sum its inputs."""
    generator = torch.Generator().manual_seed(0)

    def normal(*shape):
        return torch.randn(*shape, dtype=torch.float64, generator=generator)

    inputs, weights, mix = normal(24, 10, 2), {"W": normal(3, 2), "U": normal(3, 3) / 2}, normal(3)
    cache = {}

    def step(p, s, x):
        return 0.5 * s + 0.5 * torch.tanh(x @ p["W"].T + s @ p["U"].T)

    def of(reading):
        if reading not in cache:
            arguments = step, weights, lambda s: s @ mix, inputs, inputs.cumsum(1).sum(2)
            cache[reading] = measure_model(*arguments, state_size=3, lags=LAGS, reading=reading)
        return cache[reading]

    return of


def row_of(table, **wanted):
    rows = table.loc[(table[list(wanted)] == list(wanted.values())).all(axis=1)]
    assert len(rows) == 1
    return rows.iloc[0]


def test_the_table_of_all_has_the_numbers_of_each(measure):
    measurement = measure(OWN_READING)
    table = measurement.to_dataframe()
    assert len(table) == 2 * 2 * len(LAGS)
    for row in table.to_dict("records"):
        kind = {name: row[name] for name in ("transport", "noise", "lag")}
        complexity, law = (
            row_of(measurement.sample_complexity, **kind, criterion="exact"),
            row_of(measurement.noise, **kind),
        )
        for end in ("", "_low", "_high"):
            expected = np.exp(complexity[f"log_sample_complexity{end}"])
            assert row[f"sample_complexity{end}"] == pytest.approx(expected, rel=1e-12)
            assert row[f"noise_scale{end}"] == law[f"noise_scale{end}"]
        assert row["envelope"] == row_of(measurement.envelope, lag=row["lag"])["envelope"]
        exact = row_of(measurement.exact, lag=row["lag"])
        assert (row["exact"], row["first_order"]) == (exact["exact"], exact["first_order"])


def test_of_random_directions_each_has_rows_and_no_noise_scale(measure):
    table = measure(RANDOM).to_dataframe()
    assert len(table) == 2 * 2 * 3 * len(LAGS)
    assert not table.duplicated(["transport", "noise", "direction", "lag"]).any()
    assert "noise_scale" not in table


@pytest.mark.parametrize("reading", [OWN_READING, RANDOM, MATCHED_READING])
def test_the_sentence_is_the_window_at_the_measured_n(measure, reading):
    """N̂(ℓ) ≤ N, from the table of all."""
    measurement = measure(reading)
    table, sentence = measurement.to_dataframe(), measurement.summary()
    assert sentence.startswith("The window of 24 sequences of 10 steps in the noise of the ")
    exact = table[table["transport"] == "exact"].assign(direction=table.get("direction", 0))
    for noise, words in (("total", "whole gradient"), ("matched", "lag's own part")):
        rows = exact[exact["noise"] == noise]
        assert rows.empty == (words not in sentence)
        if len(rows):
            detected_lags = rows["lag"].where(rows["sample_complexity"] <= 24, 0)
            reach = detected_lags.groupby(rows["direction"]).max().median()
            after = sentence.split(words)[1]
            assert re.search(r"is (\S+) steps? \(95 % interval", after)[1] == f"{reach:g}"


def test_the_sentence_begins_with_the_window_to_use(measure):
    """The noise of the whole gradient, with its limit, and the more generous window after it."""
    sentence = measure(OWN_READING).summary()
    places = [sentence.index(words) for words in ("noise of the whole gradient", "limit", "noise of the lag's own")]
    assert places == sorted(places)


@pytest.mark.parametrize("reading", [OWN_READING, RANDOM, MATCHED_READING])
def test_the_figure_shows_the_numbers_and_leaves_settings_alone(measure, reading):
    measurement, before = measure(reading), dict(mpl.rcParams)
    figure = measurement.plot()
    assert dict(mpl.rcParams) == before
    assert all(ax.get_xlabel() and ax.get_ylabel() for ax in figure.axes)
    assert " ".join(figure.get_suptitle().split()) == measurement.summary()
    width, height = figure.get_size_inches()
    assert 4 / 3 <= width / height <= 16 / 9
    (key,) = figure.legends
    assert not any(key.get_window_extent().overlaps(ax.yaxis.label.get_window_extent()) for ax in figure.axes)
    complexity, _, transport = figure.axes
    table = measurement.to_dataframe()
    rows = table[(table["transport"] == "exact") & (table["noise"] == "matched")]
    expected = rows.groupby("lag")["sample_complexity"].median()
    label = "noise of the lag's own part"
    (curve,) = (line for line in complexity.lines if line.get_label() == label and len(line.get_xdata()) == len(LAGS))
    np.testing.assert_array_equal(curve.get_ydata(), expected)
    (curve,) = (line for line in transport.lines if line.get_label() == "exact transport")
    np.testing.assert_array_equal(curve.get_ydata(), measurement.exact["exact"])


def test_where_n_cannot_be_computed_the_figure_says_so(measure):
    measurement = measure(OWN_READING)
    finite = measurement._replace(sample_complexity=measurement.sample_complexity.assign(log_sample_complexity=1.0))
    assert "∞" not in finite.plot().axes[0].get_title(loc="left")
    never = measurement._replace(sample_complexity=measurement.sample_complexity.assign(log_sample_complexity=np.inf))
    complexity = never.plot().axes[0]
    assert "∞: not computable" in complexity.get_title(loc="left")
    edge_lines = [line for line in complexity.lines if line.get_marker() == "$∞$"]
    assert sorted(float(x) for line in edge_lines for x in line.get_xdata()) == sorted(2 * LAGS)


def test_a_notebook_shows_the_sentence_and_each_row(measure):
    markup = measure(OWN_READING)._repr_html_()
    assert measure(OWN_READING).summary() in markup
    assert markup.count("<tr") == 1 + 2 * 2 * len(LAGS)


def test_a_terminal_shows_the_sentence_and_each_row_without_intervals(measure):
    sentence, header, *rows = repr(measure(OWN_READING)).splitlines()
    assert sentence == measure(OWN_READING).summary()
    assert "sample_complexity" in header and "_low" not in header
    assert len(rows) == 2 * 2 * len(LAGS)


@pytest.mark.parametrize("reading", [OWN_READING, RANDOM, MATCHED_READING])
def test_a_report_is_one_file_with_the_sentence_each_row_and_the_figure(measure, reading, tmp_path):
    """Rows that are left out or columns that are exchanged; a figure that only this machine has."""
    measurement = measure(reading)
    noises = len(measurement.limits())
    for ending in ("md", "html"):
        measurement.report(tmp_path / "new" / f"report.{ending}", title="A <leaky> cell")
        text = (tmp_path / "new" / f"report.{ending}").read_text(encoding="utf-8")
        assert measurement.summary() in html.unescape(text)
        assert text.count("A <leaky> cell" if ending == "md" else "A &lt;leaky&gt; cell") == (
            1 if ending == "md" else 2
        )
        (picture,) = re.findall(r"data:image/png;base64,([\w+/=]+)", text)
        with Image.open(BytesIO(base64.b64decode(picture))) as image:
            assert image.format == "PNG"
        assert not re.search(r'(src|href)="(?!data:)', text)
        if ending == "md":
            tables = re.findall(r"(?:^\|.*\n)+", text, re.M)
            limits, lags = ([row.strip("| ").split(" | ") for row in table.splitlines()] for table in tables)
            assert (len(limits), len(lags)) == (2 + noises, 2 + noises * len(LAGS))
            table = measurement.to_dataframe()
            exact = (
                table[table["transport"] == "exact"]
                .drop(columns="transport")
                .groupby(["noise", "lag"], sort=False)
                .median()
            )
            for row, (_, expected) in zip(lags[2:], exact.iterrows(), strict=True):
                size = expected["sample_complexity"]
                assert row[2] == ("∞" if np.isinf(size) else "<1" if size < 1 else f"{size:.3g}")
                assert row[4:] == [f"{expected['exact']:.3g}", f"{expected['first_order']:.3g}"]
            for row, expected in zip(limits[2:], measurement.limits().to_dict("records"), strict=True):
                assert row[2] == f"{expected['window']:.3g}"
                assert row[-1] == expected["limit"]
        else:
            assert text.count("<tr") == 2 + noises * (1 + len(LAGS))


def test_a_report_has_no_part_of_a_sequence(measure, tmp_path):
    measurement = measure(OWN_READING)
    few = measurement._replace(
        sample_complexity=measurement.sample_complexity.assign(log_sample_complexity=np.log(0.085))
    )
    few.report(tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert text.count("| <1 |") == 2 * len(LAGS)
    assert "0.085" not in text


@pytest.mark.parametrize("name", ["report.pdf", "report"])
def test_a_report_of_another_form_is_refused(measure, name, tmp_path):
    with pytest.raises(InputError, match=r"'path' must be a file that ends in \.md or \.html"):
        measure(OWN_READING).report(tmp_path / name)
    assert not list(tmp_path.iterdir())


def modules_after(code):
    command = [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"]
    source = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    return set(subprocess.run(command, env=source, capture_output=True, text=True, check=True).stdout.split())


def test_what_takes_long_is_imported_when_it_is_needed():
    assert not modules_after("import learnability") & {"torch", "pandas", "numpy"}
    modules = modules_after("from learnability import measure_model")
    assert "torch" in modules
    assert "matplotlib" not in modules


def test_the_package_has_no_other_name():
    with pytest.raises(ImportError, match="measure_modell"):
        from learnability import measure_modell  # noqa: F401


def integrate(decay, error, reading=OWN_READING):
    """A linear cell whose predictions miss their targets by a given function of inputs and noise."""
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(200, 12, 2, dtype=torch.float64, generator=generator)
    noise = torch.randn(200, 12, dtype=torch.float64, generator=generator)
    weights = torch.randn(3, 2, dtype=torch.float64, generator=generator)

    def step(p, s, x):
        return decay * s + x @ p["W"].T

    state, predictions = inputs.new_zeros(200, 3), []
    for x in inputs.unbind(1):
        state = step({"W": weights}, state, x)
        predictions.append(state.sum(1))
    targets = torch.stack(predictions, 1) - error(inputs.sum(2), noise)
    arguments = step, {"W": weights}, lambda s: s.sum(1), inputs, targets
    return measure_model(*arguments, state_size=3, lags=LAGS, reading=reading)


@pytest.mark.parametrize(
    ("decay", "error", "lag", "limit"),
    [
        (0.1, lambda x, noise: x.cumsum(1), 1, "the gradient vanishes"),
        (1.0, lambda x, noise: x.cumsum(1) / 2 + 8 * noise, 1, "noise dominates"),
        (1.0, lambda x, noise: x + 4 * x.roll(1, 1), 2, "the mean gradient cannot be told from 0"),
    ],
    ids=["vanishes", "noise", "nothing"],
)
def test_what_limits_a_window_is_named(decay, error, lag, limit):
    """A tenth crosses a step; errors hold more noise than past inputs; errors hold the inputs of two steps alone."""
    measurement = integrate(decay, error)
    total = measurement.limits().set_index("noise").loc["total"]
    assert (total["lag"], total["limit"]) == (lag, limit)
    assert f". The limit at lag {lag} is: {limit}. " in measurement.summary()
    assert ("they detect no measured lag." in measurement.summary()) == (total["window"] == 0)


@pytest.mark.parametrize(
    ("sizes", "norms", "window", "limit"),
    [
        ([50, 5000], [1.0, 0.1], 1, VANISHES),  # 5000 · 0.1² = 50 sequences without the loss
        ([50, 50000], [1.0, 0.1], 1, DOMINATES),  # 500
        ([50, 5000], [1.0, 3.0], 1, DOMINATES),  # a gradient that grows is not lost
        ([50, np.inf], [1.0, 0.1], 1, VANISHES),  # the strongest signal would need 50 / 0.1²
        ([50, np.inf], [1.0, 0.9], 1, NO_SIGNAL),  # 62
        ([50, np.inf], [1.0, 0.0], 1, VANISHES),
        ([np.inf, np.inf], [0.1, 0.01], 0, NO_SIGNAL),
        ([np.inf, 3300], [1.95, 1.0], 0, NO_SIGNAL),  # a gradient that grows is not lost, and no signal is detected
        ([np.inf, 3300], [0.5, 1.0], 0, NO_SIGNAL),  # the strongest signal is not detected without a loss either
        ([50, 60], [1.0, 0.1], 4, NO_LIMIT),
    ],
)
def test_the_limit_follows_from_what_n_would_be_without_the_loss(sizes, norms, window, limit):
    """N = 100 and κ = 2."""
    table = pd.DataFrame({"lag": [1, 4], "kappa": 2.0, "log_sample_complexity": np.log(sizes), "spectral_norm": norms})
    table = table.assign(mean=1.0, spread=1.0, sequences=100, sequences_with_target=100)
    assert limit_of(table, window, 100, "total") == limit
    assert limit_of(table, window, 100, "matched") == {VANISHES: DOMINATES if np.isfinite(sizes[1]) else NO_SIGNAL}.get(
        limit, limit
    )
    assert limit_of(table.assign(kappa=np.inf), window, 100, "total") == (limit if window == 4 else DOMINATES)


@pytest.mark.parametrize(
    ("change", "limit"),
    [
        ({"sequences_with_target": 0}, NO_TARGET),
        ({"sequences_with_target": 19}, RARE),
        ({"sequences_with_target": 20}, DOMINATES),
        ({"sequences_with_target": 40, "spread": 0.0}, RARE),  # of most sequences the gradient is 0
        ({"spread": 0.0, "mean": 0.0}, VANISHES),
        ({"spread": 0.0}, DOMINATES),
    ],
)
@pytest.mark.parametrize("noise", ["total", "matched"])
def test_a_lag_without_targets_or_gradients_is_told_from_noise(change, limit, noise):
    row = {"lag": 4, "kappa": np.inf, "log_sample_complexity": np.inf, "spectral_norm": 1.0}
    row |= {"mean": 1.0, "spread": 1.0, "sequences": 100, "sequences_with_target": 100}
    assert limit_of(pd.DataFrame([row | change]), 0, 100, noise) == limit


def measure_sum(last_target, sequences=200, **options):
    """A linear cell that is to sum its inputs, with targets up to a step."""
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(200, 8, 1, dtype=torch.float64, generator=generator)
    mask = (torch.arange(8) < last_target).expand(200, 8) & (torch.arange(200) < sequences)[:, None]
    arguments = lambda p, s, x: p["w"] * s + x, {"w": torch.tensor([0.9])}, lambda s: s[:, 0], inputs
    options = {"state_size": 1, "lags": [1, 2, 4], "reading": OWN_READING, "mask": mask} | options
    return measure_model(*arguments, -3 * inputs[..., 0].cumsum(1), **options)


def test_of_early_targets_alone_the_summary_says_which_lag_has_none():
    measurement = measure_sum(4, reading=MATCHED_READING)
    assert measurement.limits()[["window", "lag", "limit"]].to_numpy().tolist() == [[2, 4, NO_TARGET]]
    assert f"The limit at lag 4 is: {NO_TARGET}." in measurement.summary()
    assert measurement.noise.groupby("lag")["sequences_with_target"].unique().tolist() == [[200], [200], [0]]


def test_of_a_gradient_that_is_cut_off_the_summary_says_that_it_vanishes():
    """A state that forgets in every third step what it was."""
    assert measure_sum(8, reading=MATCHED_READING).limits()["limit"].tolist() == [NO_LIMIT]
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(200, 8, 1, dtype=torch.float64, generator=generator)

    def step(p, s, x):
        carry = torch.where(s[:, 1:] % 3 == 0, 0 * s[:, :1], s[:, :1])
        return torch.cat([p["w"] * carry + x, s[:, 1:] + 1], 1)

    arguments = step, {"w": torch.tensor([0.9])}, lambda s: s[:, 0], inputs, -3 * inputs[..., 0].cumsum(1)
    cut = measure_model(*arguments, state_size=2, lags=[1, 2, 4], reading=MATCHED_READING).limits()
    assert cut[["window", "lag", "limit"]].to_numpy().tolist() == [[1, 2, VANISHES]]


def cut_every(steps, **options):
    """A linear cell beside a counter, which detaches what it keeps at every so many steps."""
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(40, 9, 1, dtype=torch.float64, generator=generator)

    def step(p, s, x):
        carry = torch.where(s[:, 1:] % steps == 0, s[:, :1].detach(), s[:, :1])
        return torch.cat([p["w"] * carry + x, s[:, 1:] + 1], 1)

    arguments = step, {"w": torch.tensor([0.9])}, lambda s: s[:, 0], inputs, -3 * inputs[..., 0].cumsum(1)
    return measure_model(*arguments, state_size=2, reading=OWN_READING, **options)


def test_lags_that_are_cut_off_are_named_wherever_the_limit_is_judged():
    """A counter crosses every lag, so that transport alone does not show that the gradient is 0."""
    cut = cut_every(3, lags=[1, 4, 6, 8])
    assert cut.limits()["lag"].max() <= 4
    assert cut.exact["exact"].tolist()[1:] == [1, 1, 1]
    assert cut.summary().endswith(f". At lags 4, 6 and 8: {CUT_OFF}.")
    assert CUT_OFF not in cut_every(20, lags=[1, 4, 6]).summary()


def test_a_truncation_at_the_last_step_is_measured():
    """At the last of nine steps no gradient crosses; it crosses at most two others together."""
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(40, 9, 1, dtype=torch.float64, generator=generator)

    def step(p, s, x):
        carry = torch.where(s[:, 1:] % 3 == 2, s[:, :1].detach(), s[:, :1])
        return torch.cat([p["w"] * carry + x, s[:, 1:].detach() + 1], 1)

    arguments = step, {"w": torch.tensor([0.9])}, lambda s: s[:, 0], inputs, -3 * inputs[..., 0].cumsum(1)
    cut = measure_model(*arguments, state_size=2, lags=[1, 2, 3, 4], reading=OWN_READING)
    assert (cut.exact["exact"] > 0).tolist() == [True, True, False, False]
    assert cut.summary().endswith(f"At lags 3 and 4: {CUT_OFF}.")


def test_lags_that_a_mask_cuts_off_are_named_wherever_the_limit_is_judged():
    few_late = (torch.arange(8) < 3).expand(200, 8).clone()
    few_late[:5, 5] = True
    cut = measure_sum(8, mask=few_late, lags=[1, 4, 5, 6, 7])
    assert cut.limits()["lag"].iloc[0] == 1
    assert cut.summary().endswith(f". At lags 6 and 7: {NO_TARGET}. At lags 4 and 5: {RARE}.")
    stated = measure_sum(4, reading=MATCHED_READING).summary()  # the limit at lag 4 says so
    assert stated.count(NO_TARGET) == 1 and "At lag 4:" not in stated


def test_a_mask_that_leaves_few_sequences_is_refused():
    with pytest.raises(InputError, match=r"'mask' must be true at t > 1 in 20 sequences at least. Got 19."):
        measure_sum(8, sequences=19)


@pytest.mark.parametrize("differ", [True, False])
def test_targets_that_are_the_same_in_all_sequences_are_named(differ, caplog):
    mask = torch.arange(8).eq(7).expand(200, 8).clone()
    mask[0, 3] = differ
    targets = torch.arange(8.0).expand(200, 8).clone()
    targets[0, 3:5] = 9
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(200, 8, 1, dtype=torch.float64, generator=generator)
    targets[1, 7] += differ
    arguments = lambda p, s, x: p["w"] * s + x, {"w": torch.tensor([0.5])}, lambda s: s[:, 0], inputs, targets
    measure_model(*arguments, state_size=1, lags=[1], reading=OWN_READING, mask=mask)
    assert ("Targets are the same in all sequences" in caplog.text) == (not differ)
