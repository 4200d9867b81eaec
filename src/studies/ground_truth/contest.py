"""The contest: which number, known before, foretells from how many sequences a lag is learned.

A *setting* is a grid, an architecture and a lag. Its N₅₀ is the least N from which at least half of the seeds learn the
lag, r/c > ½.
Candidates are scored by how they predict log N₅₀ over settings:

    correlation   Spearman's of candidate and N₅₀
    error         root mean square of log₁₀ N₅₀ - (a + b log₁₀ candidate), a and b from the settings of the other half
    share right   of all (setting, N), whether half of the seeds learn, as a + b log₁₀ candidate says
    order         Spearman's over architectures at one grid and lag, the mean over grids and lags

What was fixed before the trials were run: the contest is over settings that at least half of the seeds learn from N =
∞, for what is not learned then is no matter of N. Settings fall into two halves, `development` and `held_out`, in
turn over architectures and lags. N₅₀ and predictions beyond the smallest and the largest N of the grid count as half
the smallest and twice the largest; a candidate that is ∞ counts as ten times its largest finite value. The candidate
with the least error on `development` is the one that is judged, on `held_out`, so that choosing it costs nothing. It
foretells learning if there the 95 % interval of its correlation is above 0, and its error is below that of the lag
alone and of the number of parameters alone in 95 % of the resamples of architectures and seeds. Then it is the
winner; else there is none. All others are reported, and not judged; so is the generalisation gap, which is known when
networks have been trained.

Which settings are learned, and which half each is of, stays as it is in resamples.

The rest was added when results were known, and judges nothing. Halves take turns over lags, so every architecture is in
both: a line is tested on architectures that it was fitted on. `left_out` is the fairer test: it predicts each
architecture by the line of all others. `random_halves` has other halves, `contest_by_seeds` fewer seeds.
"""

import warnings
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from learnability.core.errors import require
from learnability.stats.thresholds import LEARNED, log_n50, log_threshold
from learnability.windows.scaling import rank_correlations, rank_correlations_within

SETTING = ["grid", "architecture", "lag"]
MOST_SEEDS = 0.5
"""Share of seeds that must learn a lag from N = ∞."""
BASELINES = ("lag", "parameters")
AFTERWARDS = "generalisation_gap"
"""The N from which the gap of the losses is below one half: known only when networks have been trained."""
MOMENTS = ("start", "least", "mean")
"""Moments of a path of training: at initialisation, the least, and the mean of the logarithms."""
HALVES = ("development", "held_out")
DRAWS = 1000
TOGETHER = 50
"""Draws whose scores are computed at once: so much work that calls of numpy cost little, and a few MB."""
NONE = -1
"""The number of no setting."""
DEALS = 300
"""Ways in which settings are dealt into halves at random."""
FEWER_SEEDS = 3
"""Seeds of each contest of `contest_by_seeds`."""
ALL = "all"
"""Name of all halves together, or of all architectures."""
Seeds = Float[np.ndarray, "setting seed"]


def thresholds(trials: pd.DataFrame, share: str = "share") -> pd.DataFrame:
    """The N from which a lag is learned, of each seed, from r/c at the N of the grid.

    r/c, or another `share`, is made increasing in N by isotonic regression, and crosses ½ between two N by a straight
    line in log N. A training that diverged has learned nothing, r/c = 0.

    Args:
        trials: rows of `studies.ground_truth.trials.try_to_learn` after one number of updates, with the columns of a
            setting.

    Returns:
        A row for each setting and `seed`: `log_threshold`, -∞ where the smallest N suffices, ∞ where the largest does
        not, and `reachable`, whether it is learned from N = ∞.
    """
    rows = []
    for names, table in trials.groupby([*SETTING, "seed"], sort=False):
        by_size = table.sort_values("sample_size")
        size, values = by_size["sample_size"].to_numpy(), by_size[share].fillna(0).to_numpy()
        finite = np.isfinite(size)
        crossing = log_threshold(np.log(size[finite]), values[finite])
        rows.append([*names, crossing, bool((values[~finite] > LEARNED).all())])
    return pd.DataFrame(rows, columns=[*SETTING, "seed", "log_threshold", "reachable"])


