"""The gradient of each lag held against itself, and the lag-resolved gradient noise scale."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.func import jacrev

from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.networks.network import run
from learnability.transport import SequenceGradient
from learnability.windows.own_gradient import along_own_gradients, noise_scales
from learnability.windows.readings import DetectionOptions, Reading, StatisticOptions
from learnability.windows.request import Request, direction
from learnability.windows.sign_flips import critical_value, null_control
from learnability.windows.statistic import matched_statistic, matched_statistics
from learnability.windows.windowing import find_window, measured_window
from networks import cell_parameters

ROOT_SEED, TIME, SEQUENCES = 3, 14, 8
LAGS = [1, 2, 5, 9]
OWN_GRADIENT = StatisticOptions(probe="own_gradient", directions=1)


@pytest.fixture
def frozen(network, perturbed, normal):
    return Frozen(network, perturbed(network), normal(SEQUENCES, TIME, 3), normal(SEQUENCES, TIME))


def errors_of(frozen):
    network, parameters, x, y = frozen[:4]
    return 2 * (network.predict(parameters, run(network.cell, parameters, x)[:, 1:]) - y)


def test_the_parts_are_products_of_jacobians(frozen, engine):
    network, parameters, x, _ = frozen[:4]
    theta, errors, n = cell_parameters(parameters), errors_of(frozen), 3
    states = run(network.cell, parameters, x)[n]
    steps = [jacrev(network.cell.step, 1)(parameters, states[t], x[n, t]) for t in range(TIME)]
    immediate = [jacrev(network.cell.step)(theta, states[t], x[n, t]) for t in range(TIME)]
    rho = network.readout_gradient(parameters, states[1:])
    gradient = list(engine.gradients(*frozen[:3], torch.stack([-errors, errors]), LAGS, "exact"))[n]
    names = list(network.cell.initial_parameters(0, 0))
    for row, lag in enumerate(LAGS):
        expected = {name: torch.zeros_like(p) for name, p in theta.items()}
        for t in range(lag, TIME):  # from 0
            v = errors[n, t] * rho[t]
            for k in range(lag):
                v = v @ steps[t - k]
            for name in theta:
                expected[name] += torch.tensordot(v, immediate[t - lag][name], 1)
        whole = torch.cat([expected[name].flatten() for name in names])
        torch.testing.assert_close(gradient.by_lag[1, row], whole, rtol=1e-5, atol=1e-6 * whole.abs().max().item())


def test_the_whole_is_the_gradient_of_the_loss(frozen, engine):
    network, parameters, x, y = frozen[:4]
    leaves = {name: p.clone().requires_grad_() for name, p in cell_parameters(parameters).items()}
    loss = (network.predict(parameters, run(network.cell, leaves, x)[:, 1:]) - y).square().sum(1)
    errors = torch.stack([errors_of(frozen), 2 * errors_of(frozen)])
    gradients = list(engine.gradients(*frozen[:3], errors, LAGS, "exact"))
    names = list(network.cell.initial_parameters(0, 0))
    for n, gradient in enumerate(gradients):
        expected = dict(
            zip(leaves, torch.autograd.grad(loss[n], list(leaves.values()), retain_graph=True), strict=True)
        )
        whole = torch.cat([expected[name].flatten() for name in names])
        whole = torch.stack([whole, 2 * whole])
        torch.testing.assert_close(gradient.whole, whole, rtol=1e-5, atol=1e-6 * whole.abs().max().item())


@pytest.mark.parametrize("transport", ["first_order", "exact"])
def test_along_a_given_direction_it_is_the_statistic(frozen, engine, transport):
    random = StatisticOptions(transport=transport, directions=1, error_mean="kept")
    expected = matched_statistic(frozen, LAGS, 1.0, ROOT_SEED, random, engine).isel(direction=0)
    w, names = direction(frozen.network.cell, ROOT_SEED), list(frozen.network.cell.initial_parameters(0, 0))
    along = torch.cat([w[name].flatten() for name in names])
    parts = list(engine.gradients(*frozen[:3], errors_of(frozen)[None] / TIME, LAGS, transport))
    statistic = torch.stack([part.by_lag[0] @ along for part in parts], 1).numpy()
    plain = (expected["statistic"] * expected["orientation"]).to_numpy()
    np.testing.assert_allclose(statistic, plain, rtol=1e-4, atol=1e-6 * np.abs(plain).max())
    whole = [(part.whole[0] @ along).item() for part in parts]
    np.testing.assert_allclose(whole, expected["total"], rtol=1e-4, atol=1e-6 * np.abs(expected["total"]).max())
    envelope = torch.stack([part.envelope for part in parts]).mean(0)
    np.testing.assert_allclose(envelope, expected["envelope"], rtol=1e-5)


def test_a_request_comes_with_others_and_is_what_it_is_alone(frozen, engine):
    random, first_order = (
        StatisticOptions(directions=2),
        replace(OWN_GRADIENT, transport="first_order", noise="matched"),
    )
    requests = [Request(options, LAGS) for options in (random, OWN_GRADIENT, first_order)]
    requests = [*requests[:2], requests[1]._replace(shift_errors=True), requests[2]]
    together = list(matched_statistics(frozen, requests, 0.1, ROOT_SEED, engine))
    for request, statistic in zip(requests, together, strict=True):
        (alone,) = matched_statistics(frozen, [request], 0.1, ROOT_SEED, engine)
        assert statistic.identical(alone)
    assert not np.allclose(together[1]["statistic"], together[2]["statistic"])


@pytest.mark.parametrize("kept", [0, 2, 5])
def test_s_is_along_the_mean_of_the_other_half(normal, kept):
    gradients = [SequenceGradient(normal(2, 2, 3), normal(2, 3), normal(2)) for _ in range(5)]
    statistic = along_own_gradients(lambda: iter(gradients), 5, lambda *_: (torch.float64, kept)).isel(error=1)
    for n, gradient in enumerate(gradients):
        other_half = gradients[3:] if n < 3 else gradients[:3]
        mean = torch.stack([part.by_lag[1] for part in other_half]).mean(0)
        w = mean / mean.norm(dim=1, keepdim=True)
        np.testing.assert_allclose(statistic["statistic"][0, :, n], (w * gradient.by_lag[1]).sum(1))
        np.testing.assert_allclose(statistic["total"][0, :, n], w @ gradient.whole[1])


@pytest.mark.parametrize("kept", [0, 2, 5])
def test_the_square_of_a_gradient_is_the_mean_over_all_pairs(normal, kept):
    gradients = [SequenceGradient(normal(2, 3, 4), normal(2, 4), normal(3)) for _ in range(5)]
    statistic = along_own_gradients(lambda: iter(gradients), 5, lambda *_: (torch.float64, kept)).isel(
        error=1, direction=0
    )
    pairs = [
        torch.stack([first.by_lag[1], second.by_lag[1]])
        for first in gradients
        for second in gradients
        if second is not first
    ]
    expected = torch.stack([pair.prod(0).sum(-1) for pair in pairs]).mean(0)
    table = noise_scales(statistic, 10, np.random.default_rng(0))
    np.testing.assert_allclose(table["gradient_square"], expected, rtol=1e-12)
    whole = torch.stack([gradient.whole[1] for gradient in gradients])
    np.testing.assert_allclose(table["total_variance"], whole.var(0).sum(), rtol=1e-12)


class Simulated:
    """Gradients g_{i,ℓ} = G_ℓ + noise over 40 parameters, with a whole whose covariance is known."""

    def __init__(self, signal, sequences=60):
        self.mean = torch.zeros(len(signal), 40, dtype=torch.float64)
        for lag, size in enumerate(signal):
            self.mean[lag, lag] = size
        self.deviations = torch.linspace(0.5, 1.5, 40, dtype=torch.float64)
        self.sequences = sequences

    def parts(self, seed):
        generator = torch.Generator().manual_seed(seed)
        shape = (self.sequences, *self.mean.shape)
        noise = self.deviations * torch.randn(shape, generator=generator, dtype=torch.float64)
        rest = self.deviations * torch.randn(self.sequences, 40, generator=generator, dtype=torch.float64)
        return [
            SequenceGradient(
                (self.mean + sample)[None],
                (self.mean.sum(0) + sample.sum(0) + remainder)[None],
                torch.ones(len(self.mean)).double(),
            )
            for sample, remainder in zip(noise, rest, strict=True)
        ]

    def statistic(self, seed):
        parts = self.parts(seed)
        lags = ("lag", np.arange(1, len(self.mean) + 1))
        return (
            along_own_gradients(lambda: iter(parts), self.sequences, lambda _, count: (torch.float64, count))
            .isel(error=0)
            .assign_coords(lag=lags)
        )

    @property
    def noise_scale(self):
        variance = (1 + len(self.mean)) * self.deviations.square().sum()
        return (variance / self.mean.square().sum(1)).numpy()


def test_the_noise_scale_is_that_of_a_known_law():
    simulation, coverages, squares = Simulated([0.6, 1.0, 2.0], 200), [], []
    for seed in range(60):
        table = noise_scales(simulation.statistic(seed).isel(direction=0), 400, np.random.default_rng(seed))
        coverages.append(
            table["noise_scale_low"].le(simulation.noise_scale) & table["noise_scale_high"].ge(simulation.noise_scale)
        )
        squares.append(table["gradient_square"])
        np.testing.assert_allclose(table["total_variance"], 4 * simulation.deviations.square().sum(), rtol=0.1)
    squares = np.array(squares)
    error = squares.std(0, ddof=1) / np.sqrt(len(squares))
    assert (np.abs(squares.mean(0) - [0.36, 1.0, 4.0]) < 4 * error).all()
    assert (np.mean(coverages, 0) > 0.85).all()


def test_all_pairs_vary_less_than_the_product_of_two_halves():
    """The variance for no signal is 2 Σ_j d_j⁴/(n(n-1)) over pairs, and 4 Σ_j d_j⁴/n² over pairs between halves."""
    simulation, pairs, halves = Simulated([0.0], 40), [], []
    for seed in range(400):
        pairs.append(float(simulation.statistic(seed)["pair_product"].mean()))
        gradients = torch.stack([part.by_lag[0, 0] for part in simulation.parts(seed)])
        halves.append(float(gradients[:20].mean(0) @ gradients[20:].mean(0)))
    expected = 2 * simulation.deviations.pow(4).sum() / (40 * 39)
    assert np.var(pairs) == pytest.approx(float(expected), rel=0.3)
    assert 1.5 < np.var(halves) / np.var(pairs) < 2.6


def test_where_there_is_no_gradient_the_noise_scale_is_infinite_half_of_the_time():
    infinite = [
        np.isinf(
            noise_scales(Simulated([0.0]).statistic(seed).isel(direction=0), 50, np.random.default_rng(0))[
                "noise_scale"
            ]
        )
        for seed in range(80)
    ]
    assert 0.3 < np.mean(infinite) < 0.7


READING = Reading(OWN_GRADIENT, detection=DetectionOptions(draws=400))


@pytest.mark.parametrize(("taken_for_two", "least", "most"), [(False, 0.0, 0.09), (True, 0.15, 0.3)])
def test_means_of_both_halves_are_one_piece_of_evidence(monkeypatch, taken_for_two, least, most):
    """The share of windows that a bound of level 5 % opens where there is no gradient."""
    if taken_for_two:
        monkeypatch.setattr(StatisticOptions, "independent", lambda self, sequences: sequences)
    simulation, positives = Simulated([0.0] * 4), []
    for seed in range(150):
        window = measured_window(simulation.statistic(seed), READING, ROOT_SEED, seed)
        positives.append(window.loc[window["chosen"], "horizon"].max() > 0)
    assert least <= np.mean(positives) < most


def test_sign_flips_find_the_level_too():
    statistic = Simulated([0.0] * 4, 400).statistic(1)
    control = null_control(statistic.isel(direction=0), READING, None, np.random.default_rng(0))
    assert control.loc[control["chosen"], "rate"].max() < 0.09
    assert critical_value(statistic.isel(direction=0), READING, np.random.default_rng(0)) > 1.64


def test_a_strong_gradient_opens_its_lag():
    tables = find_window(Simulated([3.0, 0.0], 400).statistic(0), READING, ROOT_SEED, 0)
    assert tables["window"].loc[tables["window"]["chosen"], "horizon"].tolist()[-1] == 1
    noise = tables["noise"]
    assert noise["noise_scale"][0] < noise["noise_scale_high"][0] < noise["noise_scale"][1]


@pytest.mark.parametrize("option", ["directions", "sampling", "sign_estimate", "gru_rates"])
def test_options_that_it_does_not_go_with_are_refused(option):
    value = {"directions": 8, "sampling": "pooled", "sign_estimate": "in_sample", "gru_rates": "eq26"}[option]
    with pytest.raises(InputError, match=rf"'{option}' must be .* with probe own_gradient"):
        replace(OWN_GRADIENT, **{option: value})
