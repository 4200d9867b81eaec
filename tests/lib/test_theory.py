"""What the appendices state, against slow and obvious computations; and every entry of docs/errata.md."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import integrate, stats

from learnability.cells import CELLS
from learnability.detection import exact_log_need, sample_need
from learnability.errors import InputError
from learnability.network import Network
from learnability.readings import DetectionOptions
from learnability.stable import density, fit_stable, location_information, log_densities
from learnability.stable.draws import draw
from learnability.stable.recovery import REFERENCES
from learnability.theory import (
    concentration,
    divergence,
    expansion,
    information,
    inversion,
    jacobians,
    lemmas,
    optimizers,
    residuals,
)
from learnability.theory.need import kappa, log_need
from learnability.theory.random_networks import normal, random_cell, random_trajectory
from learnability.transport import Window
from learnability.weights import read_weights

ROOT = Path(__file__).parents[2]
OPTIONS = DetectionOptions("fano", "mean", "mean", 0, 0.1, 0.1, 100, [25, 100, 400, 1600, 6400])


def generator(seed=0):
    return np.random.default_rng(seed)


# Density everywhere


@pytest.mark.parametrize("alpha", [1.0, 1.1, 1.5, 1.9, 1.99, 2.0])
def test_log_densities_are_logarithms_of_the_density(alpha):
    x = np.linspace(-29.9, 29.9, 301) if alpha < 2 else np.linspace(-8, 8, 101)
    np.testing.assert_allclose(log_densities(x, alpha), np.log(density(x, alpha)), rtol=0, atol=1e-6)


def test_log_densities_beyond_the_quadrature_are_those_of_known_laws():
    x = np.array([31.0, 1e3, 1e9])
    np.testing.assert_allclose(log_densities(x, 1.0), stats.cauchy.logpdf(x), rtol=0, atol=1e-9)
    np.testing.assert_allclose(log_densities(x, 2.0), stats.norm(scale=2**0.5).logpdf(x), rtol=1e-12)


@pytest.mark.parametrize("alpha", [1.1, 1.5, 1.99])
def test_log_densities_join(alpha):
    left, right = log_densities(np.array([30 - 1e-9, 30 + 1e-9]), alpha)
    assert left == pytest.approx(right, abs=1e-6)


@pytest.mark.parametrize("alpha", [0.9, 1.995, 2.1])
def test_log_densities_refuse_other_tail_indices(alpha):
    with pytest.raises(InputError, match="'alpha' must be in"):
        log_densities(np.zeros(1), alpha)


# A


def test_the_derivative_of_a_product_is_that_of_autograd():
    A, B = normal(generator(), 5, 4, 4), normal(generator(1), 5, 4, 4)
    zeroth, first = expansion.first_order(A, B)
    by_autograd = torch.func.jacfwd(lambda e: expansion.product(A + e * B))(torch.zeros((), dtype=torch.float64))
    torch.testing.assert_close(first, by_autograd, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(zeroth, A[4] @ A[3] @ A[2] @ A[1] @ A[0], rtol=1e-12, atol=1e-12)


def test_the_order_of_the_expansion_is_two_for_every_cell():
    orders = expansion.error_by_order(expansion.random_splits(generator()), expansion.EPSILONS.tolist())
    assert set(orders["cell"]) == {kind.__name__ for kind in CELLS.values()}
    np.testing.assert_allclose(orders["order"], 2, atol=0.02)


def test_the_order_sees_a_wrong_derivative():
    splits = expansion.random_splits(generator())
    retention, mixing = splits["DiagGate"]
    reversed_order = expansion.first_order(retention.flip(0), mixing.flip(0))[1]
    errors = [
        float((expansion.product(retention + e * mixing) - expansion.product(retention) - e * reversed_order).norm())
        for e in (1e-4, 1e-3)
    ]
    assert np.log10(errors[1] / errors[0]) == pytest.approx(1, abs=0.1)


def test_eq_50_has_the_factors_in_the_other_order():
    A, B = normal(generator(), 3, 4, 4), normal(generator(1), 3, 4, 4)
    printed = sum(  # earlier factors to the left
        torch.linalg.multi_dot([torch.eye(4).double(), *A[:i], B[i], *A[i + 1 :], torch.eye(4).double()])
        for i in range(3)
    )
    _, first = expansion.first_order(A, B)
    _, first_of_ascending = expansion.first_order(A.flip(0), B.flip(0))
    torch.testing.assert_close(printed, first_of_ascending, rtol=1e-12, atol=1e-12)
    assert (printed - first).norm() > 0.1 * first.norm()


def test_at_epsilon_one_first_order_misses_most_of_the_product():
    lags = expansion.error_by_lag(expansion.random_splits(generator()))
    assert (lags.loc[lags["lag"] == 1, "error"] < 1e-14).all()
    assert (lags.loc[lags["lag"] >= 16, "error"] > 0.85).all()


# B


@pytest.mark.parametrize("name", jacobians.EQUATIONS)
def test_jacobians_are_those_of_autograd(name):
    row = jacobians.jacobian_table(name, 20, generator())
    assert row["largest_error"] < 1e-14
    assert row["largest_entry"] > 0.5
    assert row["gate_rank"] == {"const_gate": 0, "shared_gate": 1, "diag_gate": 16}[name]


def test_other_cells_are_none_of_appendix_b():
    with pytest.raises(InputError, match="'name' must be one of diag_gate"):
        jacobians.jacobian_table("lstm", 20, generator())


# C


def test_means_of_stable_laws_concentrate_as_the_tail_says():
    laws = concentration.stable_laws([1.3, 1.7, 2.0])
    table = concentration.concentration_table(laws, [1, 16, 256], 4000, generator())
    np.testing.assert_allclose(table["slope"], table["predicted"], atol=0.02)
    np.testing.assert_allclose(table["predicted"], 1 / table["alpha"] - 1)


def test_the_width_is_that_of_the_scaled_law():
    widths = concentration.width_of_means(
        concentration.stable_laws([1.5])["stable, α = 1.5"].sampler, [1, 64], 20_000, generator()
    )
    one = np.subtract(*np.quantile(draw(1.5, 200_000, generator(1)), [0.75, 0.25]))
    np.testing.assert_allclose(widths["width"], [one, one * 64 ** (1 / 1.5 - 1)], rtol=0.03)


def test_the_tail_index_of_single_draws_is_not_the_rate_of_their_mean():
    law = concentration.OTHERS["product of two normals"]
    table = concentration.concentration_table({"product": law}, [1, 64, 256, 1024], 4000, generator()).iloc[0]
    assert table["by_estimate"] == pytest.approx(-0.18, abs=0.03)
    assert table["last_slope"] == pytest.approx(-0.5, abs=0.02)
    alpha = float(fit_stable(REFERENCES["product of two normals"](20_000, generator(1))).alpha)
    assert alpha == pytest.approx(1.22, abs=0.03)


# D


@pytest.mark.parametrize(("alpha", "h"), [(1.0, 0.5), (1.0, 7.0), (1.0, 60.0)])
def test_kl_of_cauchy_laws_is_known(alpha, h):
    assert divergence.kl_divergence(h, alpha) == pytest.approx(np.log(1 + h**2 / 4), rel=1e-7)


@pytest.mark.parametrize("h", [0.1, 3.0, 40.0])
def test_kl_of_normal_laws_is_known(h):
    assert divergence.kl_divergence(h, 2.0) == pytest.approx(h**2 / 4, rel=1e-10)


@pytest.mark.parametrize(("alpha", "h"), [(1.2, 1.0), (1.5, 10.0), (1.9, 4.0)])
def test_kl_by_adaptive_quadrature(alpha, h):
    def integrand(x):
        here, there = log_densities(np.array([x, x - h]), alpha)
        return np.exp(here) * (here - there)

    pieces = [-np.inf, -30, 0, h / 2, h, 30 + h, np.inf]
    slow = sum(integrate.quad(integrand, a, b, limit=200)[0] for a, b in pairwise(pieces))
    assert divergence.kl_divergence(h, alpha) == pytest.approx(slow, rel=1e-6)


@pytest.mark.parametrize(
    ("alpha", "h", "ratio"),
    [(1.1, 1, 0.920), (1.1, 5, 0.365), (1.1, 10, 0.152), (1.5, 1, 0.966), (1.5, 5, 0.519), (1.5, 10, 0.221)],
)
def test_the_lower_bound_of_the_divergence_fails(alpha, h, ratio):
    bound = location_information(alpha) / 2 * h**2
    assert divergence.kl_divergence(h, alpha) / bound == pytest.approx(ratio, abs=5e-4)


def test_the_divergence_is_below_the_bound_at_every_separation():
    table = divergence.divergence_table([1.1, 1.5, 1.9], [0.2, 0.5, 1, 3, 10, 100])
    assert (table["ratio"] < 1).all()
    assert (divergence.divergence_table([1.1, 1.5, 1.9], [0.02])["ratio"] > 0.9999).all()


@pytest.mark.parametrize("alpha", [1.1, 1.5, 1.9])
def test_the_divergence_grows_as_a_logarithm(alpha):
    growth = divergence.kl_divergence(1e4, alpha) - divergence.kl_divergence(1e3, alpha)
    assert growth == pytest.approx((1 + alpha) * np.log(10), rel=1e-3)


def test_the_divergence_at_a_fixed_separation_is_the_same_at_every_n():
    alpha, h, u = 1.5, 5.0, np.linspace(-14, 14, 40_001)
    for size in (10, 100_000):
        s = size ** (1 / alpha - 1)
        y = s * np.sinh(u)
        here, there = log_densities(y / s, alpha) - np.log(s), log_densities((y - s * h) / s, alpha) - np.log(s)
        found = integrate.simpson(np.exp(here) * (here - there) * s * np.cosh(u), x=u)
        assert found == pytest.approx(2.7786, abs=1e-4)
        assert location_information(alpha) / 2 * h**2 == pytest.approx(5.351, abs=1e-3)  # Eq. 61


def test_separations_must_be_positive():
    with pytest.raises(InputError, match="'h' must be positive"):
        divergence.kl_divergence(0.0, 1.5)


# E


@pytest.mark.parametrize(("alpha", "h"), [(1.0, 2.0), (1.5, 1.0), (1.5, 30.0), (2.0, 4.0)])
def test_mutual_information_by_the_sum_of_two_divergences(alpha, h):
    def integrand(x):
        one, other = log_densities(np.array([x - h / 2, x + h / 2]), alpha)
        mixture = np.logaddexp(one, other) - np.log(2)
        return (np.exp(one) * (one - mixture) + np.exp(other) * (other - mixture)) / 2

    edges = [-1e5, -1e3, -30 - h, -h / 2, 0, h / 2, 30 + h, 1e3, 1e5]
    slow = sum(integrate.quad(integrand, a, b, limit=200)[0] for a, b in pairwise(edges))
    assert information.mutual_information(h, alpha) == pytest.approx(slow, rel=2e-5)


@pytest.mark.parametrize(("h", "error"), [(1, 0.361), (2, 0.244), (5, 0.072), (10, 0.0207)])
def test_the_least_error_is_known_and_drawn(h, error):
    assert information.bayes_error(h, 1.5) == pytest.approx(error, abs=5e-4)
    drawn = draw(1.5, 100_000, generator()) + h / 2
    assert (drawn < 0).mean() == pytest.approx(error, abs=0.004)


def test_the_least_error_is_the_overlap_of_both_laws():
    x, h = np.linspace(-29, 29, 20_001), 3.0
    overlap = np.minimum(density(x - h / 2 * (x > -28), 1.7), density(np.clip(x + h / 2, -30, 30), 1.7))
    assert information.bayes_error(h, 1.7) == pytest.approx(integrate.simpson(overlap, x=x) / 2, abs=2e-3)


def test_the_mutual_information_is_at_most_a_quarter_of_the_bound():
    table = information.information_table([1.1, 1.5, 1.9, 2.0], [0.02, 0.1, 1, 3, 10])
    assert (table["ratio"] <= 0.25).all()
    np.testing.assert_allclose(table.loc[table["shift"] == 0.02, "ratio"], 0.25, rtol=1e-3)
    assert (table["information"] < np.log(2)).all()


def test_the_papers_fano_bound_exceeds_the_error_of_a_coin():
    table = information.information_table([1.5], [0.1, 1, 2, 5, 10, 50])
    assert (table["paper_error"] > table["bayes_error"]).all()
    assert table["paper_error"].iloc[0] > 0.99
    assert (table["fano_error"] <= table["bayes_error"]).all()


def test_a_level_that_eq_36_asks_for_exceeds_all_information_there_is():
    assert np.log(1 / (2 * 0.1)) == pytest.approx(1.609, abs=1e-3) and np.log(1 / (2 * 0.1)) > np.log(2)
    needed = float(np.log(2) - stats.entropy([0.1, 0.9]))
    assert needed == pytest.approx(0.368, abs=1e-3)
    assert information.fano_error(needed) == pytest.approx(0.1, abs=1e-12)
    assert information.fano_error(0.0) == 0.5


def test_information_beyond_one_bit_is_refused():
    with pytest.raises(InputError, match="'information' must be in"):
        information.fano_error(0.7)


@pytest.mark.parametrize(("alpha", "error"), [(2.0, 0.1848), (1.5, 0.1780)])
def test_the_mean_of_as_many_draws_as_eq_36_says_errs_more(alpha, error):
    size = information.paper_need(0.2, alpha, 0.1)
    reached = information.bayes_error(0.2 * size ** (1 / kappa(alpha)), alpha)
    assert reached == pytest.approx(error, abs=1e-4)
    # Solving Eq. 35 with the quarter that the information has of its bound takes 2^κ times as many.
    quarter = information.location_information(alpha) / 8
    level = (0.2 * (2 ** kappa(alpha) * size) ** (1 - 1 / alpha)) ** 2 * quarter
    assert level == pytest.approx(np.log(5), rel=1e-9)


DETECTORS = {
    "mean": lambda x: x.mean(1),
    "median": lambda x: np.median(x, 1),
    "clipped mean": lambda x: np.clip(x, -information.CLIP, information.CLIP).mean(1),
}


@pytest.mark.parametrize("rule", DETECTORS)
@pytest.mark.parametrize("error", [0.2, 0.05])
def test_needs_by_drawing(rule, error):
    signal = 0.5
    size = round(information.RULES[rule](signal, 1.5, error))
    size += 1 - size % 2
    repetitions, wrong = 4000, 0
    source = generator(size)
    for _ in range(10):
        wrong += (DETECTORS[rule](draw(1.5, (repetitions // 10, size), source) + signal / 2) < 0).sum()
    assert wrong / repetitions == pytest.approx(error, abs=4 * (error / repetitions) ** 0.5)


def test_the_need_of_the_mean_is_that_of_the_criterion():
    (log_size,) = exact_log_need(np.array([0.2]), np.array([1.5]), np.ones(1), 0.1)
    assert information.mean_need(0.2, 1.5, 0.1) == pytest.approx(np.exp(log_size), rel=1e-5)


@pytest.mark.parametrize("alpha", [1.3, 1.5, 1.8])
def test_the_need_of_the_mean_grows_as_a_power_of_the_error(alpha):
    needs = [information.mean_need(0.2, alpha, error) for error in (1e-5, 1e-6)]
    assert np.log10(needs[1] / needs[0]) == pytest.approx(1 / (alpha - 1), rel=0.01)
    printed = [information.paper_need(0.2, alpha, error) for error in (1e-5, 1e-6)]
    assert printed[1] / printed[0] < 2


def test_other_detectors_need_the_inverse_square_of_the_signal():
    table = information.need_table([0.1, 0.05], [0.1], 1.5).set_index(["rule", "signal"])["need"].unstack()
    slopes = np.log2(table[0.05] / table[0.1])
    assert slopes["mean"] == pytest.approx(3, abs=1e-6) and slopes["Eq. 36"] == pytest.approx(3, abs=1e-6)
    assert table.loc[["median", "clipped mean", "mean"], 0.1].round().tolist() == [1989, 1667, 70084]
    assert slopes["median"] == pytest.approx(2, abs=0.01) and slopes["clipped mean"] == pytest.approx(2, abs=0.01)


def test_signals_that_few_clipped_draws_show_are_refused():
    with pytest.raises(InputError, match="'signal' must be so weak"):
        information.clipped_mean_need(3.0, 1.5, 0.1)


# F


@pytest.mark.parametrize("name", CELLS)
def test_shares_by_counting(name):
    cell, parameters = random_cell(name, generator(3))
    states, inputs = random_trajectory(cell, parameters, 2, 20, generator(4))
    table = lemmas.monotonicity(cell, parameters, states, inputs, largest_lag=5)
    rates, zeroth = [], []
    for lag in range(1, 7):
        ends = [t for t in range(6, 21)]
        split = cell.linearize(parameters, states, inputs).split()
        rows = []
        for n in range(2):
            for t in ends:
                retention, mixing = (part[n, t - lag : t] for part in split)
                parts = expansion.first_order(retention, mixing)
                rows.append([cell.memory(cell.output(part.T).T).diagonal() for part in parts])
        zeroth.append(torch.stack([row[0] for row in rows]))
        rates.append(torch.stack([row[0] + row[1] for row in rows]))
    for lag in range(1, 6):
        row = table.set_index("lag").loc[lag]
        assert row["negative"] == pytest.approx((rates[lag - 1] < 0).double().mean().item())
        now, then = rates[lag].abs(), rates[lag - 1].abs()
        assert row["unit"] == pytest.approx((now > then).double().mean().item())
        assert row["envelope"] == pytest.approx((now.sum(-1) > then.sum(-1)).double().mean().item())
        assert row["zeroth"] == (zeroth[lag] > zeroth[lag - 1]).double().mean().item() == 0


def test_first_order_rates_rise_where_lemma_5_1_says_they_do_not():
    for retention, mixing in ((0.95, 0.1), (0.9, 0.2), (0.6, 0.1), (0.3, 0.6)):
        for lag in range(1, 40):
            found = lemmas.constant_window(retention, mixing, lag + 1) > lemmas.constant_window(retention, mixing, lag)
            assert found == lemmas.rises(retention, mixing, lag)
    assert lemmas.rises(0.95, 0.1, 1) and not lemmas.rises(0.4, 0.5, 1)
    values = [lemmas.constant_window(0.9, -0.3, lag) for lag in (2, 3, 4)]
    assert values[1] < 1e-12 < values[2]  # through zero and up again


def test_rates_of_random_networks_rise_and_turn_negative():
    cell, parameters = random_cell("diag_gate", generator(1))
    table = lemmas.network_monotonicity(cell, parameters, generator(2))
    assert (table["zeroth"] == 0).all()
    assert table["unit"].mean() > 0.002
    assert table["negative"].iloc[-1] > 0.2


def test_rates_of_a_network_trained_at_the_papers_scale_are_mostly_negative():
    network = Network.build({"cell": "diag_gate", "gate_init": 0.5}, 16, 64, False)
    weights = ROOT / "results/reference/models/diag_gate/adamw/seed0/weights.safetensors"
    table = lemmas.network_monotonicity(network.cell, read_weights(weights), generator())
    assert table["negative"].mean() == pytest.approx(0.80, abs=0.03)
    assert table["unit"].max() == pytest.approx(0.25, abs=0.05)
    assert (table["zeroth"] == 0).all() and (table["envelope"] == 0).all()


def noise_table(alpha=1.6, seed=0, lags=12):
    rng = generator(seed)
    lag = 4 * np.arange(1, lags + 1)
    envelope = 3 * np.exp(-lag / 20.0)
    return pd.DataFrame(
        {
            "lag": lag,
            "mean": envelope * rng.uniform(0.5, 1, lags),
            "signal": envelope * rng.uniform(0.5, 1, lags),
            "alpha": alpha,
            "scale": rng.uniform(1, 2, lags),
            "envelope": envelope,
            "architecture": "diag_gate",
            "seed": seed,
        }
    )


def test_the_sample_need_lies_between_both_bounds_of_lemma_5_2():
    need = sample_need(noise_table(), OPTIONS)
    rows = need[need["criterion"] == "fano"]
    bounds = lemmas.lemma_bounds(rows).iloc[0]
    alignment, exponent = rows["signal"] / rows["envelope"], bounds["kappa"]
    k = (np.log(5) / (location_information(1.6) / 2)) ** (exponent / 2)
    low = k * (rows["scale"].min() / alignment.max()) ** exponent
    high = k * (rows["scale"].max() / alignment.min()) ** exponent
    scaled = np.exp(rows["log_need"]) * rows["envelope"] ** exponent
    assert (low <= scaled).all() and (scaled <= high).all()
    assert bounds["bound_decades"] == pytest.approx(np.log10(high / low))
    assert bounds["need_decades"] == pytest.approx(np.ptp(rows["log_need"]) / np.log(10), rel=1e-5)


def test_a_network_without_a_detectable_lag_has_no_bounds():
    need = sample_need(noise_table().assign(signal=0.0), OPTIONS)
    assert lemmas.lemma_bounds(need[need["chosen"]]).empty


def test_eq_42_needs_the_factor_that_it_leaves_out():
    alpha, size, scale, alignment = 1.5, 1e6, 1.0, 1.0  # c = C: both sides of Eq. 42 agree
    lag = np.arange(1, 2000)
    f = 2 * lag**-0.9
    detectable = lag[log_need(f, alpha, 0.1) <= np.log(size)].max()
    printed = lag[f >= scale / alignment * size ** (-1 / kappa(alpha))].max()
    k = (np.log(5) / (location_information(alpha) / 2)) ** (kappa(alpha) / 2)
    corrected = lag[f >= k ** (1 / kappa(alpha)) * scale / alignment * size ** (-1 / kappa(alpha))].max()
    assert detectable == corrected == 117
    assert printed == 360


# G


@pytest.mark.parametrize("regime", inversion.ENVELOPES)
@pytest.mark.parametrize("alpha", [1.4, 2.0])
def test_inversion_by_trying_every_lag(regime, alpha):
    lag = np.arange(1, 5000)
    need = log_need(inversion.ENVELOPES[regime](lag.astype(float)), alpha, 0.1)
    for size in (1.0, 60.0, 200.0):
        detected = lag[need <= np.log(size)]
        expected = detected.max() if len(detected) else 0
        if expected < lag[-1]:
            assert inversion.invert(regime, size, alpha) == expected


def test_closed_forms_are_within_one_lag_of_inversion():
    table = inversion.inversion_table([1.3, 1.5, 2.0], [1e3, 1e5, 1e7])
    found = table[np.isfinite(table["horizon"]) & (table["horizon"] < 1e12)]
    assert (np.floor(found["closed_form"] * (1 + 1e-12)) == found["horizon"]).all()
    assert len(found) >= 20


def test_growth_laws_of_the_three_regimes():
    sizes, alpha = np.array([1e6, 1e8]), 1.5
    found = {regime: np.array([inversion.invert(regime, n, alpha) for n in sizes]) for regime in inversion.ENVELOPES}
    power = np.log(found["polynomial"][1] / found["polynomial"][0]) / np.log(100)
    assert power == pytest.approx(1 / (kappa(alpha) * inversion.POWER), rel=0.01)
    steps = np.diff(found["exponential"])[0] / np.log(100)
    assert steps == pytest.approx(1 / (kappa(alpha) * np.log(1 / inversion.RATE)), rel=0.01)
    y = inversion.least_envelope(np.array([1e3, 1e5]), alpha)
    inner = np.log(np.log1p(inversion.CLOSED_FORMS["logarithmic"](y)))
    assert np.diff(inner)[0] / np.log(100) == pytest.approx(1 / kappa(alpha), rel=1e-9)


def test_constants_of_a_logarithmic_decay_are_no_factor():
    # Twice the noise divides 1/y by 2: H goes to its square root, not to a multiple.
    alpha, ratios = 1.5, []
    for size in (1e3, 1e4, 1e5):
        y = inversion.least_envelope(np.array([size]), alpha)
        quiet, noisy = (inversion.CLOSED_FORMS["logarithmic"](each)[0] for each in (y, 2 * y))
        ratios.append(quiet / noisy)
        assert np.log1p(quiet) / np.log1p(noisy) == pytest.approx(2, rel=1e-9)
    assert ratios[0] > 10 and ratios[1] > 50 * ratios[0] and ratios[2] > 50 * ratios[1]


def test_regimes_without_a_window_and_without_an_end():
    assert inversion.invert("polynomial", 1.0, 1.3) == 0
    assert inversion.invert("logarithmic", 1e8, 2.0) == np.inf
    with pytest.raises(InputError, match="'regime' must be one of"):
        inversion.invert("linear", 1e3, 1.5)


# H


def test_the_residual_is_a_function_of_the_tail_index_alone():
    need = pd.concat(
        [sample_need(noise_table(1.5 + 0.1 * seed, seed), OPTIONS) for seed in range(5)], ignore_index=True
    )
    found = residuals.residual_table(need)
    expected = residuals.closed_form_residual(found["alpha"].to_numpy(), 0.1)
    np.testing.assert_allclose(found["closed_form"], expected, rtol=0, atol=1e-9)
    rounding = (found["residual"] - found["closed_form"]).dropna()
    assert len(rounding) > 5
    in_grid = found.loc[rounding.index, "need"].to_numpy() > 25
    assert (rounding >= 0).all() and (rounding[in_grid] <= np.log(4) + 1e-9).all()
    c = location_information(1.5) / 2
    assert expected[0] == pytest.approx(1.5 * np.log(np.log(5) / c), rel=1e-5)


def test_the_table_of_residuals():
    need = sample_need(noise_table().assign(signal=lambda t: 0.3 * t["envelope"] ** 0.5), OPTIONS)
    row = residuals.tabulate({"need": need}).iloc[0]
    assert row["slope"] == pytest.approx(0.5, abs=1e-9) and row["r_squared"] == pytest.approx(1)
    assert row["closed_form_range"] == pytest.approx(0, abs=1e-9)
    assert 0 < row["rounding_range"] == pytest.approx(row["residual_range"])


# I


def envelopes(tau=8.0, optimizer="sgd"):
    lag = np.arange(4, 65, 4)
    quantiles = {
        column: factor * np.exp(-lag / tau) for column, factor in zip(optimizers.ENVELOPES, range(1, 7), strict=True)
    }
    return pd.DataFrame({"lag": lag, "optimizer": optimizer, "architecture": "diag_gate", "seed": 0, **quantiles})


def spectrum(scales, optimizer="sgd"):
    return pd.DataFrame(
        {"optimizer": optimizer, "architecture": "diag_gate", "seed": 0, "time_scale": scales, "last_lag": 64.0}
    )


def test_quantile_envelopes_are_fitted_one_by_one():
    table = optimizers.tabulate({"envelope": envelopes(), "spectrum": spectrum([1.0, 8.0, 20.0])})
    assert table["envelope"].tolist() == list(optimizers.ENVELOPES.values())
    np.testing.assert_allclose(table["time_scale"], 8)
    np.testing.assert_allclose(table["exponential_r_squared"], 1)
    assert (table["power_r_squared"] < 0.95).all()
    assert table["bounded"].all() and (table["largest"] == 20).all()


@pytest.mark.parametrize(
    ("scales", "bounded"), [([1, 63.0], True), ([1, 65.0], False), ([1, np.inf], False), ([1, -5], False)]
)
def test_a_spectrum_is_bounded_if_the_grid_sees_its_end(scales, bounded):
    row = optimizers.spectrum_bounds(spectrum(scales)).iloc[0]
    assert row["bounded"] == bounded
    assert row["no_decay"] == sum(not (np.isfinite(s) and s > 0) for s in scales)


# Sec. 4, on which the appendices build


def test_the_lstm_reduction_gives_its_output_gate_no_signal():
    cell, parameters = random_cell("lstm", generator())
    states, inputs = random_trajectory(cell, parameters, 1, 6, generator(1))
    w = {name: tensor * name.endswith("_o") for name, tensor in parameters.items()}
    pushed = cell.linearize(parameters, states, inputs).along_parameters(w)
    assert (cell.memory(pushed) == 0).all() and (cell.output(pushed).abs() > 0).any()


def test_eq_26_adds_terms_that_no_gradient_has():
    one = torch.ones(1, 1, dtype=torch.float64)
    assert Window(one, 0 * one, one).rates.item() == 3  # no step crossed: the gradient is 1
    retained = Window(0.5**20 * one, 0 * one, 0.999**20 * one)
    assert retained.rates.item() > 0.98 and retained.strict.item() < 1e-5


# Errata


def test_every_erratum_names_its_test_and_an_appendix():
    text = (ROOT / "docs" / "errata.md").read_text()
    entries = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert len(entries) >= 12
    for entry in entries:
        named = re.findall(r"`(test_\w+)`", entry)
        assert named, entry.splitlines()[0]
        assert all(name in globals() for name in named), named
        assert "snakemake " in entry or "pytest" in entry
