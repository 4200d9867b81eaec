"""Table 1 of the paper, and tables of what was learned, windows, Jacobian condition numbers, transport and scaling."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from learnability.stats.fits import fit_power
from learnability.windows.scaling import rank_correlation, scaling_measures
from studies.learnability_window.conclusions import conclusions
from studies.learnability_window.opening import detected_before_learned, first_epochs
from studies.learnability_window.theory import bounds, optimizers, residuals
from studies.learnability_window.window_ends import window_ends


def decay_fits(fits: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Table 1: R² (semi-log) and τ_env of each architecture, mean and range over seeds.

    Args:
        fits: rows of `learnability.stats.fits.fit_envelope` with columns architecture and seed.
        labels: names of architectures in print.
    """
    exponential = fits[fits["model"] == "exponential"]
    rows = [
        {
            "Architecture": labels[str(architecture)],
            "R² (semi-log)": group["r_squared"].mean(),
            "τ_env": group["parameter"].mean(),
            "τ_env, smallest": group["parameter"].min(),
            "τ_env, largest": group["parameter"].max(),
            "seeds": len(group),
        }
        for architecture, group in exponential.groupby("architecture", sort=False)
    ]
    return pd.DataFrame(rows)


def learning_rates(
    fits: pd.DataFrame, curve: pd.DataFrame, gates: pd.DataFrame, labels: Mapping[str, str]
) -> pd.DataFrame:
    """How far each optimiser and learning rate took the networks, and Table 1's R² and τ_env of them; means over seeds.

    Args:
        fits: rows of `learnability.stats.fits.fit_envelope` with columns architecture, optimizer and seed.
        curve: learning curves, with the same columns.
        gates: gate statistics, with the same columns.
        labels: names of architectures in print.

    Returns:
        Training and validation loss and the mean gate of the last epoch, R² and τ_env of the exponential, the least and
        the largest τ_env over seeds.
    """
    run = ["optimizer", "architecture", "seed"]
    last = [table.sort_values("epoch").groupby(run, sort=False).tail(1).set_index(run) for table in (curve, gates)]
    exponential = fits[fits["model"] == "exponential"].set_index(run)
    table = pd.DataFrame(
        {
            "training loss": last[0]["training_loss"],
            "validation loss": last[0]["validation_loss"],
            "mean gate": last[1]["mean"],
            "R² (semi-log)": exponential["r_squared"],
            "τ_env": exponential["parameter"],
        }
    ).reindex(exponential.index)
    grouped = table.groupby(run[:2], sort=False)
    means = grouped.mean().assign(
        **{
            "τ_env, smallest": grouped["τ_env"].min(),
            "τ_env, largest": grouped["τ_env"].max(),
            "seeds": grouped.size(),
        }
    )
    return _named(means.reset_index(), labels)


