"""Appendix F."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from drawn import OPTIONS, generator, noise_table
from learnability.cells import GATED
from learnability.networks.network import Network
from learnability.networks.weights import read_weights
from learnability.stats.stable import location_information
from learnability.windows.detection import estimate_sample_complexity
from studies.learnability_window.theory import bounds, expansion, lemmas
from studies.learnability_window.theory.random_networks import random_cell, random_trajectory
from studies.learnability_window.theory.sample_complexity import kappa, log_sample_complexity


@pytest.mark.parametrize("name", GATED)
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
            rise = lemmas.constant_window(retention, mixing, lag + 1) > lemmas.constant_window(retention, mixing, lag)
            assert rise == lemmas.rises(retention, mixing, lag)
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
    models = Path(__file__).parents[4] / "results/reference/learnability_window/models"
    weights = models / "diag_gate/adamw/seed0/weights.safetensors"
    table = lemmas.network_monotonicity(network.cell, read_weights(weights), generator())
    assert table["negative"].mean() == pytest.approx(0.80, abs=0.03)
    assert table["unit"].max() == pytest.approx(0.25, abs=0.05)
    assert (table["zeroth"] == 0).all() and (table["envelope"] == 0).all()


def test_rates_of_stored_networks_rise_as_the_errata_say():
    reference = Path(__file__).parents[4] / "results/reference/learnability_window"
    table = pd.read_csv(reference / "theory/monotonicity.csv")
    trained, initial = (table[table["weights"] == weights] for weights in ("trained", "initial"))
    most = trained.groupby("architecture")["unit"].max().round(2)
    assert most["diag_gate"] == 0.28 and most["const_gate_layer_norm"] == most.max() == 0.71
    mean = trained.groupby("architecture")["unit"].mean()
    assert mean["diag_gate"].round(3) == 0.015 and mean["const_gate_layer_norm"].round(2) == 0.24
    random = pd.read_csv(reference / "theory/appendix_f.random.csv").query("gate == 0.5").groupby("cell")["unit"]
    assert (random.mean().round(2) == 0.01).all() and random.max().max().round(2) == 0.12
    half = initial[initial["architecture"].isin(["const_gate", "shared_gate", "diag_gate"])]
    assert half["unit"].mean() == pytest.approx(0.01, abs=0.005)
    rising = trained[trained["envelope"] == 1]
    assert set(trained.loc[trained["envelope"] > 0, "architecture"]) == {"const_gate_layer_norm"}
    assert rising["lag"].tolist() == list(range(11, 25)) and (initial["envelope"] == 0).all()


def test_rates_are_negative_as_the_errata_say():
    reference = Path(__file__).parents[4] / "results/reference/learnability_window"
    random = pd.read_csv(reference / "theory/appendix_f.random.csv").query("gate == 0.5 and lag == 64")
    by_cell = random.groupby("cell")["negative"].mean().round(2)
    assert (by_cell.min(), by_cell.max()) == (0.33, 0.56)
    stored = pd.read_csv(reference / "theory/monotonicity.csv")
    diag = stored.query("architecture == 'diag_gate' and weights == 'trained'")
    by_seed = diag.groupby("seed")["negative"].mean().round(2)
    assert (by_seed.min(), by_seed.max(), diag["lag"].max()) == (0.79, 0.83, 64)
    assert (stored.query("architecture == 'const_gate_slow'")["negative"] == 0).all()


def test_a_negative_rate_rises_for_some_lags_once_it_has_crossed_zero():
    for retention, mixing in ((0.5, 0.1), (0.9, 0.3), (0.8, 0.05)):
        sizes = [abs(lemmas.constant_window(retention, -mixing, lag)) for lag in range(1, 60)]
        crossing, end = retention / mixing, retention / mixing + retention / (1 - retention)
        for lag, (now, then) in enumerate(pairwise(sizes), 1):
            assert (then > now + 1e-15) == (crossing - 1e-9 <= lag < end - 1e-9), (retention, mixing, lag)


def test_the_sample_complexity_lies_between_both_bounds_of_lemma_5_2():
    sample_complexity = estimate_sample_complexity(noise_table(), OPTIONS)
    rows = sample_complexity[sample_complexity["criterion"] == "fano"]
    row = bounds.lemma_bounds(rows).iloc[0]
    alignment, exponent = rows["signal"] / rows["envelope"], row["kappa"]
    k = (np.log(5) / (location_information(1.6) / 2)) ** (exponent / 2)
    low = k * (rows["scale"].min() / alignment.max()) ** exponent
    high = k * (rows["scale"].max() / alignment.min()) ** exponent
    products = np.exp(rows["log_sample_complexity"]) * rows["envelope"] ** exponent
    assert (low <= products).all() and (products <= high).all()
    assert row["bound_decades"] == pytest.approx(np.log10(high / low))
    assert row["sample_complexity_decades"] == pytest.approx(
        np.ptp(rows["log_sample_complexity"]) / np.log(10), rel=1e-5
    )


def test_each_direction_has_bounds_of_its_own():
    rows = estimate_sample_complexity(noise_table(), OPTIONS).query("criterion == 'fano'")
    fainter = rows.assign(direction=1, signal=rows["signal"] / 2, scale=3 * rows["scale"])
    table = bounds.lemma_bounds(pd.concat([rows, fainter])).set_index("direction")
    for name in ("lags", "alignment_range", "scale_range", "bound_decades"):
        assert table.loc[1, name] == pytest.approx(table.loc[0, name]) == bounds.lemma_bounds(rows)[name].item()


def test_a_network_without_a_detectable_lag_has_no_bounds():
    sample_complexity = estimate_sample_complexity(noise_table().assign(signal=0.0), OPTIONS)
    assert bounds.lemma_bounds(sample_complexity[sample_complexity["chosen"]]).empty


def test_eq_42_needs_the_factor_that_it_leaves_out():
    alpha, size, scale, alignment = 1.5, 1e6, 1.0, 1.0  # c = C: both sides of Eq. 42 agree
    lag = np.arange(1, 2000)
    f = 2 * lag**-0.9
    detectable = lag[log_sample_complexity(f, alpha, 0.1) <= np.log(size)].max()
    limit_of_paper = lag[f >= scale / alignment * size ** (-1 / kappa(alpha))].max()
    k = (np.log(5) / (location_information(alpha) / 2)) ** (kappa(alpha) / 2)
    limit = lag[f >= k ** (1 / kappa(alpha)) * scale / alignment * size ** (-1 / kappa(alpha))].max()
    assert detectable == limit == 117
    assert limit_of_paper == 360
