"""Tables of windows, of the sample complexities and the noise behind them, and of how they scale."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from learnability.windows.scaling import rank_correlation, scaling_measures
from studies.learnability_window.paper import WINDOWS
from studies.learnability_window.tables.labels import with_labels
from studies.learnability_window.window_ends import window_ends

PUBLISHED_FLOOR = 1e-12
"""Interquartile range under which the author's public code sees no noise: (α̂, σ̂) = (2, 0), not detectable."""


def windows(window: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Ĥ_N under the reading's criterion, steps, a column for each N: medians over seeds, of medians over directions.

    Args:
        window: rows of `windows.detection.learnability_window` with columns architecture, optimizer, seed and
            transport.
        labels: names of architectures in print.
    """
    by_criterion = window[window["chosen"]]
    rows = ["optimizer", "architecture", "transport"]
    of_seeds = by_criterion.groupby([*rows, "sample_size", "seed"], sort=False)["horizon"].median().reset_index()
    table = of_seeds.pivot_table("horizon", rows, "sample_size", "median", sort=False)
    return with_labels(table.rename(columns=lambda size: f"N = {size}").reset_index(), labels)


def windows_by_direction(window: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Spread of windows of the reading's criterion over directions w and seeds, a row for each run and N.

    Args:
        window: as of `windows`, with a column `direction`.
        labels: names of architectures in print.

    Returns:
        `windows`, how many there are, seeds times directions; `open`, the share that is; quartiles of Ĥ_N, steps,
        with the smallest and the largest.
    """
    by_criterion = window[window["chosen"]]
    horizons = by_criterion.groupby(["optimizer", "architecture", "transport", "sample_size"], sort=False)["horizon"]
    table = pd.DataFrame(
        {
            "windows": horizons.size(),
            "open": horizons.agg(lambda values: (values > 0).mean()),
            **{f"{share:.0%}": horizons.quantile(share) for share in (0, 0.25, 0.5, 0.75, 1)},
        }
    )
    return with_labels(table.rename_axis(index={"sample_size": "N"}).reset_index(), labels)


def window_order(
    window: pd.DataFrame, permutations: pd.DataFrame, labels: Mapping[str, str], order: Sequence[str]
) -> pd.DataFrame:
    """Seeds in which windows grow from each architecture to the next, and seeds that keep theirs without a signal.

    Args:
        window, permutations: as of `windows_by_direction`, of one optimizer, the latter with errors of another
            sequence.
        labels: names of architectures in print.
        order: architectures, that which is to have the shortest window first.

    Returns:
        A row for each kind of transport and N: in how many of the `seeds` that all architectures have the whole order
        holds, `in order`; for each architecture, in how many its window, the median over directions, stays the same
        with errors of another sequence, `kept`; and in how many seeds in order the last one's does.
    """
    keys, names = ["transport", "sample_size", "seed"], list(order)
    real, permuted = (
        table[table["chosen"]].pivot_table("horizon", keys, "architecture", "median", sort=False)[names].dropna()
        for table in (window, permutations)
    )
    in_order = pd.concat([real[before] < real[after] for before, after in itertools.pairwise(names)], axis=1).all(
        axis=1
    )
    kept = (real > 0) & (real == permuted.reindex(real.index))
    columns = {"in order": in_order} | {f"kept, {labels[name]}": kept[name] for name in names}
    columns[f"in order and kept, {labels[names[-1]]}"] = in_order & kept[names[-1]]
    by_size = pd.DataFrame(columns).groupby(keys[:2], sort=False)
    return by_size.sum().assign(seeds=by_size.size()).rename_axis(index={"sample_size": "N"}).reset_index()


def windows_by_option(changes: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Ĥ_N at the largest N with each option changed alone, and its bootstrap interval, a column for each architecture.

    Args:
        changes: rows of `learnability.windows.sensitivity.Sensitivity.vary` with a column architecture.
        labels: names of architectures in print.
    """
    last = changes[changes["sample_size"] == changes["sample_size"].max()].fillna({"value": ""})
    ends = zip(last["horizon"], last["horizon_low"], last["horizon_high"], strict=True)
    cells = [f"{horizon:g}" if np.isnan(low) else f"{horizon:g} [{low:g}, {high:g}]" for horizon, low, high in ends]
    rows = last.assign(shown=cells, architecture=last["architecture"].map(labels))
    table = rows.pivot_table("shown", ["option", "value"], "architecture", "first", sort=False).reset_index()
    table.columns.name = None
    return table


def echoes(
    window: pd.DataFrame, with_echoes: pd.DataFrame, response: pd.DataFrame, labels: Mapping[str, str]
) -> pd.DataFrame:
    """Windows that end at lags of the task, and at others, as it is and with targets that hold the echoes.

    Args:
        window, with_echoes: as of `windows_by_direction`, of one kind of transport, the latter with
            targets of `learnability.windows.echoes.granted_targets`.
        response: of `learnability.windows.response.measure_response`, which knows the lags of the task.
        labels: names of architectures in print.

    Returns:
        A row for each run and N: `windows`, how many there are, seeds times directions, and the shares of them that are
        open and end at a lag of the task, or at another.
    """
    keys = ["optimizer", "architecture", "transport", "sample_size"]
    columns = {"windows": window[window["chosen"]].groupby(keys, sort=False).size()}
    for name, source in (("", window), (", echoes granted", with_echoes)):
        ends = window_ends(source, response, keys)
        columns |= {f"end at the task's lags{name}": ends["at"], f"end at others{name}": ends["away"]}
    table = pd.DataFrame(columns).reindex(columns["windows"].index).rename_axis(index={"sample_size": "N"})
    return with_labels(table.reset_index(), labels)


def task_lags(sample_complexity: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """N̂ at the task's lags beside lags away from them, by the reading's criterion, medians over seeds.

    A horizon that depends on the task's lags is made by the alignment m̄(ℓ), not by the envelope.

    Args:
        sample_complexity: rows of `windows.detection.estimate_sample_complexity` with columns architecture, optimizer,
            seed, transport and task_lag.
        labels: names of architectures in print.
    """
    rows = []
    keys = ["optimizer", "architecture", "transport"]
    for names, group in sample_complexity[sample_complexity["chosen"]].groupby(keys, sort=False):
        at, away = (group[group["task_lag"] == on] for on in (True, False))
        between = away[away["lag"].between(at["lag"].min(), at["lag"].max())]
        rows.append(
            dict(zip(keys, names, strict=True))
            | {
                "lags at": at["lag"].nunique(),
                "lags away": away["lag"].nunique(),
                "found at": np.isfinite(at["log_sample_complexity"]).mean(),
                "found away": np.isfinite(away["log_sample_complexity"]).mean(),
                "log N̂ at": at["log_sample_complexity"].median(),
                "log N̂ between": between["log_sample_complexity"].median(),
            }
        )
    return with_labels(pd.DataFrame(rows), labels)


def spread(sample_complexity: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Uncertainty of log N̂(ℓ): standard deviations over seeds, over directions w and of the bootstrap.

    Each is the median over lags with a finite N̂ in all of them, by the reading's criterion; the bootstrap's is the
    width of its 95 % interval over 3.92. NaN with one seed, or one direction, alone.

    Args:
        sample_complexity: rows of `windows.windowing.find_window` with columns architecture, optimizer, seed and
            transport.
        labels: names of architectures in print.
    """
    rows = []
    keys = ["optimizer", "architecture", "transport"]
    for names, group in sample_complexity[sample_complexity["chosen"]].groupby(keys, sort=False):
        finite = group[np.isfinite(group["log_sample_complexity"]).groupby(group["lag"]).transform("all")]
        values = finite.groupby(["lag", "seed", "direction"])["log_sample_complexity"].first()
        bootstrap = (finite["log_sample_complexity_high"] - finite["log_sample_complexity_low"]) / 3.92
        rows.append(
            dict(zip(keys, names, strict=True))
            | {
                "lags": finite["lag"].nunique(),
                "over seeds": values.groupby(["lag", "seed"]).mean().groupby("lag").std().median(),
                "over directions": values.groupby(["lag", "seed"]).std().groupby("lag").mean().median(),
                "bootstrap": bootstrap.groupby(finite["lag"]).mean().median(),
            }
        )
    return with_labels(pd.DataFrame(rows), labels)


def null_control(sign_flips: pd.DataFrame, permutations: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Networks whose windows open though there is nothing to find, by the reading's criterion.

    Args:
        sign_flips: of `learnability.windows.sign_flips.null_control`, with columns architecture, optimizer, seed,
            transport and direction.
        permutations: as of `windows_by_direction`, with errors of another sequence.
        labels: names of architectures in print.

    Returns:
        A row for each run and kind of transport: `networks`; `sequences` that were measured; `permuted`, how many
        networks have a window with errors of another sequence, at some N and along some direction; `random signs`, in
        how many the share of data sets with a window lies above the stated level at some N, with its 95 % interval.
    """
    keys = ["optimizer", "architecture", "transport"]
    flips, swaps = sign_flips[sign_flips["chosen"]], permutations[permutations["chosen"]]
    opens = (swaps["horizon"] > 0).groupby([swaps[key] for key in [*keys, "seed"]], sort=False).any()
    above = (flips["low"] > flips["level"]).groupby([flips[key] for key in [*keys, "seed"]], sort=False).any()
    by_run = pd.DataFrame({"permuted": opens, "random signs": above}).groupby(keys, sort=False)
    table = by_run.sum().assign(networks=by_run.size(), sequences=swaps.groupby(keys, sort=False)["sequences"].max())
    return with_labels(table.reset_index(), labels)


def complexity_and_share(
    sample_complexity: pd.DataFrame, response: pd.DataFrame, labels: Mapping[str, str]
) -> pd.DataFrame:
    """Spearman's correlation over networks of N̂(ℓ), median over directions, with the share r(ℓ)/c(ℓ) that is learned.

    Args:
        sample_complexity: as of `spread`, of one kind of transport.
        response: as of `learned`.
        labels: not used.

    Returns:
        A row for each lag of the task at which N̂ was measured.
    """
    network = ["optimizer", "architecture", "seed", "lag"]
    by_criterion = sample_complexity[sample_complexity["chosen"]]
    task_rows = response[response["coefficient"] != 0].set_index(network)
    pairs = pd.DataFrame(
        {
            "complexity": by_criterion.groupby(network, sort=False)["log_sample_complexity"].median(),
            "share": task_rows["response"] / task_rows["coefficient"],
        }
    ).dropna()
    rows = [
        {"lag": lag, "networks": len(rows), "Spearman": rank_correlation(*(rows[name].to_numpy() for name in pairs))}
        for lag, rows in pairs.groupby("lag")
    ]
    return pd.DataFrame(rows)


def floor(noise: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Effect of the floor of the author's public code on α̂ and σ̂ (Figures 5 and 6), whatever the reading's own floor.

    Args:
        noise: rows of `windows.noise.fit_noise` with columns architecture and optimizer, at lags of all seeds.
        labels: names of architectures in print.

    Returns:
        For each run: `lags floored`, the share of lags with an interquartile range below 1e-12; the first such lag of
        any seed, and of the seed where it comes last, none if a seed has none; and medians over seeds and directions.
        These are α̂ without and with the floor, by which it counts as 2; the ratio of the largest to the smallest σ̂
        over lags without the floor, since with it the smallest is 0 as soon as a lag is floored; and how many orders of
        magnitude the interquartile range lies above the floor at each lag at which a window ends in the paper.
    """
    ends, rows = sorted({ranges[-1][-1] for ranges in WINDOWS.values()}), []
    for names, group in noise.groupby(["optimizer", "architecture"], sort=False):
        below = group["spread"] < PUBLISHED_FLOOR
        first = group["lag"].where(below).groupby(group["seed"]).min()
        scale = group.groupby(["seed", "direction"])["scale_unfloored"]
        rows.append(
            dict(zip(("optimizer", "architecture"), names, strict=True))
            | {
                "lags floored": below.mean(),
                "first floored": first.min(),
                "first floored, last seed": first.max(skipna=False),
                "α̂ without": group["alpha_unfloored"].median(),
                "α̂ with": group["alpha_unfloored"].mask(below, 2.0).median(),
                "σ̂ largest/smallest": (scale.max() / scale.min()).median(),
            }
            | {
                f"decades above at {lag:g}": np.log10(
                    group.loc[group["lag"] == lag, "spread"] / PUBLISHED_FLOOR
                ).median()
                for lag in ends
            }
        )
    return with_labels(pd.DataFrame(rows), labels)


def scaling(
    sample_complexity: pd.DataFrame, window: pd.DataFrame, noise: pd.DataFrame, labels: Mapping[str, str]
) -> pd.DataFrame:
    """Measures that the text's claims on sample complexities and windows are about.

    The numbers of `learnability.windows.scaling.scaling_measures`, as medians over seeds and directions.

    Args:
        sample_complexity, window, noise: of `windows.windowing.find_window` with columns architecture, optimizer and
            seed.
        labels: names of architectures in print.
    """
    names = ["optimizer", "architecture", "seed", "direction"]
    windows = dict(iter(window[window["chosen"]].groupby(names)))
    noises = dict(iter(noise.groupby(names)))
    rows = [
        {**dict(zip(names, run, strict=True)), **scaling_measures(rows, windows[run], noises[run])}
        for run, rows in sample_complexity[sample_complexity["chosen"]].groupby(names, sort=False)
    ]
    medians = pd.DataFrame(rows).groupby(["optimizer", "architecture"], sort=False).median(numeric_only=True)
    return with_labels(medians.drop(columns=["seed", "direction"]).reset_index(), labels)


def scaling_in_words(table: pd.DataFrame) -> list[str]:
    """Sentences on the measured numbers beside the paper's, one for each architecture and optimizer of `scaling`."""
    sentences = []
    for row in table.to_dict("records"):
        formats = [
            ("Δ̂ goes as f̂^{:.2g} (Eq. 72 has 1)", "Eq. 72, slope"),
            ("Ĥ(N) grows as N^{:.2g}", "growth of window"),
            ("1/(κβ) is {:.2g}", "growth in theory"),
            ("clipping takes α̂ by regression to {:.2f}", "clipped"),
            ("from {:.2f}", "by regression"),
        ]
        facts = ", ".join(words.format(row[name]) for words, name in formats if not np.isnan(row[name]))
        sentences.append(f"{row['architecture']}, {row['optimizer']}: {facts}.")
    rows = table.dropna(subset=["tail index", "decay rate"])
    rho = rank_correlation(rows["tail index"].to_numpy(), rows["decay rate"].to_numpy())
    if not np.isnan(rho):
        goes = "heavier" if rho > 0 else "lighter"
        over = f"over these {len(rows)} rows, Spearman's correlation {rho:.2f}"
        sentences.append(f"Slower decay goes with {goes} tails: {over}.")
    return sentences
