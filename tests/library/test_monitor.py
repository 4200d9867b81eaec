"""A monitor measures what a training has at the time, and leaves the training as it is."""

import logging
import random
from copy import deepcopy

import matplotlib as mpl
import numpy as np
import pytest
import torch
from torch import nn

from learnability import WindowMonitor, measure_module, monitor
from learnability.core.errors import InputError
from learnability.measurement.step import OWN_GRADIENT
from learnability.windows.readings import DetectionOptions, Reading

FAST = {"reading": Reading(OWN_GRADIENT.statistic, detection=DetectionOptions(draws=100)), "lags": [1, 3]}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells, self.head = nn.GRU(2, 3, num_layers=2, dropout=0.3, batch_first=True), nn.Linear(3, 1)

    def forward(self, x):
        return self.head(self.cells(x)[0])[..., 0]


@pytest.fixture(scope="module")
def sequences():
    inputs = torch.randn(24, 8, 2, generator=torch.Generator().manual_seed(0))
    return inputs, inputs.cumsum(1).sum(2)


def train(sequences, epochs, make_hook):
    """Weights and the next random numbers after a training whose dropout, order and noise are random.

    Args:
        make_hook: gives the function to call after each epoch, from the model.
    """
    torch.manual_seed(1)
    np.random.seed(1)
    random.seed(1)
    inputs, targets = sequences
    model = Model()
    epoch_ended = make_hook(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(epochs):
        for rows in torch.randperm(24).split(8):
            noise = np.random.normal() + random.gauss(0, 1)
            loss = (model(inputs[rows]) - targets[rows] - noise).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        epoch_ended()
    draws = torch.rand(3), torch.tensor(np.random.rand()), torch.tensor(random.random())
    return [*model.state_dict().values(), *(parameter.grad for parameter in model.parameters()), *draws], model.training


def test_a_training_is_the_same_bit_for_bit_with_and_without(sequences):
    monitors = []

    def add_monitor(model):
        monitors.append(WindowMonitor(model.cells, *sequences, readout=model.head, every=2, share=1, **FAST))
        return monitors[0].epoch_ended

    (with_monitor, training), (without, _) = (
        train(sequences, 3, make_hook) for make_hook in (add_monitor, lambda _: lambda: None)
    )
    assert list(monitors[0].measured) == [2] and training
    assert all(torch.equal(tensor, reference) for tensor, reference in zip(with_monitor, without, strict=True))


def test_the_table_has_what_was_measured_of_the_weights_at_the_time(sequences):
    models, monitors = {}, []

    def add_monitor(model):
        monitors.append(WindowMonitor(model.cells, *sequences, readout=model.head, every=1, share=1, **FAST))

        def measure_and_copy():
            monitors[0].epoch_ended()
            models[len(models) + 1] = deepcopy(model)

        return measure_and_copy

    train(sequences, 2, add_monitor)
    table = monitors[0].table()
    assert table[["epoch", "lag"]].to_numpy().tolist() == [[epoch, lag] for epoch in (1, 2) for lag in (1, 3)]
    for epoch, model in models.items():
        expected = measure_module(model.cells, *sequences, readout=model.head, **FAST)
        rows, all_rows = table[table["epoch"] == epoch], expected.to_dataframe()
        exact = all_rows[(all_rows["transport"] == "exact") & (all_rows["noise"] == "total")]
        for name in ("exact", "sample_complexity", "sample_complexity_low", "sample_complexity_high"):
            np.testing.assert_array_equal(rows[name], exact[name])
        limits = expected.limits().iloc[0]
        for name in ("sequences", "window", "window_low", "window_high", "limit"):
            assert rows[name].tolist() == [limits[name]] * 2


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def measured_epochs(monkeypatch, cost, epochs, base=WindowMonitor, hook="epoch_ended", arguments=((), {}), **options):
    """Epochs at which a monitor measures, where an epoch takes 1 s and a measurement `cost`."""
    clock = Clock()

    def measure(**_):
        clock.now += cost

    monkeypatch.setattr(monitor, "measure_model", measure)
    watcher = base(nn.GRU(1, 1), [], [], clock=clock, **options)
    for _ in range(epochs):
        clock.now += 1
        getattr(watcher, hook)(*arguments[0], **arguments[1])
    return list(watcher.measured)


def test_it_measures_every_so_many_epochs(monkeypatch):
    assert measured_epochs(monkeypatch, 0, 11) == [5, 10]
    assert measured_epochs(monkeypatch, 0, 5, every=1) == [1, 2, 3, 4, 5]


def test_it_skips_while_measurements_took_more_than_their_share(monkeypatch):
    """Four seconds at a time: half of the time at t = 8, that is epoch 4, of which 4 s are the measurement's."""
    assert measured_epochs(monkeypatch, 4, 9, every=1, share=0.5) == [1, 4, 8]
    assert measured_epochs(monkeypatch, 4, 9, every=1, share=1) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert measured_epochs(monkeypatch, 4, 9, every=1, share=0) == [1]


def test_each_skip_is_said_with_the_share(monkeypatch, caplog):
    """The measurement of epoch 1 takes 4 s of 6 s at the end of epoch 2, and 4 s of 7 s at the end of epoch 3."""
    with caplog.at_level(logging.WARNING):
        measured_epochs(monkeypatch, 4, 4, every=1, share=0.5)
    assert [record.getMessage() for record in caplog.records] == [
        "Epoch 2 was skipped: measurements took 66.7 % of the time, `share` allows 50 %.",
        "Epoch 3 was skipped: measurements took 57.1 % of the time, `share` allows 50 %.",
    ]


class Callback:
    """The callback of a library, whose hooks do nothing."""

    def on_train_epoch_end(self, trainer, pl_module): ...

    def on_epoch_end(self, args, state, control, **kwargs): ...

    def on_train_begin(self, args, state, control, **kwargs): ...


class Joined(WindowMonitor, Callback): ...


@pytest.mark.parametrize("base", [WindowMonitor, Joined])
@pytest.mark.parametrize(
    ("hook", "arguments"),
    [("on_train_epoch_end", ((None, None), {})), ("on_epoch_end", ((1, 2, 3), {"model": None, "logs": {}}))],
)
def test_hooks_of_libraries_count_epochs(monkeypatch, base, hook, arguments):
    assert measured_epochs(monkeypatch, 0, 4, base, hook, arguments, every=2) == [2, 4]


def test_only_the_first_failure_ends_a_training(sequences, caplog):
    """Weights that are not finite fail; settings that are wrong show at once."""
    gru, head = nn.GRU(2, 1, batch_first=True), nn.Linear(1, 1)
    with pytest.raises(InputError, match="'targets' must be"):
        WindowMonitor(gru, sequences[0], sequences[0], readout=head, every=1).epoch_ended()
    monitor = WindowMonitor(gru, *sequences, readout=head, every=1, share=1, **FAST)
    monitor.epoch_ended()
    nn.init.constant_(gru.weight_hh_l0, torch.nan)
    with caplog.at_level(logging.WARNING):
        monitor.epoch_ended()
    assert list(monitor.measured) == [1]
    assert "Epoch 2 could not be measured: 'weight_hh_l0' must be finite" in caplog.text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"every": 0}, r"'every' must be a positive integer\. Got 0\."),
        ({"every": True}, "'every' must be a positive integer"),
        ({"share": 1.5}, r"'share' must be a number in \[0, 1\]\. Got 1\.5\."),
        ({"readot": None}, r"'options of WindowMonitor' must be among .*'readot' \(did you mean 'readout'\?\)\."),
        ({"evry": 2}, r"Got 'evry' \(did you mean 'every'\?\)\."),
    ],
)
def test_settings_are_checked_at_once(sequences, options, message):
    with pytest.raises(InputError, match=message):
        WindowMonitor(nn.GRU(2, 1), *sequences, **options)


