"""N₅₀ of each cell and lag, and how numbers before training order cells by it."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float

from learnability.stats.thresholds import log_n50, log_threshold
from studies.comparison.ranks import interval, spearman

SETTING = ["architecture", "lag"]
SAMPLE = [*SETTING, "seed", "sequences"]
N50 = ["n50", "n50_low", "n50_high"]
PREDICTIONS = ["number", "of", "lag", "cells", "correlation", "correlation_low", "correlation_high"]


def half_learned(
    samples: pd.DataFrame,
    gradients: pd.DataFrame,
    of_lags: pd.DataFrame,
    families: Mapping[str, str],
    trained_on: Mapping[str, int],
) -> pd.DataFrame:
    """N₅₀ of each cell and lag, after the updates of a race.

    N₅₀ is the least N from which half of the seeds learn at least half of the coefficient, see
    `learnability.stats.thresholds`. A training that diverged has learned nothing.

    Args:
        samples: trainings on fewer sequences, of `studies.comparison.sample_sizes.measure.train_on_fewer`.
        gradients: of races, whose trainings are on all sequences.
        of_lags: of `studies.comparison.tables.lags`.
        families: of each architecture, in the order of the table.
        trained_on: sequences of a race at each contest.

    Returns:
        A row for each cell and `lag`: `n50` and its range over seeds, `n50_low` and `n50_high`, 0 where the smallest N
        suffices and ∞ where all sequences do not; log₁₀ N̂ before training, `needed_start`; and what was tried: the
        `smallest` N, the sequences of a race, `trained_on`, and `seeds`.
    """
    contest = samples["contest"].iloc[0]
    all_sequences = trained_on[contest]
    is_of_race = (gradients["contest"] == contest) & (gradients["end"] == "end")
    for name in ("architecture", "seed"):
        is_of_race &= gradients[name].isin(samples[name])
    of_race = gradients[is_of_race].assign(sequences=all_sequences)
    fewer = samples[(samples["updates"] == updates_of_race(samples)) & (samples["sequences"] < all_sequences)]
    table = _n50(pd.concat([fewer, of_race])).reset_index()
    needed = of_lags[of_lags["contest"] == contest][[*SETTING, "needed_start"]]
    tried = {"smallest": samples["sequences"].min(), "trained_on": all_sequences, "seeds": fewer["seed"].nunique()}
    table = table.merge(needed, on=SETTING).assign(**tried)
    table.insert(0, "family", table["architecture"].map(families))
    place = {name: at for at, name in enumerate(families)}
    return table.sort_values(SETTING, key=lambda values: values.map(place) if values.name == "architecture" else values)


def updates_of_race(samples: pd.DataFrame) -> int:
    """Updates of a race: trainings are looked at after half of these, after all, and some after twice as many."""
    return int(np.sort(samples["updates"].unique())[1])


def n50_longer(samples: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """N₅₀ of the cells that went on to twice the updates, `n50_twice` and its range, beside `n50` of `half_learned`."""
    last = samples[samples["updates"] > updates_of_race(samples)]
    return table[["family", *SETTING, *N50]].merge(_n50(last).add_suffix("_twice").reset_index(), on=SETTING)


def _n50(samples: pd.DataFrame) -> pd.DataFrame:
    """N₅₀ and its range over seeds, by cell and lag."""
    rows = {}
    for names, of_setting in samples.groupby(SETTING, sort=False):
        shares = of_setting.pivot(index="sequences", columns="seed", values="share").fillna(0.0).sort_index()
        log_sizes = np.log(shares.index.to_numpy(float))
        thresholds = np.array([log_threshold(log_sizes, shares[seed].to_numpy(float)) for seed in shares])
        rows[names] = np.exp([log_n50(thresholds), thresholds.min(), thresholds.max()])
    index = pd.MultiIndex.from_tuples(list(rows), names=SETTING) if rows else pd.MultiIndex.from_arrays([[], []])
    return pd.DataFrame(list(rows.values()), index.set_names(SETTING), columns=N50)


def best_looks(samples: pd.DataFrame) -> pd.DataFrame:
    """Samples with the look of the better validation score, up to the updates of a race, in place of the last one."""
    last = updates_of_race(samples)
    looks = samples[samples["updates"] <= last].fillna({"validation": -np.inf})
    best = looks.sort_values(["validation", "updates"], kind="stable").groupby(SAMPLE, sort=False).tail(1)
    return pd.concat([best.assign(updates=last), samples[samples["updates"] != last]])


def predictions(table: pd.DataFrame, of_memory: pd.DataFrame, generator: np.random.Generator | None) -> pd.DataFrame:
    """Spearman's ρ of numbers before training with N₅₀, with 95 % intervals that resample cells.

    Args:
        table: of `half_learned`.
        of_memory: of `studies.comparison.tables.memory`.
        generator: resamples cells, each with all its lags; without one intervals are NaN.

    Returns:
        For each `number`, log₁₀ N̂ as `needed` or memory `capacity`, its `correlation` over cells at each `lag`, and
        the mean of these; and over all pairs of a cell and a lag the correlations of `needed` and of the `lag` itself,
        and the first less the second. 1 is as a good number would have it: cells of a small N̂ or lag, or of a large
        capacity, have a small N₅₀.
    """
    capacity = of_memory.set_index("architecture")["capacity_start"]
    columns = table.assign(needed=table["needed_start"], capacity=-table["architecture"].map(capacity), x=table["lag"])
    lags = np.sort(table["lag"].unique())
    cells = {
        number: np.stack([_by_cell(columns, value)[lags], _by_cell(columns, "n50")[lags]], axis=-1)
        for number, value in {"needed": "needed", "capacity": "capacity", "lag": "x"}.items()
    }
    rows = [row for number in ("needed", "capacity") for row in _of_lags(number, lags, cells[number], generator)]
    for number in ("needed", "lag"):
        rows.append(_row(number, "all lags", np.nan, cells[number], _pooled, generator))
    both = np.concatenate([cells["needed"], cells["lag"]], axis=-1)
    rows.append(_row("needed less lag", "all lags", np.nan, both, _lead, generator))
    return pd.DataFrame(rows, columns=PREDICTIONS)


def _by_cell(table: pd.DataFrame, value: str) -> pd.DataFrame:
    return table.pivot(index="architecture", columns="lag", values=value)


def _of_lags(
    number: str, lags: np.ndarray, cells: Float[np.ndarray, "cell lag 2"], generator: np.random.Generator | None
) -> Iterator[tuple[object, ...]]:
    for place, lag in enumerate(lags.tolist()):
        yield _row(number, "one lag", lag, cells[:, place], spearman, generator)
    yield _row(number, "mean of lags", np.nan, cells, _mean, generator)


def _row(
    number: str,
    of: str,
    lag: float,
    cells: Float[np.ndarray, "cell ..."],
    correlation: Callable[[np.ndarray], np.ndarray],
    generator: np.random.Generator | None,
) -> tuple[object, ...]:
    cells = cells[~np.isnan(cells).reshape(len(cells), -1).any(axis=1)]
    return (number, of, lag, len(cells), float(correlation(cells)), *interval(cells, generator, correlation))


def _pooled(cells: Float[np.ndarray, "*draw cell lag 2"]) -> Float[np.ndarray, "*draw"]:
    """Correlation over all pairs of a cell and a lag."""
    return spearman(cells.reshape(*cells.shape[:-3], -1, 2))


def _lead(cells: Float[np.ndarray, "*draw cell lag 4"]) -> Float[np.ndarray, "*draw"]:
    """Correlation of the first two columns over all pairs of a cell and a lag less the one of the last two."""
    return np.asarray(_pooled(cells[..., :2]) - _pooled(cells[..., 2:]))


def _mean(cells: Float[np.ndarray, "*draw cell lag 2"]) -> Float[np.ndarray, "*draw"]:
    """Mean over lags of the correlation over cells; a lag at which no two cells differ has none."""
    correlations = spearman(np.moveaxis(cells, -2, 0))
    has_any = ~np.isnan(correlations)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(has_any, correlations, 0).sum(axis=0) / has_any.sum(axis=0))