def half_learned(trials: pd.DataFrame, generator: np.random.Generator) -> pd.DataFrame:
    """N₅₀ of each setting, with a 95 % interval that resamples seeds.

    Args:
        trials: as of `thresholds`.

    Returns:
        A row for each setting: `n50`, `n50_low`, `n50_high`, 0 where the smallest N suffices and ∞ where the largest
        does not; `reachable`, the share of seeds that learn the lag from N = ∞; `learned`, the share of seeds that
        learn it from N = ∞ or from any N of the grid, for as many updates of N = ∞ may end on a plateau that fewer
        sequences leave; `fresh_share`, the median over seeds of r/c from N = ∞; `seeds`; and its `half`.
    """
    fresh = (
        trials[np.isinf(trials["sample_size"])].fillna({"share": 0.0}).groupby(SETTING, sort=False)["share"].median()
    )
    rows = []
    for names, table in thresholds(trials).groupby(SETTING, sort=False):
        values = table["log_threshold"].to_numpy()
        resamples = values[generator.integers(len(values), size=(DRAWS, len(values)))]
        low, high = np.quantile(log_n50(resamples), [0.025, 0.975], method="inverted_cdf")
        n50 = np.exp([log_n50(values[None])[0], low, high])
        learns = table["reachable"] | (values < np.inf)
        rows.append([*names, *n50, table["reachable"].mean(), learns.mean(), fresh[names], len(values)])
    columns = [*SETTING, "n50", "n50_low", "n50_high", "reachable", "learned", "fresh_share", "seeds"]
    return pd.DataFrame(rows, columns=columns).pipe(_with_halves)


def _median(values: Float[np.ndarray, "... seed"]) -> Float[np.ndarray, "..."]:
    """Medians of candidates, of which -∞ and ∞ are values; of the middle two, the mean, or the infinite one."""
    in_order, middle = np.sort(values, -1), (values.shape[-1] - 1) / 2
    low, high = in_order[..., int(np.floor(middle))], in_order[..., int(np.ceil(middle))]
    with np.errstate(invalid="ignore"):
        return np.where(low == high, low, np.where(np.isinf(high), high, (low + high) / 2))


def _with_halves(table: pd.DataFrame) -> pd.DataFrame:
    """The half of each setting, in turn over architectures and lags of a grid, in the order of the table."""
    parts = []
    for _, rows in table.groupby("grid", sort=False):
        number = rows["architecture"].factorize()[0] + rows["lag"].factorize()[0]
        parts.append(rows.assign(half=np.array(HALVES)[number % 2]))
    return pd.concat(parts).reindex(table.index)


def by_moment(candidates: pd.DataFrame) -> pd.DataFrame:
    """Values of each candidate at the moments of its path.

    Args:
        candidates: rows of `studies.ground_truth.candidates.measure_candidates` with the columns of a setting, `seed`
            and `parameters`.

    Returns:
        A row for each setting, seed and candidate, named with its moment, `noise_scale, least`: `value`, a natural
        logarithm; and the two that need no gradient, `lag` and `parameters`.
    """
    keys = [*SETTING, "seed", "candidate"]
    of_paths = (
        candidates.sort_values("updates", kind="stable")
        .groupby(keys, sort=False)["value"]
        .agg(["first", "min", "mean"])
    )
    wide = of_paths.set_axis(list(MOMENTS), axis=1).reset_index()
    long = wide.melt(keys, list(MOMENTS), "moment", "value")
    long["candidate"] = long["candidate"] + ", " + long["moment"]
    settings = candidates.drop_duplicates([*SETTING, "seed"])
    plain = [settings.assign(candidate=name, value=np.log(settings[name].astype(float))) for name in BASELINES]
    return pd.concat([long[[*keys, "value"]], *(table[[*keys, "value"]] for table in plain)], ignore_index=True)


class _Field(NamedTuple):
    """Arrays by setting and seed over which the contest is held, and their settings.

    Attributes:
        architectures: the number of each setting's.
        places: the number of each setting's grid and lag.
    """

    settings: pd.DataFrame
    architectures: Int[np.ndarray, "setting"]
    places: Int[np.ndarray, "setting"]
    log_thresholds: Seeds
    names: list[str]
    candidates: Float[np.ndarray, "candidate setting seed"]
    sizes: Float[np.ndarray, "size"]


def sizes_of(trials: pd.DataFrame) -> Float[np.ndarray, "size"]:
    """The N that were tried, increasing, but for ∞."""
    return np.sort(trials.loc[np.isfinite(trials["sample_size"]), "sample_size"].unique()).astype(float)


