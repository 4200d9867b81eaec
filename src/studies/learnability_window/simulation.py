"""Simulation with known truth: S of a known law and decay goes through the pipeline, whose intervals should hold it.

    S_n(ℓ) = Δ(ℓ) + X_{nℓ},    X standard SαS (σ = 1),    Δ(ℓ) = f(ℓ), m̄ = 1

f is each of the three decays of Sec. 5.4. With g(ℓ) and r of the decay, log f(ℓ) = const - g(ℓ)/r, so that Eq. 40 gives

    log N(ℓ) = const + κ g(ℓ)/r        and        g(H_N) = const + (r/κ) log N:

    logarithmic: f = c/log(1+ℓ),  g = log log(1+ℓ),  r = 1
    polynomial:  f = c ℓ^{-β},    g = log ℓ,         r = 1/β
    exponential: f = c λ^ℓ,       g = ℓ,             r = 1/log(1/λ)

r/κ is the growth of H_N: 1/κ, 1/(κβ) and 1/(κ log 1/λ). c makes f(ℓ) = 1 at the first lag.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float

from learnability.stats.proportions import proportion_interval
from learnability.stats.stable.draws import draw
from learnability.windows.bootstrap import interval, resample
from learnability.windows.detection import horizon, log_sample_complexities, on_grid
from learnability.windows.noise import fit_noise
from learnability.windows.readings import DetectionOptions, NoiseOptions, Reading, StatisticOptions

Array = Float[np.ndarray, "..."]


@dataclass(frozen=True)
class Decay:
    """A decay law of the envelope.

    Args:
        coordinate: g(ℓ), in which log f falls as a line.
        rate: r.
    """

    name: str
    coordinate: Callable[[Array], Array]
    rate: float

    @property
    def signal(self) -> Float[np.ndarray, " lag"]:
        """Δ(ℓ) at `LAGS`, 1 at the first."""
        g = self.coordinate(np.array(LAGS, dtype=np.float64))
        return np.exp(-(g - g[0]) / self.rate)


LAGS = (4, 8, 16, 32, 64)
DECAYS = (
    Decay("logarithmic", lambda lag: np.log(np.log1p(lag)), 1.0),
    Decay("polynomial", np.log, 2.0),
    Decay("exponential", lambda lag: lag.copy(), 40.0),
)
"""β = 1/2, λ = e^{-1/40}: Δ falls to between 0.4 and 0.2 σ, which some hundred sequences still show."""
ALPHAS = (1.3, 1.6, 2.0)
SIZES = tuple(2**power for power in range(2, 13))
NOMINAL = (0.90, 0.99)
"""Range in which the coverage of 95 % intervals may lie."""


def reading(draws: int) -> Reading:
    """The theory's own assumptions: noise of one law at all lags, one value of S a sequence, N by Eq. 40.

    Args:
        draws: of the bootstrap.
    """
    return Reading(
        StatisticOptions(transport="first_order", sign_estimate="in_sample", error_mean="kept", directions=1),
        NoiseOptions(),
        DetectionOptions(criterion="fano", family_wise=0, draws=draws, sample_sizes=SIZES),
    )


def simulated_statistic(alpha: float, sequences: int, generator: np.random.Generator) -> xr.Dataset:
    """S under the three decays, one after the other along `lag`, as of `windows.statistic.matched_statistic`.

    Args:
        alpha: tail index of the noise.
        sequences: n.
        generator: source of the noise.
    """
    signal = np.concatenate([decay.signal for decay in DECAYS])
    total, *noise = draw(alpha, (1 + len(signal), sequences), generator)
    values = signal[:, None] + np.array(noise)
    orientation = np.broadcast_to(np.sign(values.mean(1, keepdims=True)), values.shape)
    return xr.Dataset(
        {
            "statistic": (("lag", "sequence"), orientation * values),
            "orientation": (("lag", "sequence"), orientation),
            "total": ("sequence", total),
            "envelope": ("lag", signal),
        },
        coords={"lag": np.tile(LAGS, len(DECAYS))},
    )


def numbers(signal: Array, alpha: Array, scale: Array, detection: DetectionOptions) -> Float[np.ndarray, "... number"]:
    """Numbers to be recovered, in the order of `known_numbers`, from Δ, α and σ, each (..., decay · lag).

    The growth of Ĥ_N is r/κ of the line log N̂(ℓ) = const + κ g(ℓ)/r, for Ĥ_N steps up to ℓ at N = N̂(ℓ); it is 0 where
    N̂ = ∞.
    """
    log_sample_complexity = log_sample_complexities(signal, alpha, scale, None, None, detection)[detection.criterion]
    windows, growths = [], []
    for decay, part in zip(DECAYS, np.split(log_sample_complexity, len(DECAYS), axis=-1), strict=True):
        sample_complexity = on_grid(part, detection.sample_sizes)
        windows += [horizon(LAGS, sample_complexity, size) for size in detection.sample_sizes]
        finite = np.isfinite(part).all(-1)
        g = decay.coordinate(np.array(LAGS, dtype=np.float64))
        g -= g.mean()
        slope = np.where(finite[..., None], part, 0) @ g / (g @ g)
        growths.append(np.where(finite, 1 / np.where(finite, slope, 1), 0))
    single = [alpha[..., 0], scale[..., 0]]
    return np.concatenate([np.stack(single, -1), signal, log_sample_complexity, np.stack([*windows, *growths], -1)], -1)


def known_numbers(alpha: float, detection: DetectionOptions) -> pd.DataFrame:
    """A row for each number to be recovered: `decay`, `quantity`, `at` (ℓ or N) and its `truth`."""
    names, sizes = [decay.name for decay in DECAYS], detection.sample_sizes
    rows: list[tuple[str, str, float]] = [("all", "alpha", np.nan), ("all", "scale", np.nan)]
    rows += [
        (name, quantity, lag) for quantity in ("signal", "log_sample_complexity") for name in names for lag in LAGS
    ]
    rows += [(name, "horizon", size) for name in names for size in sizes]
    rows += [(name, "growth", np.nan) for name in names]
    signal = np.concatenate([decay.signal for decay in DECAYS])
    truth = numbers(signal, np.full(signal.shape, alpha), np.ones(signal.shape), detection)
    return pd.DataFrame(rows, columns=["decay", "quantity", "at"]).assign(truth=truth)


def recover(
    statistic: xr.Dataset, reading: Reading, generator: np.random.Generator
) -> tuple[Float[np.ndarray, " number"], Float[np.ndarray, "end number"]]:
    """The pipeline's estimate of each number, and both ends of its interval.

    Args:
        generator: source of the bootstrap.
    """
    noise = fit_noise(statistic, reading.noise)
    resamples = resample(statistic, reading, generator)
    signal, alpha, scale = (noise[name].to_numpy() for name in ("signal", "alpha", "scale"))
    estimates = numbers(signal, alpha, scale, reading.detection)
    draws = numbers(np.abs(resamples.mean), resamples.alpha, resamples.scale, reading.detection)
    return estimates, interval(draws)


def coverage_tables(
    alphas: Sequence[float],
    sequences: Sequence[int],
    replicates: int,
    draws: int,
    generator: np.random.Generator,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Coverage of the truth by the pipeline's 95 % intervals.

    Args:
        alphas: tail indices, `ALPHAS` say.
        sequences: numbers n of sequences.
        replicates: data sets for each α and n.
        draws: of each bootstrap.
        generator: source of all.

    Returns:
        Coverage, a row for each α, n and number of `known_numbers`: `alpha`, `sequences`, `decay`, `quantity`, `at`,
        `truth`, `median` of the estimates, `replicates`, `covered`, `coverage` and its Clopper-Pearson interval
        `coverage_low`, `coverage_high` (95 %), and `width_spread`, the 95 % point over data sets of the width of the
        interval over its 5 % point: 1 if the bootstrap settles on the law of the estimate. And the first data set of
        each α and n: the same names, `truth`, `estimate`, `low` and `high`.

    Raises:
        InputError: for fewer than 100 draws.
    """
    options, coverages, examples = reading(draws), [], []
    for alpha in alphas:
        truths = known_numbers(alpha, options.detection)
        truth = truths["truth"].to_numpy()
        for count in sequences:
            estimates, ends = zip(
                *(recover(simulated_statistic(alpha, count, generator), options, generator) for _ in range(replicates)),
                strict=True,
            )
            low, high = np.stack(ends, 1)
            inside = ((low <= truth) & (truth <= high)).sum(0)
            lowest, highest = proportion_interval(inside, replicates)
            names = truths.assign(alpha=alpha, sequences=count)
            names = names[["alpha", "sequences", *truths.columns]]
            examples.append(names.assign(estimate=estimates[0], low=low[0], high=high[0]))
            coverages.append(
                names.assign(
                    median=np.median(estimates, 0),
                    replicates=replicates,
                    covered=inside,
                    coverage=inside / replicates,
                    coverage_low=lowest,
                    coverage_high=highest,
                    width_spread=_spread(high, low),
                )
            )
    return pd.concat(coverages, ignore_index=True), pd.concat(examples, ignore_index=True)


