"""Change of log N̂ by each approximation of a measurement, in units of the 95 % interval of log N̂."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from learnability import measure_model
from learnability.core.streams import numpy_generator
from learnability.measurement import tables
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network
from learnability.tasks import DelayedSum
from learnability.transport import NativeEngine
from learnability.windows import bootstrap
from learnability.windows.readings import Reading
from learnability.windows.statistic import matched_statistic
from learnability.windows.windowing import find_window
from paper_scale import CONFIG

WINDOW = CONFIG["window"] | {"draws": 200}
LAGS, ROOT_SEED = [1, 2, 4, 8], 5


@pytest.fixture(scope="module")
def frozen():
    """A network whose gradients show at every lag: an untrained one on a task of these lags."""
    task = DelayedSum(3, 260, LAGS, [0.9, 0.8, 0.7, 0.6], 0.3, root_seed=ROOT_SEED, seed=0)
    x, y = (torch.from_numpy(part) for part in task.generate("diagnostic", 120)[:2])
    network = Network.build({"cell": "diag_gate", "gate_init": 0.4}, 3, hidden_size=8, readout_bias=False)
    return Frozen(network, network.initial_parameters(ROOT_SEED, 0), x, y.double())


def sample_complexities(frozen, name, precision="single", **options):
    """log N̂ and its interval at each lag, by the criterion of a reading along one direction."""
    reading = Reading.of(CONFIG["readings"][name], WINDOW, directions=1, transport="exact", **options)
    reading = replace(reading, detection=replace(reading.detection, criterion="exact", family_wise=0.0))
    statistic = matched_statistic(frozen, LAGS, 1.0, ROOT_SEED, reading.statistic, NativeEngine(precision))
    sample_complexity = find_window(statistic, reading, ROOT_SEED, 0)["sample_complexity"]
    return (
        sample_complexity[sample_complexity["criterion"] == "exact"][
            ["log_sample_complexity", "log_sample_complexity_low", "log_sample_complexity_high", "scale"]
        ]
        .to_numpy()
        .T
    )


def changes(before, after):
    """The largest change of N̂ and of the ends of its interval, in widths of the interval."""
    width = before[2] - before[1]
    assert (width > 0).all() and np.isfinite(width).all()
    return np.abs(after - before)[:3].max(0) / width


@pytest.mark.parametrize("name", ["paper", "published_code", "gradient_step"])
def test_single_precision_changes_nothing(frozen, name):
    assert changes(sample_complexities(frozen, name, "double"), sample_complexities(frozen, name)).max() < 0.01


@pytest.mark.parametrize("name", ["paper", "published_code"])
def test_histograms_of_sequences_change_little(frozen, name, monkeypatch):
    coarse = sample_complexities(frozen, name)
    monkeypatch.setattr(bootstrap, "EXACT", 2**20)  # each value a step of its own
    assert changes(sample_complexities(frozen, name), coarse).max() < 0.05


def test_a_stride_changes_much(frozen):
    """The reason why every t is taken: σ̂ grows, by a third even here, where errors are not white in t."""
    dense, strided_times = (
        sample_complexities(frozen, "gradient_step"),
        sample_complexities(frozen, "gradient_step", time_stride=8),
    )
    assert (strided_times[3] > 1.2 * dense[3]).all()


def test_other_random_numbers_change_little(frozen, monkeypatch):
    """Draws of the bootstrap and of the sign flips, as many as the shipped configuration has."""
    monkeypatch.setitem(WINDOW, "draws", CONFIG["window"]["draws"])
    before = sample_complexities(frozen, "gradient_step")
    monkeypatch.setattr(
        "learnability.windows.windowing.numpy_generator",
        lambda root_seed, *names: numpy_generator(root_seed + 1, *names),
    )
    assert changes(before, sample_complexities(frozen, "gradient_step")).max() < 0.2


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_products_of_64_sequences_are_nearly_the_means_of_200(kind, monkeypatch):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        module, head = getattr(torch.nn, kind)(3, 16, batch_first=True), torch.nn.Linear(16, 1)
        x = torch.randn(200, 32, 3)
    measured = []
    for sequences in (tables.PRODUCT_SEQUENCES, len(x)):
        monkeypatch.setattr(tables, "PRODUCT_SEQUENCES", sequences)
        measured.append(measure_model(module, x, x.cumsum(1).sum(2), readout=head, lags=[1, 4, 16]))
    few, all_of_them = measured
    assert few.summary() == all_of_them.summary()
    for name in ("exact", "first_order", "spectral_norm", "nuclear_norm"):
        np.testing.assert_allclose(few.exact[name], all_of_them.exact[name], rtol=0.1)
        assert not np.array_equal(few.exact[name], all_of_them.exact[name])
