import numpy as np
import pandas as pd
import pytest
from scipy import stats

from learnability.core.streams import numpy_generator
from learnability.stats.fits import fit_line
from learnability.stats.stable import location_information
from learnability.windows.detection import concentration_exponent, fano_log_sample_complexity
from learnability.windows.windowing import find_window
from studies.learnability_window.simulation import (
    DECAYS,
    LAGS,
    coverage_in_words,
    coverage_page,
    coverage_tables,
    known_numbers,
    lowest_coverage,
    reading,
    recover,
    simulated_statistic,
)

READING = reading(draws=100)


def envelopes():
    lags = np.array(LAGS)
    return {"logarithmic": 1 / np.log1p(lags), "polynomial": lags**-0.5, "exponential": np.exp(-lags / 40)}


def test_the_decays_are_those_of_the_paper():
    for decay in DECAYS:
        f = envelopes()[decay.name]
        np.testing.assert_allclose(decay.signal, f / f[0], rtol=1e-12)


@pytest.mark.parametrize("alpha", [1.5, 2.0])
def test_what_is_known_is_eq_40_and_the_growth_laws_of_sec_5_4(alpha):
    numbers = known_numbers(alpha, READING.detection)
    kappa = float(concentration_exponent(np.array([alpha]))[0])
    rates = {"logarithmic": 1 / kappa, "polynomial": 1 / (kappa * 0.5), "exponential": 40 / kappa}
    for name, f in envelopes().items():
        truths = numbers[numbers["decay"] == name].groupby("quantity")["truth"].apply(list)
        sample_complexity = fano_log_sample_complexity(
            f / f[0], np.full(5, alpha), np.ones(5), np.full(5, location_information(alpha)), 0.1
        )
        np.testing.assert_allclose(truths["log_sample_complexity"], sample_complexity, rtol=1e-5)
        assert truths["growth"] == pytest.approx([rates[name]], rel=1e-9)
        for size, horizon in zip(READING.detection.sample_sizes, truths["horizon"], strict=True):
            assert horizon == max([0, *np.array(LAGS)[np.exp(sample_complexity) <= size]])


def test_windows_on_a_fine_grid_grow_as_the_growth_says():
    """The staircase Ĥ_N, its corners at N̂(ℓ), has the slope that is known."""
    numbers = known_numbers(1.5, READING.detection)
    truths = numbers[numbers["decay"] == "polynomial"].groupby("quantity")["truth"].apply(np.array)
    assert fit_line(truths["log_sample_complexity"], np.log(LAGS)).slope == pytest.approx(truths["growth"][0], rel=1e-9)


def test_recovery_is_that_of_the_pipeline():
    statistic = simulated_statistic(1.7, 120, np.random.default_rng(0))
    estimates, (low, high) = recover(statistic, READING, numpy_generator(3, 0, "bootstrap"))
    table = known_numbers(1.7, READING.detection).assign(found=estimates, low=low, high=high)
    of = {quantity: rows for quantity, rows in table.groupby("quantity")}
    for start, decay in enumerate(DECAYS):
        lags = slice(5 * start, 5 * start + 5)
        part = statistic.isel(lag=lags).expand_dims("direction")
        expected = find_window(part, READING, root_seed=3, seed=0)
        references = {key: table[table["chosen"]] if "chosen" in table else table for key, table in expected.items()}
        for quantity, kind in (
            ("signal", "noise"),
            ("log_sample_complexity", "sample_complexity"),
            ("horizon", "window"),
        ):
            rows = of[quantity][of[quantity]["decay"] == decay.name]
            for ours, theirs in (("found", ""), ("low", "_low"), ("high", "_high")):
                np.testing.assert_allclose(rows[ours], references[kind][quantity + theirs], rtol=1e-9)
        for quantity in ("alpha", "scale"):
            row = of[quantity].iloc[0]
            assert row["found"] == pytest.approx(expected["noise"][quantity].iloc[0])
            assert row["low"] == pytest.approx(expected["noise"][f"{quantity}_low"].iloc[0])


def test_growth_is_none_where_a_sample_complexity_is_infinite():
    statistic = simulated_statistic(1.5, 60, np.random.default_rng(1))
    statistic["total"] = statistic["total"].copy(data=np.tan(np.pi * (np.arange(60) - 29.5) / 60) ** 3)  # α < 1
    estimates, _ = recover(statistic, READING, np.random.default_rng(2))
    of = known_numbers(1.5, READING.detection).assign(found=estimates).groupby("quantity")["found"].apply(list)
    assert of["alpha"][0] <= 1
    assert set(of["growth"]) == {0.0}
    assert set(of["log_sample_complexity"]) == {np.inf}


@pytest.fixture(scope="module")
def coverage():
    return coverage_tables((2.0,), (120,), 20, 100, np.random.default_rng(4))


def test_coverage_counts_replicates_whose_interval_holds_the_truth(coverage):
    table, example = coverage
    generator = np.random.default_rng(4)
    truth = known_numbers(2.0, READING.detection)["truth"].to_numpy()
    inside = np.zeros(len(truth), dtype=int)
    for number in range(20):
        estimates, (low, high) = recover(simulated_statistic(2.0, 120, generator), READING, generator)
        inside += [a <= value <= b for a, value, b in zip(low, truth, high, strict=True)]
        if number == 0:
            np.testing.assert_array_equal(example["estimate"], estimates)
    assert table["covered"].tolist() == inside.tolist()
    interval = stats.binomtest(int(inside[0]), 20).proportion_ci(0.95, "exact")
    assert table.loc[0, ["coverage_low", "coverage_high"]].tolist() == pytest.approx([interval.low, interval.high])


def test_where_tails_allow_it_intervals_of_the_signal_cover(coverage):
    counts = coverage[0].set_index("quantity").loc["signal", "covered"].to_numpy()
    # Lags are independent: at least, over all of them, what the normal law lets one expect.
    assert stats.binomtest(int(counts.sum()), 20 * len(counts)).proportion_ci(0.99, "exact").high >= 0.93


def test_the_bootstrap_of_a_mean_of_infinite_variance_does_not_settle():
    """Athreya (1987): its law stays random however many the sequences; with a variance it does not."""
    table, _ = coverage_tables((1.5, 2.0), (60, 400), 30, 100, np.random.default_rng(5))
    spread = table[table["quantity"] == "signal"].groupby(["alpha", "sequences"])["width_spread"].median()
    assert spread[2.0, 400] < spread[2.0, 60] < 2
    assert spread[1.5].min() > 3


def test_words_follow_the_numbers(coverage):
    table = coverage[0].assign(coverage=0.95)
    assert "cover less" not in " ".join(coverage_in_words(table))
    table.loc[table["quantity"] == "log_sample_complexity", "coverage"] = [0.6, *[0.999] * 14]
    words = coverage_in_words(table)
    assert "those of N̂ (60.0%) cover less." in words[0]
    assert words[1].endswith("14 of 15 for N̂.")


def test_the_page_shows_the_worst_of_each_decay(coverage):
    table = coverage[0]
    lowest, page = lowest_coverage(table), coverage_page(table)
    assert page["decay"].tolist() == ["all", "exponential", "logarithmic", "polynomial"]
    for decay in ("logarithmic", "polynomial", "exponential"):
        rows = table[(table["decay"] == decay) & (table["quantity"] == "log_sample_complexity")]
        assert page.set_index("decay").loc[decay, "N̂"].startswith(f"{rows['coverage'].min():.3f} (")
    windows = lowest[lowest["quantity"] == "horizon"]
    assert windows["truth"].between(0, 64, inclusive="neither").all()
    assert isinstance(page, pd.DataFrame)