def _spread(high: Float[np.ndarray, "replicate number"], low: Float[np.ndarray, "replicate number"]) -> np.ndarray:
    width = np.where(np.isfinite(high), high - np.where(np.isfinite(low), low, 0), np.inf)
    narrow, wide = np.quantile(width, [0.05, 0.95], axis=0, method="inverted_cdf")
    return np.divide(wide, narrow, out=np.full(len(narrow), np.nan), where=(narrow > 0) & np.isfinite(narrow))


def _in_play(coverage: pd.DataFrame) -> pd.DataFrame:
    """All but windows that are truly shut or at the last lag."""
    window = coverage["quantity"] == "horizon"
    return coverage[~window | ((coverage["truth"] > 0) & (coverage["truth"] < LAGS[-1]))]


def lowest_coverage(coverage: pd.DataFrame) -> pd.DataFrame:
    """The number worst covered of each kind, over ℓ, or over N at which the true window is open and not at its end.

    Args:
        coverage: of `coverage_tables`.

    Returns:
        A row for each α, n, decay and quantity, as in `coverage`.
    """
    in_play = _in_play(coverage)
    worst = in_play.groupby(["alpha", "sequences", "decay", "quantity"], sort=False)["coverage"].idxmin()
    return in_play.loc[worst].reset_index(drop=True)


