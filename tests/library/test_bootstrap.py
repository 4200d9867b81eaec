import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats

from learnability.stats.stable.draws import draw
from learnability.windows.bootstrap import noise_intervals, resample
from learnability.windows.noise import fit_noise
from learnability.windows.readings import Reading
from learnability.windows.windowing import find_window
from paper_scale import CONFIG

WINDOW = {**CONFIG["window"], "draws": 200, "sample_sizes": [25, 400, 6400]}
LAGS, SEQUENCES, TIMES = 3, 120, 9


def reading_of(name, draws=200, law=(), **statistic):
    parts = CONFIG["readings"][name]
    parts = parts | {"noise": parts["noise"] | dict(law)}
    return Reading.of(parts, WINDOW | {"draws": draws}, **statistic)


def statistic_of(reading, sequences=SEQUENCES, signal=0.3, seed=0):
    """S whose values hang together within a sequence, as those of one network do."""
    rng = np.random.default_rng(seed)
    common = rng.standard_t(3, size=(1, sequences, 1))
    values = common + rng.standard_t(3, size=(LAGS, sequences, TIMES)) + signal
    variables = {
        "statistic": (("lag", "sequence", "time"), values),
        "envelope": ("lag", np.ones(LAGS)),
        "product": ("lag", np.ones(LAGS)),
    }
    if reading.statistic.orientation == "global":
        variables["orientation"] = ("lag", "sequence"), np.ones((LAGS, sequences))
    if reading.statistic.noise == "total":
        variables["total"] = ("sequence", "time"), common[0] + rng.standard_t(3, size=(sequences, TIMES))
    dataset = xr.Dataset(variables, coords={"lag": np.arange(1, LAGS + 1)})
    return dataset.mean("time") if reading.statistic.sampling == "sequence_mean" else dataset


def drawn_again(statistic, reading, draws, seed):
    """The same draws, each made by hand."""
    count = statistic.sizes["sequence"]
    sizes = [len(part) for part in np.array_split(np.arange(count), reading.statistic.folds)]
    generator = np.random.default_rng(seed)
    counts = np.hstack([generator.multinomial(size, np.full(size, 1 / size), draws) for size in sizes])
    for row in counts:
        yield fit_noise(statistic.isel(sequence=np.repeat(np.arange(count), row)), reading.noise)


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("paper", {}),
        ("paper", {"tail_index": "shared"}),
        ("gradient_step", {}),
        ("published_code", {"numerical_floor": 0}),
    ],
)
def test_histograms_give_what_each_draw_by_hand_gives(name, law):
    reading = reading_of(name, 100, law)
    statistic = statistic_of(reading)
    resamples = resample(statistic, reading, np.random.default_rng(1))
    by_hand = list(drawn_again(statistic, reading, 100, 1))
    shared_index = law.get("tail_index") == "shared"  # one law of all lags, on a grid
    for key in ("alpha", "scale"):
        expected = np.stack([table[key] for table in by_hand])
        np.testing.assert_allclose(getattr(resamples, key), expected, rtol=2e-2 if shared_index else 1e-9)
    if reading.statistic.folds == 1:
        np.testing.assert_allclose(np.abs(resamples.mean), np.stack([t["signal"] for t in by_hand]), rtol=1e-9)


def test_other_estimators_fit_each_draw():
    reading = reading_of("paper", 100, {"estimator": "characteristic_function"})
    statistic = statistic_of(reading, 40)
    resamples = resample(statistic, reading, np.random.default_rng(1))
    expected = np.stack([table["alpha"] for table in drawn_again(statistic, reading, 100, 1)])
    np.testing.assert_array_equal(resamples.alpha, expected)


def test_the_standard_error_is_that_of_sequences():
    reading = reading_of("paper", 4000)
    statistic = statistic_of(reading)
    resamples = resample(statistic, reading, np.random.default_rng(2))
    expected = stats.sem(statistic["statistic"].mean("time").to_numpy(), axis=1)
    np.testing.assert_allclose(resamples.mean.std(0), expected, rtol=0.05)
    np.testing.assert_allclose(np.median(resamples.error, 0), expected, rtol=0.05)


@pytest.mark.parametrize("alpha", [1.4, 1.8])
def test_intervals_of_the_tail_index_and_the_scale_cover_what_is_true(alpha):
    reading, truth, trials = reading_of("gradient_step", 200, noise="matched"), {"alpha": alpha, "scale": 2.0}, 200
    rows, fits = [], []
    for seed in range(trials):
        values = 2 * draw(alpha, (1, 300), np.random.default_rng([seed, 5])) + 1
        statistic = xr.Dataset(
            {
                "statistic": (("lag", "sequence"), values),
                "orientation": (("lag", "sequence"), np.ones((1, 300))),
                "envelope": ("lag", np.ones(1)),
            },
            coords={"lag": [1]},
        )
        resamples = resample(statistic, reading, np.random.default_rng([seed, 6]))
        rows.append(noise_intervals(pd.DataFrame({"lag": [1]}), resamples).iloc[0])
        fits.append(fit_noise(statistic, reading.noise).iloc[0])
        ends = rows[-1][["alpha_low", "alpha_high"]].tolist()
        assert ends == np.quantile(resamples.alpha[:, 0], [0.025, 0.975], method="inverted_cdf").tolist()
    intervals, estimates = pd.DataFrame(rows), pd.DataFrame(fits)
    for key, value in truth.items():
        low, high = intervals[f"{key}_low"], intervals[f"{key}_high"]
        coverage = stats.binomtest(int(((low <= value) & (value <= high)).sum()), trials).proportion_ci(0.99, "exact")
        assert coverage.high >= 0.95, key
        if key == "scale" or alpha < 1.6:  # α̂ ends at 2, which widens intervals near it
            assert coverage.low <= 0.95, key
        for misses in (high < value, low > value):  # on neither side alone
            assert misses.sum() <= stats.binom.ppf(0.999, trials, 0.025), key
        # as wide as estimates spread: 2 · 1.96 standard deviations
        assert 0.75 < (high - low).mean() / (3.92 * estimates[key].std()) < 1.3, key


@pytest.mark.parametrize("name", CONFIG["report"])
def test_every_number_lies_in_its_interval_and_windows_carry_theirs(name):
    reading = reading_of(name)
    statistic = statistic_of(reading, signal=0.6).expand_dims("direction")
    tables = find_window(statistic, reading, root_seed=3, seed=0)
    for table, columns in (
        ("noise", ("alpha", "scale")),
        ("sample_complexity", ("log_sample_complexity",)),
        ("window", ("horizon",)),
    ):
        rows = tables[table][tables[table]["chosen"]] if "chosen" in tables[table] else tables[table]
        for column in columns:
            assert (rows[f"{column}_low"] <= rows[f"{column}_high"]).all()
            inside = (rows[f"{column}_low"] <= rows[column]) & (rows[column] <= rows[f"{column}_high"])
            assert inside.mean() > 0.8
    again = find_window(statistic, reading, root_seed=3, seed=0)
    for key, table in tables.items():
        pd.testing.assert_frame_equal(table, again[key], check_exact=True)
