"""Windows and responses at every stored epoch of a training."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from learnability.networks.frozen import Frozen
from learnability.tasks import DelayedSum
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions
from learnability.windows.response import measure_response
from learnability.windows.statistic import matched_statistic
from learnability.windows.through_training import measure_training
from learnability.windows.windowing import find_window

LAGS, ROOT_SEED, SEED = [2, 4, 8], 3, 1
TASK = DelayedSum(3, 30, [4, 9], [0.8, 0.5], 0.3, ROOT_SEED, SEED)
pytestmark = pytest.mark.parametrize("architecture", ["diag_gate"])  # cells are the engine's affair
READING = Reading(StatisticOptions(probe="own_gradient", directions=1), detection=DetectionOptions(draws=100))


@pytest.fixture
def snapshots(network, parameters, perturbed):
    return {0: parameters, 5: perturbed(network)}


@pytest.fixture
def frozen(network, parameters):
    sequences = TASK.generate("diagnostic", 24)
    return Frozen(network, parameters, torch.from_numpy(sequences.inputs), torch.from_numpy(sequences.targets).double())


@pytest.fixture
def tables(frozen, snapshots, engine):
    return measure_training(frozen, snapshots, TASK, READING, LAGS, ROOT_SEED, SEED, engine)


@pytest.mark.parametrize("noise", ["total", "matched"])
def test_each_epoch_is_what_it_is_alone(tables, frozen, snapshots, engine, noise):
    options = replace(READING.statistic, noise=noise)
    for epoch, parameters in snapshots.items():
        statistic = matched_statistic(frozen._replace(parameters=parameters), LAGS, 1.0, ROOT_SEED, options, engine)
        alone = find_window(statistic, replace(READING, statistic=options), ROOT_SEED, SEED)
        expected = alone["sample_complexity"].query("chosen").merge(alone["noise"][["lag", "noise_scale"]], on="lag")
        windows = tables["training_windows"].set_index(["epoch", "control", "noise"])
        rows = windows.loc[(epoch, "none", noise)]
        for name in ("lag", "signal", "alpha", "log_sample_complexity", "log_sample_complexity_high", "noise_scale"):
            np.testing.assert_array_equal(rows[name], expected[name], name)


def test_responses_are_those_of_the_epoch(tables, frozen, snapshots, engine):
    for epoch, parameters in snapshots.items():
        alone, _ = measure_response(frozen._replace(parameters=parameters), TASK, engine)
        rows = tables["training_responses"].set_index("epoch").loc[epoch]
        assert rows["lag"].tolist() == [2, 4, 8, 9]
        np.testing.assert_array_equal(rows["response"], alone["response"][rows["lag"]])


def test_without_a_task_in_the_errors_there_is_less_to_see(tables):
    windows = tables["training_windows"].set_index(["noise", "lag", "control", "epoch"])
    for epoch in (0, 5):
        own_signal, permuted_signal = (
            windows.loc[("total", 4, control, epoch), "signal"] for control in ("none", "permuted_errors")
        )
        assert own_signal > 2 * permuted_signal
