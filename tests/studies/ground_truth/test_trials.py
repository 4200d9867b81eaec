"""Trials and candidates on a small network."""

import numpy as np
import pytest
import torch

from learnability.transport import TorchEngine
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions
from studies.ground_truth.candidates import measure_candidates, preconditioned_noise_scales
from studies.ground_truth.trials import Budget, prepare_trials, try_to_learn

CONST_GATE = {"cell": "const_gate", "gate_value": 0.7}
DELAYED_SUM = {
    "name": "delayed_sum",
    "input_size": 2,
    "duration": 24,
    "lags": [2],
    "coefficients": [0.8],
    "noise_sd": 0.1,
    **{f"{kind}_sequences": 40 for kind in ("training", "validation", "diagnostic")},
}
FROZEN, TASK = prepare_trials(CONST_GATE, DELAYED_SUM, {"hidden_size": 8}, False, 40, 1, 0)
ADAMW = {"method": "adamw", "learning_rate": 0.01, "weight_decay": 0.0}
READING = Reading(StatisticOptions(probe="own_gradient", directions=1), detection=DetectionOptions(draws=100))


def trials_and_path(updates):
    budget = Budget(ADAMW, 1.0, updates, 8, "autograd")
    return try_to_learn(FROZEN, TASK, [2, 40], budget, 1, 0, TorchEngine())


def test_more_sequences_and_more_updates_teach_more():
    table, path = trials_and_path(300)
    share = table.set_index(["sample_size", "updates"])["share"]
    assert list(path) == [0, 10, 100, 150, 300]
    assert share[np.inf, 300] > max(0.8, share[2, 300], share[np.inf, 150])
    assert (table["share_low"] < table["share"]).all() and (table["lag"] == 2).all()
    gap = table.set_index(["sample_size", "updates"])["gap"]
    assert gap[2, 300] > 0.1 > gap[40, 300] and gap[np.inf, 300] == 0


def test_trials_are_the_same_twice():
    assert trials_and_path(20)[0].equals(trials_and_path(20)[0])


def test_a_trial_that_diverges_has_learned_nothing():
    budget = Budget(ADAMW | {"learning_rate": 1e30}, 1.0, 20, 8, "autograd")
    table, path = try_to_learn(FROZEN, TASK, [2, 40], budget, 1, 0, TorchEngine())
    assert table["share"].isna().all() and list(path) == [0]


def test_candidates_are_measured_along_the_path():
    _, path = trials_and_path(20)
    random = Reading(StatisticOptions(directions=2), detection=DetectionOptions(draws=100))
    rows = measure_candidates(FROZEN, path, TASK, READING, {"random": random}, [2], 8, 1, 0, TorchEngine())
    counts = rows.groupby("candidate")["updates"].nunique()
    names = "noise_scale", "own_gradient_matched", "own_gradient_total", "preconditioned_noise_scale", "total_variance"
    assert counts.to_dict() == dict.fromkeys((*names, "random"), len(path))
    assert rows["value"].notna().all()


def test_the_preconditioned_noise_scale_of_known_gradients():
    rng = np.random.default_rng(0)
    deviation, lag, rest = rng.uniform(0.5, 2, 30), rng.uniform(0.1, 0.5, 30), rng.uniform(-1, 1, 30)
    noise = rng.standard_normal((4000, 30)) * deviation
    by_lag = torch.from_numpy(np.stack([lag + noise / 2, -lag + noise], 1))
    scales = preconditioned_noise_scales(by_lag, torch.from_numpy(rest + noise), 16)
    square = rest**2 + deviation**2 / 16
    expected = sum(deviation**2 / square) / sum(lag**2 / square)
    np.testing.assert_allclose(scales, expected, rtol=0.1)
    zero_mean = torch.cat([by_lag[:2000], -by_lag[2000:]])  # a mean of zero: pairs of unlike signs outweigh the others
    assert np.isinf(preconditioned_noise_scales(zero_mean, torch.from_numpy(rest + noise), 16)).all()


def test_the_preconditioned_noise_scale_is_of_all_pairs_of_sequences():
    rng = np.random.default_rng(1)
    by_lag, whole, batch = rng.standard_normal((7, 2, 3)) + 0.8, rng.standard_normal((7, 3)), 4
    variance = sum((gradient - whole.mean(0)) ** 2 for gradient in whole) / 6
    square = whole.mean(0) ** 2 + variance / batch
    for lag, scale in enumerate(preconditioned_noise_scales(torch.from_numpy(by_lag), torch.from_numpy(whole), batch)):
        products = [sum(by_lag[i, lag] * by_lag[k, lag] / square) for i in range(7) for k in range(7) if i != k]
        assert scale == pytest.approx(sum(variance / square) / (sum(products) / len(products)))


def test_a_parameter_without_gradient_is_left_out_and_a_square_that_is_not_positive_is_infinite():
    by_lag = torch.tensor([[[1.0, 0.0]], [[3.0, 0.0]]])  # one pair: G² = 3
    whole = torch.tensor([[2.0, 0.0], [4.0, 0.0]])  # mean 3, variance 2, v = 9 + 2/2
    assert preconditioned_noise_scales(by_lag, whole, 2).tolist() == pytest.approx([(2 / 10) / (3 / 10)])
    assert np.isinf(preconditioned_noise_scales(by_lag * torch.tensor([[[1.0]], [[-1.0]]]), whole, 2)).all()