def clipped(log_n: Float[np.ndarray, "..."], sizes: Float[np.ndarray, "size"]) -> Float[np.ndarray, "..."]:
    """log₁₀ N from log N, with all that is beyond the N that were tried half the smallest or twice the largest."""
    return np.clip(log_n, np.log(sizes.min() / 2), np.log(sizes.max() * 2)) / np.log(10)


def contest(trials: pd.DataFrame, candidates: pd.DataFrame, generator: np.random.Generator) -> pd.DataFrame:
    """Scores of every candidate against N₅₀, on both halves of the settings and on all.

    Args:
        trials: as of `thresholds`.
        candidates: as `by_moment` takes them.

    Returns:
        A row for each `candidate` and `half` of the settings that it is scored on, or `all`: `correlation`, `error`,
        `share_right` and `order`, each with the ends of a 95 % interval over resamples of architectures and seeds;
        `slope` b; `infinite`, the share of settings in which the candidate is; `better_than_lag` and
        `better_than_parameters`, the shares of resamples in which its error is the smaller.

    Raises:
        InputError: if no setting is learned from N = ∞ by half of the seeds.
    """
    field = _field(trials, candidates)
    scores = _scores_of_all(field)
    resamples = _of_resamples(field, generator, partial(_scores, field))
    infinite = np.isinf(_median(field.candidates))
    of_halves = [field.settings["half"].eq(half).to_numpy() for half in HALVES]
    table = []
    for at, name in enumerate(field.names):
        for place, half in enumerate((*HALVES, ALL)):
            row: dict[str, object] = {"candidate": name, "half": half}
            for score, values in scores.items():
                row[score] = values[place, at]
                if score != "slope":
                    row |= _ends(score, resamples[score][:, place, at])
            row["infinite"] = infinite[at, of_halves[place] if place < len(HALVES) else slice(None)].mean()
            errors = resamples["error"][:, place]
            for baseline in BASELINES:
                row[f"better_than_{baseline}"] = np.mean(errors[:, at] < errors[:, field.names.index(baseline)])
            table.append(row)
    return pd.DataFrame(table)


def _everything(field: _Field) -> tuple[Int[np.ndarray, "1 setting"], Int[np.ndarray, "1 seed"]]:
    """All settings and all seeds, as a single draw."""
    return np.arange(len(field.settings))[None], np.arange(field.log_thresholds.shape[1])[None]


def _resample(field: _Field, generator: np.random.Generator) -> tuple[Int[np.ndarray, "row"], Int[np.ndarray, "seed"]]:
    """All settings of as many architectures as there are, and as many seeds; both are drawn with repetition."""
    architectures, seeds = int(field.architectures.max()) + 1, field.log_thresholds.shape[1]
    numbers = generator.integers(architectures, size=(architectures,))
    rows = np.concatenate([np.flatnonzero(field.architectures == number) for number in numbers])
    return rows, generator.integers(seeds, size=(seeds,))


def _of_resamples(
    field: _Field,
    generator: np.random.Generator,
    scores_of: Callable[[Int[np.ndarray, "draw row"], Int[np.ndarray, "draw seed"]], dict[str, np.ndarray]],
) -> dict[str, Float[np.ndarray, "draw ..."]]:
    """Scores of `DRAWS` resamples, of many at once; draws with fewer settings than others end in `NONE`."""
    draws = [_resample(field, generator) for _ in range(DRAWS)]
    longest = max(len(rows) for rows, _ in draws)
    rows = np.stack([np.pad(rows, (0, longest - len(rows)), constant_values=NONE) for rows, _ in draws])
    seeds = np.stack([seeds for _, seeds in draws])
    parts = [
        scores_of(rows[first : first + TOGETHER], seeds[first : first + TOGETHER])
        for first in range(0, DRAWS, TOGETHER)
    ]
    return {score: np.concatenate([part[score] for part in parts]) for score in parts[0]}


def _ends(score: str, values: Float[np.ndarray, "draw"]) -> dict[str, float]:
    """Ends of a 95 % interval over the draws that have a number."""
    finite = values[np.isfinite(values)]
    low, high = np.quantile(finite, [0.025, 0.975]) if len(finite) else (np.nan, np.nan)
    return {f"{score}_low": low, f"{score}_high": high}