def test_before_a_measurement_there_is_an_empty_table_and_no_figure(sequences):
    monitor = WindowMonitor(nn.GRU(2, 1), *sequences)
    assert monitor.table().empty and "window" in monitor.table()
    with pytest.raises(InputError, match="'plot' must be called after a first measurement"):
        monitor.plot()


def test_the_figure_shows_n_as_colours_and_the_window_as_a_line(sequences):
    monitor = WindowMonitor(nn.GRU(2, 1, batch_first=True), *sequences, every=2, share=1, **FAST)
    for _ in range(4):
        monitor.epoch_ended()
    first = monitor.measured[2]
    unknown = first.sample_complexity.assign(log_sample_complexity=np.inf)
    no_window = first.window.assign(horizon=0, horizon_low=0, horizon_high=0)
    monitor.measured[4] = first._replace(sample_complexity=unknown, window=no_window)
    monitor.measured[2] = first._replace(window=first.window.assign(horizon=1, horizon_low=1, horizon_high=3))
    before = dict(mpl.rcParams)
    figure = monitor.plot()
    assert dict(mpl.rcParams) == before
    ax, key = figure.axes
    sizes = monitor.table().pivot(index="lag", columns="epoch", values="sample_complexity")
    colours = ax.collections[0].get_array().filled(np.inf)
    np.testing.assert_array_equal(colours, sizes)
    assert sum(text.get_text() == "∞" for text in ax.texts) == np.isinf(sizes.to_numpy()).sum() >= 2
    (line,) = (line for line in ax.lines if len(line.get_xdata()) == 2)
    assert (line.get_xdata().tolist(), line.get_ydata().tolist()) == ([2, 4], [1, 0])  # lag 1 of two; none
    assert [label.get_text() for label in ax.get_yticklabels()] == ["1", "3"]
    assert "N = 24" in {text.get_text() for text in key.texts}
    assert figure.get_suptitle().startswith("The window has shrunk")
    assert ax.get_xlabel() == "epoch"
    width, height = figure.get_size_inches()
    assert 4 / 3 <= width / height <= 16 / 9


def test_the_figure_says_how_many_measurements_were_made(sequences):
    monitor = WindowMonitor(nn.GRU(2, 1, batch_first=True), *sequences, every=1, share=0, **FAST)
    for _ in range(3):
        monitor.epoch_ended()
    assert monitor.plot().axes[0].get_xlabel().startswith("epoch (1 of 3 measured")
