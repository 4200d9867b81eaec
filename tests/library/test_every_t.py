"""Shipped readings take every t: they measure the gradient of the whole loss, whatever errors do in t."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.func import jvp

from learnability.networks.frozen import Frozen
from learnability.networks.network import run
from learnability.transport import ENGINES
from learnability.windows.draws import statistic_draws
from learnability.windows.readings import Reading
from learnability.windows.request import direction
from learnability.windows.statistic import matched_statistic
from networks import cell_parameters
from paper_scale import CONFIG

READINGS = {name: Reading.of(CONFIG["readings"][name], CONFIG["window"]) for name in CONFIG["report"]}
ROOT_SEED, TIME, SEQUENCES, PERIOD = 3, 65, 60, 8
TORCH = ENGINES["torch"]()


def plain(reading, **options):
    """The statistic of a reading along one direction; other options, to show that they matter."""
    return replace(reading.statistic, directions=1, **options)


@pytest.fixture
def white(network, parameters, normal):
    """Errors that are white in t: targets of nothing but noise."""
    x = normal(SEQUENCES, TIME, 3)
    predictions = network.predict(parameters, run(network.cell, parameters, x)[:, 1:])
    return Frozen(network, parameters, x, predictions - normal(SEQUENCES, TIME))


def slopes_of_the_loss(frozen):
    """dL/dθ · w of each sequence, L the mean of the squared error over all t, straight."""
    theta, w = cell_parameters(frozen.parameters), direction(frozen.network.cell, ROOT_SEED)

    def losses(p):
        states = run(frozen.network.cell, p, frozen.inputs)[:, 1:]
        return (frozen.network.predict(frozen.parameters | p, states) - frozen.targets).square().mean(1)

    return jvp(losses, (theta,), (w,))[1].numpy()


def test_with_white_errors_the_noise_is_that_of_the_gradient_of_the_whole_loss(white):
    options = plain(READINGS["gradient_step"], error_mean="kept", base_rate=False)
    slopes = slopes_of_the_loss(white)

    def total(**changed):
        statistic = matched_statistic(white, [1, 2, 5], 1.0, ROOT_SEED, replace(options, **changed), TORCH)
        return statistic["total"].isel(direction=0).to_numpy()

    np.testing.assert_allclose(total(), slopes, rtol=1e-9, atol=1e-14)
    # White errors: a mean over every eighth t has nearly eight times the variance, so N̂ is as many times too large.
    assert 4 < total(time_stride=8).var() / slopes.var() < 16


@pytest.mark.parametrize("error_mean", ["kept", "removed"])
def test_all_lags_of_the_reading_of_one_gradient_step_add_up_to_that_gradient(white, error_mean):
    white = white.first(8)
    options = plain(READINGS["gradient_step"], error_mean=error_mean, base_rate=False)
    lags = range(1, TIME)

    def sums(**changed):
        statistic = matched_statistic(white, lags, 1.0, ROOT_SEED, replace(options, **changed), TORCH).isel(direction=0)
        return (statistic["statistic"] * statistic["orientation"]).sum("lag").to_numpy(), statistic["total"].to_numpy()

    # Lag 0, the t at which the loss is, is part of the total alone.
    (at_zero,) = TORCH.trace(
        white.network.cell, white.parameters, white.inputs, [direction(white.network.cell, ROOT_SEED)]
    )
    error = 2 * (white.network.predict(white.parameters, at_zero.states[:, 1:]) - white.targets)
    if error_mean == "removed":
        folds = error.tensor_split(options.folds)
        error = torch.cat([fold - (fold.sum(0) - fold) / (len(fold) - 1) for fold in folds])
    slope = (at_zero.projected[0] * white.network.readout_gradient(white.parameters, at_zero.states[:, 1:])).sum(-1)
    now = (error * slope).mean(1).numpy()
    earlier, total = sums()
    np.testing.assert_allclose(earlier + now, total, rtol=1e-8, atol=1e-13)
    earlier, total = sums(time_range="common")
    assert not np.allclose(earlier + now, total, rtol=1e-2)


@pytest.mark.parametrize("name", READINGS)
def test_a_cycle_of_the_error_leaves_no_mean(build, perturbed, normal, name):
    """A bias that swings with period 8 has a mean at each phase, and none over all t."""
    network, time = build("diag_gate"), 4 * TIME
    parameters, x = perturbed(network), normal(SEQUENCES, time, 3)
    predictions = network.predict(parameters, run(network.cell, parameters, x)[:, 1:])
    swing = torch.cos(2 * np.pi * torch.arange(1, time + 1) / PERIOD)
    frozen = Frozen(network, parameters, x, predictions - 0.1 * normal(SEQUENCES, time) - swing)
    options = plain(READINGS[name], orientation="global", sign_estimate="in_sample", error_mean="kept", noise="matched")
    options = replace(options, sign_batch=0)

    def mean(**changed):
        statistic = matched_statistic(frozen, [2, 4], 1.0, ROOT_SEED, replace(options, **changed), TORCH).isel(
            direction=0
        )
        return np.array([draws.mean() for draws in statistic_draws(statistic)])

    one_phase = mean(time_stride=PERIOD)
    assert (mean() < one_phase / 5).all()