def learned(response: pd.DataFrame, loss: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """What was learned: r/c where c ≠ 0, the largest r elsewhere, and what the loss is made of; means over seeds.

    Args:
        response, loss: of `windows.response.measure_response`, with columns architecture, optimizer and seed.
        labels: names of architectures in print.
    """
    runs = ["optimizer", "architecture"]
    mean = response.groupby([*runs, "lag", "coefficient"], sort=False)["response"].mean().reset_index()
    asked, others = mean[mean["coefficient"] != 0], mean[mean["coefficient"] == 0]
    share = asked.assign(lag=[f"r/c at {lag}" for lag in asked["lag"]], share=asked["response"] / asked["coefficient"])
    largest = others.sort_values("response", key=np.abs).groupby(runs).tail(1).set_index(runs)
    parts = loss.pivot_table(index=runs, columns="part", values="loss", sort=False)
    table = share.pivot(index=runs, columns="lag", values="share")[share["lag"].unique()].assign(
        **{"largest echo": largest["response"], "its lag": largest["lag"]},
        **{f"loss: {part}": parts[part] for part in loss["part"].unique()},
        seeds=response.groupby(runs)["seed"].nunique(),
    )
    return _named(table.reindex(parts.index).reset_index(), labels)


def windows(window: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Ĥ_N under the reading's criterion, steps, a column for each N: medians over seeds, of medians over directions.

    Args:
        window: rows of `windows.detection.learnability_window` with columns architecture, optimizer, seed and
            transport.
        labels: names of architectures in print.
    """
    chosen = window[window["chosen"]]
    rows = ["optimizer", "architecture", "transport"]
    of_seeds = chosen.groupby([*rows, "sample_size", "seed"], sort=False)["horizon"].median().reset_index()
    table = of_seeds.pivot_table("horizon", rows, "sample_size", "median", sort=False)
    return _named(table.rename(columns=lambda size: f"N = {size}").reset_index(), labels)


def windows_by_direction(window: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """How windows of the reading's criterion spread over directions w and seeds, a row for each run and N.

    Args:
        window: as of `windows`, with a column `direction`.
        labels: names of architectures in print.

    Returns:
        `windows`, how many there are, seeds times directions; `open`, the share that is; quartiles of Ĥ_N, steps.
    """
    chosen = window[window["chosen"]]
    horizons = chosen.groupby(["optimizer", "architecture", "transport", "sample_size"], sort=False)["horizon"]
    table = pd.DataFrame(
        {
            "windows": horizons.size(),
            "open": horizons.agg(lambda found: (found > 0).mean()),
            **{f"{share:.0%}": horizons.quantile(share) for share in (0.25, 0.5, 0.75)},
        }
    )
    return _named(table.rename_axis(index={"sample_size": "N"}).reset_index(), labels)


def echoes(
    window: pd.DataFrame, granted: pd.DataFrame, response: pd.DataFrame, labels: Mapping[str, str]
) -> pd.DataFrame:
    """Windows that end at lags of the task, and at others, as it is and with targets that hold the echoes.

    Args:
        window, granted: as of `windows_by_direction`, of one kind of transport, the latter with
            targets of `learnability.windows.echoes.granted_targets`.
        response: of `learnability.windows.response.measure_response`, which knows the lags of the task.
        labels: names of architectures in print.

    Returns:
        A row for each run and N: `windows`, how many there are, seeds times directions, and the shares of them that are
        open and end at a lag of the task, or at another.
    """
    keys = ["optimizer", "architecture", "transport", "sample_size"]
    columns = {"windows": window[window["chosen"]].groupby(keys, sort=False).size()}
    for name, found in (("", window), (", echoes granted", granted)):
        ends = window_ends(found, response, keys)
        columns |= {f"end at the task's lags{name}": ends["at"], f"end at others{name}": ends["away"]}
    table = pd.DataFrame(columns).reindex(columns["windows"].index).rename_axis(index={"sample_size": "N"})
    return _named(table.reset_index(), labels)


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
    return _named(pd.DataFrame(rows), labels)


def spread(sample_complexity: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """What makes log N̂(ℓ) uncertain: standard deviations over seeds, over directions w and of the bootstrap.

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
    return _named(pd.DataFrame(rows), labels)


def floor(noise: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """What the floor of the author's public code does to α̂ and σ̂ (Figures 5 and 6), whatever the reading's own floor.

    Args:
        noise: rows of `windows.noise.fit_noise` with columns architecture and optimizer, at lags of all seeds.
        labels: names of architectures in print.

    Returns:
        For each run: `lags floored`, the share of them with an interquartile range below 1e-12, the first such lag, the
        median α̂ without and with the floor, by which it counts as 2, and the ratio of the largest to the smallest σ̂
        over lags without it, median over seeds and directions; with it the smallest is 0 as soon as a lag is floored.
    """
    rows = []
    for names, group in noise.groupby(["optimizer", "architecture"], sort=False):
        below = group["spread"] < PUBLISHED_FLOOR
        scale = group.groupby(["seed", "direction"])["scale_unfloored"]
        rows.append(
            dict(zip(("optimizer", "architecture"), names, strict=True))
            | {
                "lags floored": below.mean(),
                "first floored": group.loc[below, "lag"].min(),
                "α̂ without": group["alpha_unfloored"].median(),
                "α̂ with": group["alpha_unfloored"].mask(below, 2.0).median(),
                "σ̂ largest/smallest": (scale.max() / scale.min()).median(),
            }
        )
    return _named(pd.DataFrame(rows), labels)


def windows_by_option(changes: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Ĥ_N at the largest N with each option changed alone, and its bootstrap interval, a column for each architecture.

    Args:
        changes: rows of `learnability.windows.sensitivity.Sensitivity.vary` with a column architecture.
        labels: names of architectures in print.
    """
    last = changes[changes["sample_size"] == changes["sample_size"].max()].fillna({"value": ""})
    ends = zip(last["horizon"], last["horizon_low"], last["horizon_high"], strict=True)
    shown = [f"{found:g}" if np.isnan(low) else f"{found:g} [{low:g}, {high:g}]" for found, low, high in ends]
    named = last.assign(shown=shown, architecture=last["architecture"].map(labels))
    table = named.pivot_table("shown", ["option", "value"], "architecture", "first", sort=False).reset_index()
    table.columns.name = None
    return table


def conditioning(condition: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """2-norm condition number of the one-step Jacobian J_T over sequences: median and largest, medians over seeds.

    Args:
        condition: rows of `learnability.transport.conditioning_table` with columns architecture, optimizer and seed.
        labels: names of architectures in print.
    """
    grouped = condition.groupby(["optimizer", "architecture"], sort=False)[["median", "largest"]]
    return _named(grouped.median().reset_index(), labels)


def transport_by_lag(exact: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """First-order beside exact transport at each lag, medians over seeds.

    Args:
        exact: rows of `learnability.transport.exact_table` with columns architecture, optimizer and seed.
        labels: names of architectures in print.
    """
    medians = exact.groupby(["optimizer", "architecture", "lag"], sort=False).median(numeric_only=True)
    return _named(medians.drop(columns="seed").reset_index(), labels)


def transport_check(exact: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """The check of the author's public code: does the first-order envelope fall with the lag as the exact one does?

    Between f = Σ_q ⟨|γ⁰ + γ¹|⟩ and Σ_q ⟨|(M_{t,ℓ})_{qq}|⟩ on the same windows, over the lags of one network. The base
    rate is 1, where that code has a rate for each unit.

    Args:
        exact: rows of `learnability.transport.exact_table` with columns architecture, optimizer and seed.
        labels: names of architectures in print.

    Returns:
        A row for each network, of a GRU two, of which `eq26` has the terms that Eq. 26 adds, as in that code:
        Spearman's correlation of both, Pearson's of their logarithms, the slopes of these over log ℓ, and the
        `slope ratio`, first-order over exact.
    """
    rows = []
    for names, table in exact.groupby(["optimizer", "architecture", "seed"], sort=False):
        kinds = (
            {"strict": "first_order", "eq26": "eq26"}
            if "eq26" in table and table["eq26"].notna().any()
            else {"both": "first_order"}
        )
        for kind, column in kinds.items():
            lags, both = table["lag"].to_numpy(), [table[name].to_numpy() for name in ("exact", column)]
            slopes = [-fit_power(lags, each).parameter for each in both]
            rows.append(
                dict(zip(("optimizer", "architecture", "seed"), names, strict=True))
                | {
                    "gru_rates": kind,
                    "lags": len(lags),
                    "Spearman": rank_correlation(*both),
                    "Pearson of logs": np.corrcoef(*np.log(both))[0, 1],
                    "slope, exact": slopes[0],
                    "slope, first order": slopes[1],
                    "slope ratio": slopes[1] / slopes[0],
                }
            )
    return _named(pd.DataFrame(rows), labels)


def scaling(
    sample_complexity: pd.DataFrame, window: pd.DataFrame, noise: pd.DataFrame, labels: Mapping[str, str]
) -> pd.DataFrame:
    """What the text claims of sample complexities and windows, measured.

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
    return _named(medians.drop(columns=["seed", "direction"]).reset_index(), labels)


def through_training(windows: pd.DataFrame, responses: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """At each lag of the task N̂ early in training, when it is detected, and when it is learned; medians over seeds.

    Args:
        windows, responses: as of `studies.learnability_window.opening.first_epochs`.
        labels: names of architectures in print.

    Returns:
        log₁₀ N̂ at initialisation and at `EARLY`, or the last stored epoch before it, by either noise; the epochs at
        which a lag is first detected, by the noise of the whole gradient, in the sequences that were measured, and
        learned.
    """
    keys = ["optimizer", "architecture", "lag"]
    epochs = first_epochs(windows, responses)
    of_total = epochs[epochs["noise"] == "total"].groupby(keys, sort=False)
    own = windows[windows["control"] == "none"]
    columns = {}
    for epoch in (0, own.loc[own["epoch"] <= EARLY, "epoch"].max()):
        for noise in ("total", "matched"):
            rows = own[(own["epoch"] == epoch) & (own["noise"] == noise)].groupby(keys, sort=False)
            columns[f"log₁₀ N̂, epoch {epoch}, {noise}"] = rows["log_sample_complexity"].median() / np.log(10)
    shown = {"detected": "detected", **{f"learned_{least}": f"r/c ≥ {least:g}" for least in LEARNED}}
    columns |= {text: of_total[name].median() for name, text in shown.items()}
    table = pd.DataFrame(columns).assign(seeds=of_total.size())
    return _named(table.dropna(subset="seeds").astype({"seeds": int}).reset_index(), labels)


def _named(table: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    table.columns.name = None
    return table.assign(architecture=table["architecture"].map(labels))


PUBLISHED_FLOOR = 1e-12
"""Interquartile range under which the author's public code sees no noise: (α̂, σ̂) = (2, 0), not detectable."""
EARLY = 20
"""Epoch by which the order of initialisation may be gone."""
LEARNED = (0.1, 0.5)
"""Shares of the coefficient at which a lag counts as learned, of those of `opening.SHARES`."""
AGREEMENT = 0.1
"""Relative error of first-order transport up to which it agrees with the exact one."""

TABLES: dict[str, Callable[..., pd.DataFrame]] = {
    "table_1": decay_fits,
    "learning_rates": learning_rates,
    "learned": learned,
    "windows": windows,
    "windows_by_direction": windows_by_direction,
    "echoes": echoes,
    "task_lags": task_lags,
    "spread": spread,
    "floor": floor,
    "windows_by_option": windows_by_option,
    "conclusions": lambda crossed, labels: conclusions(crossed),
    "conditioning": conditioning,
    "transport_by_lag": transport_by_lag,
    "transport_check": transport_check,
    "scaling": scaling,
    "through_training": through_training,
    "detected_before_learned": lambda windows, responses, labels, root_seed: detected_before_learned(
        windows, responses, root_seed
    ),
    "appendix_f": lambda sample_complexity, labels: bounds.tabulate(sample_complexity),
    "appendix_h": lambda sample_complexity, labels: residuals.tabulate(sample_complexity),
    "appendix_i": lambda envelope, spectrum, labels: optimizers.tabulate(envelope, spectrum),
}
"""Each of tables of runs, of labels, and of settings that its rule names."""


def transport_in_words(table: pd.DataFrame) -> list[str]:
    """Where the two kinds of transport part, a sentence for each architecture and optimizer of `transport_by_lag`."""
    sentences = []
    for (optimizer, architecture), rows in table.groupby(["optimizer", "architecture"], sort=False):
        ends = [_agreeing(rows, f"relative_error{end}") for end in ("", "_high", "_low")]
        between = f" (95 % interval: {ends[1]} to {ends[2]})" if ends[1] != ends[2] else ""
        near = f"agree within {AGREEMENT:.0%} up to lag {ends[0]}{between}" if ends[0] else "agree at no lag"
        last = rows.iloc[-1]
        ratio = last["exact"] / last["first_order"] if last["first_order"] else np.inf
        size = f"is {ratio:.3g} times the first-order one" if np.isfinite(ratio) else "is all there is"
        far = f"at lag {last['lag']} the exact envelope {size}"
        off = f"{last['off_diagonal']:.0%} of ‖M‖²_F lies off the diagonal"
        sentences.append(f"{architecture}, {optimizer}: first-order and exact transport {near}; {far}, and {off}.")
    return sentences


def _agreeing(rows: pd.DataFrame, column: str) -> int:
    """The last lag up to which a relative error is small, 0 if it is not so at the first."""
    return int(rows["lag"].where((rows[column] <= AGREEMENT).cummin(), 0).max())


def scaling_in_words(table: pd.DataFrame) -> list[str]:
    """What the measured numbers say of the paper's sentences, one for each architecture and optimizer of `scaling`."""
    sentences = []
    for row in table.to_dict("records"):
        said = [
            ("Δ̂ goes as f̂^{:.2g} (Eq. 72 has 1)", "Eq. 72, slope"),
            ("Ĥ(N) grows as N^{:.2g}", "growth of window"),
            ("1/(κβ) is {:.2g}", "growth in theory"),
            ("clipping takes α̂ by regression to {:.2f}", "clipped"),
            ("from {:.2f}", "by regression"),
        ]
        known = ", ".join(words.format(row[name]) for words, name in said if not np.isnan(row[name]))
        sentences.append(f"{row['architecture']}, {row['optimizer']}: {known}.")
    found = table.dropna(subset=["tail index", "decay rate"])
    rho = rank_correlation(found["tail index"].to_numpy(), found["decay rate"].to_numpy())
    if not np.isnan(rho):
        goes = "heavier" if rho > 0 else "lighter"
        over = f"over these {len(found)} rows, Spearman's correlation {rho:.2f}"
        sentences.append(f"Slower decay goes with {goes} tails: {over}.")
    return sentences


NOTES: dict[str, Callable[[pd.DataFrame], list[str]]] = {
    "transport_by_lag": transport_in_words,
    "scaling": scaling_in_words,
}
"""What a table says in words, computed from it."""


def notes(name: str, table: pd.DataFrame) -> list[str]:
    """`NOTES` of a table, none where there are none."""
    return NOTES[name](table) if name in NOTES else []