def judged(table: pd.DataFrame) -> str:
    """The candidate with the least error on the development half, from a table of `contest`."""
    development = table[(table["half"] == "development") & ~table["candidate"].isin([*BASELINES, AFTERWARDS])]
    return str(development.sort_values("error", kind="stable")["candidate"].iloc[0])


def winner(table: pd.DataFrame) -> str:
    """The judged candidate if it foretells learning on the held-out half, else nothing.

    Args:
        table: of `contest`.
    """
    name = judged(table)
    (row,) = table[(table["candidate"] == name) & (table["half"] == "held_out")].to_dict("records")
    better = all(row[f"better_than_{baseline}"] >= 0.95 for baseline in BASELINES)
    return name if better and row["correlation_low"] > 0 else ""


def random_halves(trials: pd.DataFrame, candidates: pd.DataFrame, generator: np.random.Generator) -> pd.DataFrame:
    """Table of the best candidate on one half and its error on the other, with settings dealt into halves at random.

    Args:
        trials, candidates: as of `contest`.

    Returns:
        A row for each of `DEALS` deals: `judged`, its `error`, and that of the lag alone, `error_of_lag`.
    """
    field, rows = _field(trials, candidates), []
    for _ in range(DEALS):
        half = np.array(HALVES)[generator.permutation(len(field.settings)) % 2]
        dealt = field._replace(settings=field.settings.assign(half=half))
        development, held_out, _ = _scores_of_all(dealt)["error"]
        best = min(_eligible(field), key=lambda place: development[place])
        rows.append([field.names[best], held_out[best], held_out[field.names.index("lag")]])
    return pd.DataFrame(rows, columns=["judged", "error", "error_of_lag"])