NAMES = {
    "alpha": "α̂",
    "scale": "σ̂",
    "signal": "Δ̂",
    "log_sample_complexity": "N̂",
    "horizon": "Ĥ(N)",
    "growth": "growth of Ĥ(N)",
}


def coverage_page(coverage: pd.DataFrame) -> pd.DataFrame:
    """`lowest_coverage` in print: a column for each quantity, with its Clopper-Pearson interval."""
    lowest = lowest_coverage(coverage)
    cells = [
        f"{row.coverage:.3f} ({row.coverage_low:.3f}–{row.coverage_high:.3f})"
        for row in lowest[["coverage", "coverage_low", "coverage_high"]].itertuples()
    ]
    table = lowest.assign(cell=cells, quantity=lowest["quantity"].map(NAMES))
    page = table.pivot(index=["alpha", "sequences", "decay"], columns="quantity", values="cell")
    page = page[list(NAMES.values())].fillna("").reset_index().rename(columns={"alpha": "α", "sequences": "n"})
    page.columns.name = None
    return page


def coverage_in_words(coverage: pd.DataFrame) -> list[str]:
    """Sentences on intervals that cover too little, on their widths, and on intervals wider than need be."""
    sentences = []
    signals = coverage[coverage["quantity"] == "signal"].groupby(["alpha", "sequences"])
    for (alpha, count), rows in lowest_coverage(coverage).groupby(["alpha", "sequences"]):
        signal = signals.get_group((alpha, count))
        worst = rows.groupby("quantity")["coverage"].min()
        parts = {
            f"cover {NOMINAL[0]:.0%} or more": worst[worst >= NOMINAL[0]],
            "cover less": worst[worst < NOMINAL[0]],
        }
        kinds = [
            f"those of {', '.join(f'{name} ({part[key]:.1%})' for key, name in NAMES.items() if key in part)} {verb}"
            for verb, part in parts.items()
            if len(part)
        ]
        sentences.append(
            f"α = {alpha:g}, n = {count}: of 95 % intervals, at the worst lag or N, {'; '.join(kinds)}. Intervals of Δ̂ "
            f"cover {signal['coverage'].mean():.1%} over all lags; their width differs by a factor of "
            f"{signal['width_spread'].median():.2g} between data sets."
        )
    in_play = _in_play(coverage)
    wide = in_play[in_play["coverage"] > NOMINAL[1]]["quantity"].value_counts()
    total = in_play["quantity"].value_counts()
    if len(wide):
        excess = ", ".join(f"{wide[key]} of {total[key]} for {name}" for key, name in NAMES.items() if key in wide)
        sentences.append(f"Coverage beyond {NOMINAL[1]:.0%}, intervals wider than need be: {excess}.")
    return sentences
