"""Tables of lags that gradients see, and of lags that are learned, with attention and without."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from learnability.stats.proportions import Z95
from learnability.windows.noise import HEAVY
from learnability.windows.opening import first_epochs, in_order
from learnability.windows.reach import HALF, RUN, by_lag, over_seeds, reach, summary

WITH = {"mem_rnn": "rnn", "rel_rnn": "rnn", "rel_lstm": "lstm"}
"""Networks with attention, and those of the same cell without."""
ORTHOGONAL = ("orth_rnn", "exp_rnn")
"""Networks without attention whose recurrence is built to keep a gradient."""
SAME_CELL, KEEPS = "same cell", "keeps its gradient"
"""How a network without attention differs from the one with it that it is compared with."""
LEARNED_SHARES = (0.1, HALF)
"""Shares of the coefficient from which a lag counts as learned."""
CONTRAST = [
    *("experiment", "with", "without", "kind", "seeds", "trained_on"),
    *(f"{name}{end}" for name in ("share", "noise") for end in ("", "_low", "_high")),
]


def tabulate(windows: pd.DataFrame, responses: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Tables by network, over its seeds; a network sees a lag if N̂(ℓ) is no more than the sequences it is trained on.

    N̂ and B_ℓ are those of `learnability.windows.own_gradient`, N̂ in the noise of the whole gradient, or NaN where
    α̂ < 1.2: there it would go as a power of more than six. Under permuted errors, those of the next sequence, there is
    nothing to see.

    Args:
        windows, responses: `training_windows` and `training_responses` of
            `learnability.windows.through_training.measure_training`, with `experiment`, `architecture`, `seed`, and
            `units`, `parameters` and the sequences that a network is `trained_on`.

    Returns:
        `attention_windows`: at each lag, before training and at its end (`epoch`), medians over seeds and of the ends
        of 95 % intervals: the tail index `alpha`, and at how many of the seeds it is below 1.2, `heavy`; log₁₀ N̂ as
        `needed`, and under permuted errors, `permuted`; log₁₀ B_ℓ as `noise_scale`; and of a lag of the task the
        `share` of its coefficient that is learned.
        `attention_reach`: of each network the median over seeds, `_low` the least and `_high` the greatest: the longest
        lag of the task that is seen at the `start`, at the `end` and at any stored epoch, `ever`, and that is half
        `learned`, steps, 0 for none; the `share` that is learned, the mean over lags of the task; and the share of
        measurements with permuted errors in which a lag is seen, `false`.
        `attention_widens`: the `share` of networks with attention less that of one without, of the same cell or whose
        recurrence keeps its gradient (`kind`), trained on the same sequences; and log₁₀ of the quotient of their B_ℓ at
        the longest lag of the task at the start, `noise`. Medians over seeds; `_low` and `_high` of the share are the
        least and greatest ends of the 95 % intervals of seeds, of the noise the least and greatest of seeds.
        `attention_training`: at each stored epoch the share of lags of the task that are `detected`, N̂(ℓ) being no more
        than the sequences that a network is trained on, and the `share` of the coefficients that is learned, the mean
        over lags; medians over seeds, `_low` the least and `_high` the greatest; NaN where no N̂ can be told.
        `attention_order`: of `lags` of the task, over seeds, how many are learned, to `share` of their coefficient, and
        of these detected in `N` sequences before, at the same stored epoch or after, see
        `learnability.windows.opening`; how many of those after are `learned at the start`, for untrained weights have
        some response; and how many are `detected by chance`, with permuted errors. N is the number of
        sequences that are measured, and that of those a network is trained on, to which N̂ is extrapolated; a lag whose
        N̂ cannot be told is not detected.
    """
    lags = by_lag(windows, responses)
    reaches = reach(lags)
    return {
        "attention_windows": over_seeds(lags),
        "attention_reach": summary(reaches),
        "attention_widens": _contrasts(reaches),
        "attention_training": _by_epoch(lags),
        "attention_order": _order(windows, responses),
    }


def _by_epoch(lags: pd.DataFrame) -> pd.DataFrame:
    task = lags.dropna(subset="share")
    is_detected = (task["needed"] <= np.log10(task["trained_on"])).astype(float).where(~task["heavy"])
    of_runs = task.assign(detected=is_detected).groupby([*RUN, "epoch"], sort=False)[["detected", "share"]].mean()
    groups = of_runs.groupby([*RUN[:2], "epoch"], sort=False)
    table = pd.DataFrame({"seeds": groups.size()})
    for name in ("detected", "share"):
        table[[name, f"{name}_low", f"{name}_high"]] = groups[name].agg(["median", "min", "max"])
    return table.reset_index()


def _order(windows: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    light_windows = windows.assign(
        log_sample_complexity=windows["log_sample_complexity"].mask(windows["alpha"] < HEAVY)
    )
    rows = []
    for most in ("sequences", "trained_on"):
        epochs = first_epochs(light_windows, responses, RUN, LEARNED_SHARES, most=most)
        sizes = windows.groupby(RUN[:2])[most].first().to_dict()
        for (experiment, name), lags in epochs.groupby(RUN[:2], sort=False):
            total, control = (lags[lags["noise"] == noise] for noise in ("total", "permuted"))
            of_network = {"experiment": experiment, "architecture": name, "seeds": total["seed"].nunique()}
            of_network |= {"N": sizes[experiment, name], "is_trained_on": most == "trained_on", "lags": len(total)}
            by_chance = {"detected by chance": int(np.isfinite(control["detected"]).sum())}
            for share in LEARNED_SHARES:
                learned_at = total[f"learned_{share}"]
                at_start = {"learned at the start": int(((learned_at == 0) & (total["detected"] > 0)).sum())}
                rows.append(
                    of_network | {"share": share} | in_order(total["detected"], learned_at) | at_start | by_chance
                )
    return pd.DataFrame(rows)


def pairs(networks: pd.DataFrame) -> Iterator[tuple[tuple[str, str, str, str], pd.DataFrame]]:
    """Networks with attention, and by the same seeds those without; a pair of which one is missing is none.

    Args:
        networks: a row for each `experiment`, `architecture` and `seed`.

    Yields:
        Experiment, both architectures and how the second differs, "same cell" or "keeps its gradient"; and a row for
        each seed, in which the columns of the second end in `_without`.
    """
    partners = [(name, base, SAME_CELL) for name, base in WITH.items()]
    partners += [(name, reference, KEEPS) for name in WITH for reference in ORTHOGONAL]
    for experiment, members in networks.groupby("experiment", sort=False):
        for name, reference, kind in partners:
            with_attention, without = (
                members[members["architecture"] == architecture] for architecture in (name, reference)
            )
            pair = with_attention.merge(without, on="seed", suffixes=("", "_without"))
            if len(pair):
                yield (str(experiment), name, reference, kind), pair


def _contrasts(reaches: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for (experiment, name, without, kind), pair in pairs(reaches):
        share, noise = (pair[column] - pair[f"{column}_without"] for column in ("share", "noise"))
        half = Z95 * np.hypot(pair["error"], pair["error_without"])
        rows.append(
            {
                "experiment": experiment,
                "with": name,
                "without": without,
                "kind": kind,
                "seeds": len(pair),
                "trained_on": pair["trained_on"].iloc[0],
                "share": share.median(),
                "share_low": (share - half).min(),
                "share_high": (share + half).max(),
                "noise": noise.median(),
                "noise_low": noise.min(),
                "noise_high": noise.max(),
            }
        )
    return pd.DataFrame(rows, columns=CONTRAST)