def contest_by_seeds(trials: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Table of the best candidate on the development half, with `FEWER_SEEDS` of the seeds.

    Args:
        trials, candidates: as of `contest`.

    Returns:
        A row for each choice of `seeds`, none if there are no more of them: `judged`; its `error`, `correlation` and
        that of the lag alone, `error_of_lag`, on the held-out half; and `infinite`, the share of all settings in which
        the judged candidate is.
    """
    all_seeds, rows = sorted(trials["seed"].unique()), []
    for seeds in combinations(all_seeds, FEWER_SEEDS) if len(all_seeds) > FEWER_SEEDS else ():
        field = _field(*(table[table["seed"].isin(seeds)] for table in (trials, candidates)))
        scores = _scores_of_all(field)
        development, held_out, _ = scores["error"]
        best = min(_eligible(field), key=lambda place: development[place])
        infinite = np.isinf(_median(field.candidates[best])).mean()
        lag = held_out[field.names.index("lag")]
        label = " ".join(map(str, seeds))
        rows.append([label, field.names[best], held_out[best], scores["correlation"][1, best], lag, infinite])
    return pd.DataFrame(rows, columns=["seeds", "judged", "error", "correlation", "error_of_lag", "infinite"])


def left_out(trials: pd.DataFrame, candidates: pd.DataFrame, generator: np.random.Generator) -> pd.DataFrame:
    """Errors of every candidate on one architecture at a time, by a line fitted on all others.

        log₁₀ N₅₀ ≈ a₋ₖ + b₋ₖ log₁₀ candidate      of architecture k, a₋ₖ and b₋ₖ from the settings of the others

    Args:
        trials, candidates: as of `contest`.

    Returns:
        A row for each `candidate` and left-out `architecture`, with the `error`, the root mean square over its
        settings. And a row for `all` settings, with the ends of a 95 % interval over resamples of architectures and
        seeds, all copies of an architecture left out together; `correlation`, Spearman's of prediction and N₅₀; and
        `better_than_lag` and `better_than_parameters`, the shares of resamples in which the error is the smaller.

    Raises:
        InputError: as `contest`.
    """
    field = _field(trials, candidates)
    architecture = field.settings["architecture"].to_numpy()
    (predictions,), (n50,) = _left_out(field, *_everything(field))
    draws = _of_resamples(field, generator, partial(_error_left_out, field))["error"]
    baselines = {name: draws[:, field.names.index(name)] for name in BASELINES}
    correlations = [rank_correlations(prediction[None], n50)[0] for prediction in predictions]
    owners = {name: architecture == name for name in dict.fromkeys(architecture)}
    errors = {name: _root_mean_square(predictions - n50, mask) for name, mask in owners.items()}
    of_all_settings = _root_mean_square(predictions - n50, np.full(len(n50), True))
    rows: list[dict[str, object]] = []
    for place, candidate in enumerate(field.names):
        rows += [{"candidate": candidate, "architecture": name, "error": errors[name][place]} for name in errors]
        better = {f"better_than_{name}": np.mean(draws[:, place] < of_it) for name, of_it in baselines.items()}
        of_all = {"error": of_all_settings[place], **_ends("error", draws[:, place])}
        names = {"candidate": candidate, "architecture": ALL}
        rows.append({**names, **of_all, "correlation": correlations[place], **better})
    return pd.DataFrame(rows)


def _error_left_out(
    field: _Field, rows: Int[np.ndarray, "draw row"], seeds: Int[np.ndarray, "draw seed"]
) -> dict[str, Float[np.ndarray, "draw candidate"]]:
    predictions, n50 = _left_out(field, rows, seeds)
    return {"error": _root_mean_square(predictions - n50[:, None], (rows != NONE)[:, None])}


def _left_out(
    field: _Field, rows: Int[np.ndarray, "draw row"], seeds: Int[np.ndarray, "draw seed"]
) -> tuple[Float[np.ndarray, "draw candidate row"], Float[np.ndarray, "draw row"]]:
    """log₁₀ N₅₀ of chosen settings and seeds as the other architectures predict it, and as it is.

    NaN where there is no other architecture.
    """
    n50, values = _quantities(field, rows, seeds)
    architectures = np.where(rows == NONE, NONE, field.architectures[rows])
    predictions = np.zeros_like(values)
    for architecture in range(int(field.architectures.max()) + 1):
        mask = (architectures == architecture)[:, None]
        slopes, offsets = _lines(values, n50[:, None], (architectures != NONE)[:, None] & ~mask)
        predictions = np.where(mask, offsets[..., None] + slopes[..., None] * values, predictions)
    return clipped(predictions * np.log(10), field.sizes), n50


def _root_mean_square(
    deviation: Float[np.ndarray, "... row"], mask: Bool[np.ndarray, "... row"]
) -> Float[np.ndarray, "..."]:
    """Root mean square over the rows of the mask, NaN if there are none."""
    return np.sqrt(_mean(deviation**2, mask))


def _mean(values: Float[np.ndarray, "... row"], mask: Bool[np.ndarray, "... row"]) -> Float[np.ndarray, "..."]:
    """Mean over the rows of the mask, NaN if there are none."""
    count = mask.sum(-1)
    total = np.where(mask, values, 0).sum(-1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _eligible(field: _Field) -> list[int]:
    """Places of the candidates that may be judged."""
    return [place for place, name in enumerate(field.names) if name not in (*BASELINES, AFTERWARDS)]


def _quantities(
    field: _Field, rows: Int[np.ndarray, "draw row"], seeds: Int[np.ndarray, "draw seed"]
) -> tuple[Float[np.ndarray, "draw row"], Float[np.ndarray, "draw candidate row"]]:
    """log₁₀ N₅₀ and log₁₀ of candidates, of chosen settings and seeds, as the contest counts them."""
    index = rows[:, :, None], seeds[:, None]
    n50 = clipped(log_n50(field.log_thresholds[index]), field.sizes)
    values = _median(field.candidates[:, *index]).swapaxes(0, 1) / np.log(10)
    return n50, _finite(values, (rows != NONE)[:, None])


def _field(trials: pd.DataFrame, of_paths: pd.DataFrame) -> _Field:
    """Settings that are learned from N = ∞, with the candidates and the gap that is known afterwards."""
    gaps = thresholds(trials.assign(closed=1 - trials["gap"]), "closed").rename(columns={"log_threshold": "value"})
    inside = clipped(gaps["value"].to_numpy(), sizes_of(trials)) * np.log(10)
    afterwards = gaps[[*SETTING, "seed"]].assign(candidate=AFTERWARDS, value=inside)
    candidates = pd.concat([by_moment(of_paths), afterwards], ignore_index=True)
    of_seeds = thresholds(trials)
    reachable = of_seeds.groupby(SETTING, sort=False)["reachable"].mean() >= MOST_SEEDS
    enough = "enough for half of the seeds to learn some lag from N = ∞"
    require(bool(reachable.any()), "ground_truth.updates", enough, int(trials["updates"].max()))
    all_settings = _with_halves(reachable.index.to_frame(index=False))
    settings = all_settings[reachable.to_numpy()].reset_index(drop=True)
    index = pd.MultiIndex.from_frame(settings[SETTING])
    by_seed = of_seeds.pivot(index=SETTING, columns="seed", values="log_threshold")
    by_name = {
        str(name): rows.pivot(index=SETTING, columns="seed", values="value").reindex(index)[by_seed.columns].to_numpy()
        for name, rows in candidates.groupby("candidate", sort=False)
    }
    values = np.stack(list(by_name.values()))
    architectures, places = (
        settings.groupby(names, sort=False).ngroup().to_numpy() for names in (["architecture"], ["grid", "lag"])
    )
    of_settings = by_seed.reindex(index).to_numpy()
    return _Field(settings, architectures, places, of_settings, list(by_name), values, sizes_of(trials))


def _scores_of_all(field: _Field) -> dict[str, Float[np.ndarray, "half candidate"]]:
    """All scores on all settings and seeds."""
    return {score: values[0] for score, values in _scores(field, *_everything(field)).items()}


def _scores(
    field: _Field, rows: Int[np.ndarray, "draw row"], seeds: Int[np.ndarray, "draw seed"]
) -> dict[str, Float[np.ndarray, "draw half candidate"]]:
    """All scores on chosen settings and seeds, on each half and on all."""
    n50, values = _quantities(field, rows, seeds)
    present = rows != NONE
    half = field.settings["half"].to_numpy()[rows]
    mask = np.stack([*((half == name) & present for name in HALVES), present], 1)[:, :, None]  # draw, half, 1, row
    x, y = values[:, None], n50[:, None, None]
    slopes, offsets = _lines(x, y, mask)
    of_other = mask[:, 0]  # the line of the other half, for each setting
    slope, offset = (
        np.where(of_other, coefficients[:, 1, :, None], coefficients[:, 0, :, None])
        for coefficients in (slopes, offsets)
    )
    predictions = clipped((offset + slope * values) * np.log(10), field.sizes)
    log_sizes = np.log10(field.sizes)[:, None, None, None]
    right = ((log_sizes >= predictions) == (log_sizes >= n50[:, None])).mean(0)
    count = int(field.places.max()) + 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of means of nothing, which are NaN
        return {
            "correlation": rank_correlations_within(x, y, np.where(mask, 0, 1), 1)[..., 0],
            "error": _root_mean_square((predictions - n50[:, None])[:, None], mask),
            "share_right": _mean(right[:, None], mask),
            "order": _order(x, y, np.where(mask, field.places[rows][:, None, None], count), count),
            "slope": slopes,
        }


def _order(
    values: Float[np.ndarray, "... candidate row"],
    n50: Float[np.ndarray, "... row"],
    places: Int[np.ndarray, "... row"],
    count: int,
) -> Float[np.ndarray, "... candidate"]:
    """The mean over places of the rank correlation within each."""
    return np.nanmean(rank_correlations_within(values, n50, places, count), axis=-1)


def _finite(
    values: Float[np.ndarray, "... candidate row"], mask: Bool[np.ndarray, "... row"]
) -> Float[np.ndarray, "... candidate row"]:
    """log₁₀ of candidates with ∞ a decade beyond the largest finite value of each, or 0 where none is finite."""
    largest = np.where(np.isfinite(values) & mask, values, -np.inf).max(-1, keepdims=True)
    return np.where(np.isfinite(values), values, np.where(np.isfinite(largest), largest + 1, 0))


def _lines(
    x: Float[np.ndarray, "... candidate row"], y: Float[np.ndarray, "... row"], mask: Bool[np.ndarray, "... row"]
) -> tuple[Float[np.ndarray, "... candidate"], Float[np.ndarray, "... candidate"]]:
    """Slopes and offsets by least squares over the mask's rows; constants where x does not vary, NaN of no rows."""
    mean_x, mean_y = _mean(x, mask), _mean(y, mask)
    varies = np.where(mask, x, -np.inf).max(-1) > np.where(mask, x, np.inf).min(-1)
    deviation = np.where(mask, x - mean_x[..., None], 0)
    square = np.where(varies, (deviation**2).sum(-1), 1)
    slopes = np.where(varies, (deviation * np.where(mask, y - mean_y[..., None], 0)).sum(-1) / square, 0)
    return slopes, mean_y - slopes * mean_x
