import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats

from learnability.core.yaml_files import load_yaml
from learnability.stats.fits import fit_line
from learnability.stats.stable import location_informations
from learnability.stats.stable.draws import draw
from learnability.windows.detection import estimate_sample_complexity, learnability_window
from learnability.windows.noise import clipped_tail_index, fit_noise
from learnability.windows.readings import DetectionOptions, NoiseOptions
from learnability.windows.scaling import (
    growth_exponent,
    predicted_growth,
    rank_correlation,
    rank_correlations,
    rank_correlations_within,
    resampled_rank_correlations,
    scaling_measures,
    signal_on_envelope,
    tail_and_decay,
)

CONFIG = load_yaml((Path(__file__).parents[2] / "config" / "config.yaml").read_text(encoding="utf-8"))
LAGS = np.arange(4, 132, 4)
SIZES = [2**power for power in range(2, 24)]
OPTIONS = DetectionOptions(criterion="fano", family_wise=0, draws=100, sample_sizes=SIZES)


def run(seed=0, beta=0.8, spread=0.0, alpha=1.6):
    """A run: power-law envelope, signal in proportion; α̂, σ̂ and m̄ vary by `spread` from lag to lag."""
    rng = np.random.default_rng(seed)

    def vary(size=spread):
        return np.exp(size * rng.uniform(-1, 1, len(LAGS)))

    f = 64 * LAGS**-beta
    signal, alphas = 0.02 * vary() * f, np.clip(alpha * vary(spread / 10), 1.2, 2)
    noise = pd.DataFrame(
        {
            "lag": LAGS,
            "envelope": f,
            "product": signal,
            "signal": signal,
            "alpha": alphas,
            "scale": 0.5 * vary(),
            "information": location_informations(alphas),
            "sequences": 3000,
            "alpha_regression": 1.5,
            "alpha_clipped": 1.9,
        }
    )
    sample_complexity = estimate_sample_complexity(noise, OPTIONS)
    window = learnability_window(sample_complexity, OPTIONS)
    return (
        sample_complexity[sample_complexity["chosen"]].reset_index(drop=True),
        window[window["chosen"]].reset_index(drop=True),
        noise,
    )


def test_the_signal_follows_the_envelope_with_slope_one():
    sample_complexity, _, _ = run()
    assert signal_on_envelope(sample_complexity)[:1] == pytest.approx([1])
    steep = sample_complexity.assign(signal=sample_complexity["envelope"] ** 2)
    assert signal_on_envelope(steep).slope == pytest.approx(2)


@pytest.mark.parametrize("envelope", [np.exp(-LAGS / 9), LAGS**-0.9, 1 / np.log1p(LAGS)], ids=["exp", "power", "log"])
def test_the_sample_complexity_is_a_straight_line_over_any_envelope(envelope):
    _, _, noise = run(alpha=1.6)
    sample_complexity = estimate_sample_complexity(noise.assign(envelope=envelope, signal=0.02 * envelope), OPTIONS)
    line = fit_line(
        -np.log(envelope), sample_complexity.loc[sample_complexity["chosen"], "log_sample_complexity"].to_numpy()
    )
    assert (line.slope, line.r_squared) == pytest.approx((1.6 / 0.6, 1))


@pytest.mark.parametrize(("alpha", "beta"), [(2.0, 0.8), (1.5, 0.6)])
def test_windows_grow_as_sec_5_4_says(alpha, beta):
    sample_complexity, window, _ = run(alpha=alpha, beta=beta)
    assert predicted_growth(sample_complexity) == pytest.approx((alpha - 1) / alpha / beta)
    assert growth_exponent(window, 128) == pytest.approx(
        predicted_growth(sample_complexity), rel=0.15
    )  # lags are a grid


def test_windows_that_stay_shut_have_no_growth():
    sample_complexity, window, noise = run()
    assert np.isnan(growth_exponent(window.assign(horizon=0), 128))
    shut = sample_complexity.assign(log_sample_complexity=np.inf, kappa=np.inf)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        measures = scaling_measures(shut, window.assign(horizon=0), noise)
    assert np.isnan([measures["growth of window"], measures["growth in theory"]]).all()
    assert measures["Eq. 72, slope"] == pytest.approx(1)


def test_rank_correlation_is_spearmans():
    sample_complexity, _, _ = run(spread=2.0)
    rate = -np.gradient(np.log(sample_complexity["envelope"]), LAGS)
    assert tail_and_decay(sample_complexity) == pytest.approx(
        stats.spearmanr(sample_complexity["alpha"], rate).statistic
    )
    assert np.isnan(tail_and_decay(sample_complexity.assign(alpha=1.5)))
    assert np.isnan(rank_correlation(np.array([1.0, 2.0]), np.array([1.0, 2.0])))


