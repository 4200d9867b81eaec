import numpy as np
import pytest
import xarray as xr
from scipy import stats

from learnability.windows.draws import noise_draws
from learnability.windows.noise import fit_law
from learnability.windows.readings import Reading
from learnability.windows.sign_flips import critical_value, family_wise_bound, null_control
from paper_scale import CONFIG

SIZES = [100, 1600, 6400, 12800]
LAGS, SEQUENCES, LEVEL = 16, 400, 0.05


def reading_of(name, draws=400, family_wise=None, **statistic):
    parts = CONFIG["readings"][name]
    if family_wise is not None:
        parts = parts | {"detection": parts["detection"] | {"family_wise": family_wise}}
    return Reading.of(parts, {**CONFIG["window"], "sample_sizes": SIZES, "draws": draws}, **statistic)


def orient(plain, reading):
    """S with the sign that the reading gives it, as the matched statistic has it."""
    options = reading.statistic
    folds = np.array_split(np.arange(plain.shape[1]), options.folds)
    orientation = np.ones(plain.shape)
    if options.orientation == "global":
        for fold, opposite in zip(folds, reversed(folds), strict=True):
            orientation[:, fold] = np.sign(plain[:, opposite].sum(1))[:, None]
    return xr.Dataset(
        {
            "statistic": (("lag", "sequence"), plain * orientation),
            "orientation": (("lag", "sequence"), orientation),
            "total": ("sequence", np.random.default_rng(9).standard_t(4, size=plain.shape[1])),
            "envelope": ("lag", np.ones(len(plain))),
        },
        coords={"lag": np.arange(1, len(plain) + 1)},
    )


def bound_of(plain, reading, generator):
    statistic = orient(plain, reading)
    return family_wise_bound(statistic, reading.statistic, critical_value(statistic, reading, generator))


def noise(*shape, seed):
    """Heavy tails, and lags that hang together as those of one network do."""
    rng = np.random.default_rng(seed)
    return rng.standard_t(4, size=shape) + rng.standard_t(4, size=(*shape[:-2], 1, shape[-1]))


@pytest.mark.parametrize(
    "kind",
    [
        {"orientation": "global", "sign_estimate": "cross_fit", "noise": "total"},
        {"orientation": "global", "sign_estimate": "in_sample", "noise": "total"},
        {"orientation": "per_unit", "sign_estimate": "in_sample", "noise": "matched"},
    ],
    ids=lambda kind: f"{kind['orientation']} {kind['sign_estimate']}",
)
def test_some_lag_of_pure_noise_is_above_its_bound_as_often_as_the_level_says(kind):
    reading = reading_of("gradient_step" if kind["noise"] == "total" else "paper", 200, LEVEL, **kind)
    generator, trials = np.random.default_rng(7), 600
    count = sum(bound_of(plain, reading, generator).max() > 0 for plain in noise(trials, 8, 100, seed=6))
    low, high = stats.binomtest(count, trials).proportion_ci(0.999, "exact")
    assert low <= LEVEL <= high


def test_signs_of_the_other_half_without_flips_would_be_above_it_twice_as_often():
    # The two halves borrow signs from one another: the mean of the whole is ±(|a| + |b|)/2, wider than it looks.
    reading, trials, above = reading_of("gradient_step"), 4000, 0
    for plain in noise(trials, 1, 100, seed=8):
        values = orient(plain, reading)["statistic"].to_numpy()
        above += (values.mean() / stats.sem(values[0])) > stats.norm.ppf(1 - LEVEL)
    assert above / trials > 1.6 * LEVEL


def test_the_bound_is_the_mean_less_a_multiple_of_its_standard_error():
    reading, plain = reading_of("gradient_step"), noise(LAGS, SEQUENCES, seed=1) + 0.4
    bound = bound_of(plain, reading, np.random.default_rng(2))
    values = orient(plain, reading)["statistic"].to_numpy()
    multiples = (values.mean(1) - bound) / stats.sem(values, axis=1)
    assert np.ptp(multiples) < 1e-9
    assert multiples[0] > stats.norm.ppf(1 - LEVEL)
    assert (bound > 0).any()


def test_a_lag_without_noise_is_its_own_bound():
    bound = bound_of(np.full((2, 30), 0.25), reading_of("published_code", 100, LEVEL), np.random.default_rng(8))
    np.testing.assert_allclose(bound, 0.25, rtol=1e-6)


def test_without_a_level_there_is_no_bound():
    reading = reading_of("paper")
    assert critical_value(orient(np.ones((1, 30)), reading), reading, np.random.default_rng(0)) is None


def control(name, signal=0.0, **changes):
    reading = reading_of(name, **changes)
    statistic = orient(noise(LAGS, SEQUENCES, seed=1) + signal, reading)
    table = null_control(statistic, reading, None, np.random.default_rng(2))
    return table[table["chosen"]].set_index("sample_size")


def test_the_reading_of_one_gradient_step_stays_below_its_level_at_every_size_and_reaches_it_at_the_largest():
    """A test that never rejects would stay below its level, too."""
    rates = control("gradient_step")
    assert (rates["low"] <= LEVEL).all()
    assert rates["high"].iloc[-1] >= LEVEL


def test_the_bound_that_keeps_the_level_sees_a_signal():
    reading, generator = reading_of("gradient_step", 200), np.random.default_rng(3)
    positives = [bound_of(plain + 0.5, reading, generator).max() > 0 for plain in noise(40, 8, 100, seed=4)]
    assert np.mean(positives) > 0.8


@pytest.mark.parametrize("name", ["gradient_step", "paper"])
def test_the_noise_of_a_control_has_either_sign(name, monkeypatch):
    """Whatever the signal, flipped signs leave a law that is symmetric about 0."""
    samples = []

    def fit_and_take(draws, options):
        samples.extend(draws())
        return fit_law(draws, options)

    monkeypatch.setattr("learnability.windows.sign_flips.fit_law", fit_and_take)
    reading = reading_of(name, 100)
    statistic = orient(noise(LAGS, SEQUENCES, seed=1) + 5, reading)
    null_control(statistic, reading, None, np.random.default_rng(2))
    assert len(samples) in (1, LAGS)
    independent = statistic.isel(sequence=slice(reading.statistic.independent(SEQUENCES)))
    for draws, lag_noise in zip(samples, noise_draws(independent), strict=True):
        np.testing.assert_array_equal(np.sort(draws.ravel()), np.sort(np.concatenate([lag_noise, -lag_noise]).ravel()))


def test_without_the_bound_windows_open_where_there_is_nothing():
    rate = control("gradient_step", family_wise=0.0)["rate"]
    assert rate.is_monotonic_increasing
    assert rate[12800] > 0.9
    assert control("published_code")["rate"][12800] > 0.9


@pytest.mark.parametrize("name", ["gradient_step", "published_code", "paper"])
def test_a_signal_is_gone_once_signs_are_flipped(name):
    assert control(name, signal=0.1)["rate"].to_numpy() == pytest.approx(control(name)["rate"].to_numpy(), abs=0.12)


def test_intervals_hold_their_rates():
    rates = control("gradient_step", draws=100)
    assert (rates["rate"] == rates["false_windows"] / 100).all()
    assert ((rates["low"] <= rates["rate"]) & (rates["rate"] <= rates["high"])).all()
    assert (rates["low"] < rates["high"]).all()