def test_clipping_lightens_tails_and_mcculloch_does_not_see_it():
    values = draw(1.5, (2, 400, 3), np.random.default_rng(0))
    statistic = xr.Dataset(
        {"statistic": (("lag", "sequence", "time"), values), "envelope": ("lag", np.ones(2))}, coords={"lag": [1, 2]}
    )
    table = clipped_tail_index(statistic)
    assert (table["alpha_clipped"] > table["alpha_regression"] + 0.3).all()
    last = statistic.isel(time=[-1])
    options = NoiseOptions(tail_index="per_lag")
    low, high = np.quantile(last["statistic"], [0.05, 0.95], axis=1, keepdims=True)
    cut = last.assign(statistic=last["statistic"].copy(data=np.clip(last["statistic"].to_numpy(), low, high)))
    np.testing.assert_allclose(fit_noise(cut, options)["alpha"], fit_noise(last, options)["alpha"], rtol=5e-3)
    regression = NoiseOptions(estimator="characteristic_function", tail_index="per_lag")
    np.testing.assert_allclose(table["alpha_regression"], fit_noise(last, regression)["alpha"])
    np.testing.assert_allclose(table["alpha_clipped"], fit_noise(cut, regression)["alpha"])


def test_the_table_has_medians_over_seeds_and_says_them():
    study = pytest.importorskip("studies.learnability_window.tables")  # the wheel has no studies
    tables = [[], [], []]
    for architecture, beta in (("const_gate", 1.2), ("diag_gate", 0.8), ("gru", 0.4)):
        for seed in range(3):
            names = {"architecture": architecture, "optimizer": "adamw", "seed": seed, "direction": 0}
            parts = run(seed, beta=beta, spread=0.3, alpha=1.2 + beta / 2)
            for table, part in zip(tables, parts, strict=True):
                table.append(part.assign(**names))
    table = study.TABLES["scaling"](*map(pd.concat, tables), CONFIG["figures"]["labels"])
    assert table["architecture"].tolist() == ["ConstGate", "DiagGate", "GRU"]
    rows = [scaling_measures(*run(seed, beta=0.8, spread=0.3, alpha=1.6)) for seed in range(3)]
    expected = pd.DataFrame(rows).median()
    pd.testing.assert_series_equal(table.iloc[1][expected.index].astype(float), expected, check_names=False)
    words = study.NOTES["scaling"](table)
    assert words[1].startswith(f"DiagGate, adamw: Δ̂ goes as f̂^{table.iloc[1]['Eq. 72, slope']:.2g} (Eq. 72 has 1), ")
    assert words[-1] == "Slower decay goes with heavier tails: over these 3 rows, Spearman's correlation 1.00."
    without = study.NOTES["scaling"](table.assign(**{"growth of window": np.nan}))
    assert "grows as" not in " ".join(without)


def test_rank_correlations_of_resamples_are_those_of_the_points_themselves() -> None:
    generator = np.random.default_rng(3)
    x, y = generator.integers(0, 6, (2, 15)).astype(float)
    x[2], y[[4, 5]], y[9] = np.inf, np.inf, np.nan
    copies = generator.multinomial(9, np.full(15, 1 / 15), size=60)
    copies[0], copies[1] = 0, 0
    copies[0, 2], copies[1, :2] = 9, 1  # one point nine times; two points
    expected = [rank_correlation(np.repeat(x, counts), np.repeat(y, counts)) for counts in copies]
    correlations = resampled_rank_correlations(x, y, copies)
    np.testing.assert_array_equal(correlations, expected)
    assert np.isfinite(correlations).sum() > 10 and np.isnan(correlations[:2]).all()


@pytest.mark.parametrize("count", [1, 4, 9])
def test_rank_correlations_within_groups_are_those_of_each_group(count: int) -> None:
    generator = np.random.default_rng(count)
    x, y = generator.integers(0, 5, (3, 2, 30)).astype(float), generator.integers(0, 5, 30).astype(float)
    x[0, 0, :3], x[2, 1, 4] = np.inf, -np.inf
    groups = generator.integers(count, size=30)
    x[1, 0, groups == 0] = 2  # does not vary
    correlations = rank_correlations_within(x, y, groups, count + 1)
    expected = [rank_correlations(x[..., groups == group], y[groups == group]) for group in range(count + 1)]
    np.testing.assert_array_equal(correlations, np.stack(expected, -1))
    assert np.isnan(correlations[..., count]).all() and np.isfinite(correlations[..., :count]).any()
