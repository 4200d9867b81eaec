"""What gradients see of each lag, and what is learned of it, with attention and without."""

from typing import Any

import numpy as np
import pandas as pd

from learnability.stats.proportions import Z95
from learnability.windows.noise import HEAVY

WITH = {"mem_rnn": "rnn", "rel_rnn": "rnn", "rel_lstm": "lstm"}
"""Networks with attention, and those of the same cell without."""
KEEPING = ("orth_rnn", "exp_rnn")
"""Networks without attention whose recurrence is built to keep a gradient."""
HALF = 0.5
"""Share of the coefficient from which a lag counts as learned."""
RUN = ["experiment", "architecture", "seed"]
SIZES = ["units", "parameters", "trained_on"]
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
    """
    seen = _by_lag(windows, responses)
    reach = _reach(seen)
    return {
        "attention_windows": _over_seeds(seen),
        "attention_reach": _summary(reach),
        "attention_widens": _contrasts(reach),
    }


def _by_lag(windows: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """A row for each network, epoch and lag: tail index, log₁₀ N̂ and of permuted errors, log₁₀ B_ℓ, learned share."""
    keys = [*RUN, *SIZES, "epoch", "lag"]
    of_total = windows[windows["noise"] == "total"].assign(heavy=lambda rows: rows["alpha"] < HEAVY)
    ends = ["", "_low", "_high"]
    with np.errstate(divide="ignore"):
        columns = {f"needed{end}": of_total[f"log_sample_complexity{end}"] / np.log(10) for end in ends}
        columns |= {f"noise_scale{end}": np.log10(of_total[f"noise_scale{end}"]) for end in ends}
    quoted = of_total.assign(**columns)
    needed = [f"needed{end}" for end in ends]
    quoted[needed] = quoted[needed].mask(quoted["heavy"])
    own, permuted = (quoted[quoted["control"] == control] for control in ("none", "permuted_errors"))
    kept = own[[*keys, "sequences", "alpha", "heavy", *columns]]
    kept = kept.merge(permuted[[*keys, "needed"]].rename(columns={"needed": "permuted"}), on=keys)
    asked = responses[responses["coefficient"] != 0]
    shares = {f"share{end}": asked[f"response{end}"] / asked["coefficient"] for end in ends}
    return kept.merge(asked.assign(**shares)[[*keys, *shares]], on=keys, how="left")


def _over_seeds(seen: pd.DataFrame) -> pd.DataFrame:
    last = seen.groupby(RUN)["epoch"].transform("max")
    shown = seen[(seen["epoch"] == 0) | (seen["epoch"] == last)]
    groups = shown.groupby(["experiment", "architecture", *SIZES, "sequences", "epoch", "lag"], sort=False)
    names = [name for name in map(str, seen) if name.startswith(("needed", "permuted", "noise_scale", "share"))]
    medians = groups[["alpha", *names]].median()
    medians.insert(0, "seeds", groups.size())
    medians.insert(2, "heavy", groups["heavy"].sum())
    return medians.reset_index()


def _reach(seen: pd.DataFrame) -> pd.DataFrame:
    """A row for each network."""
    return pd.DataFrame([_of_run(rows) for _, rows in seen.groupby(RUN, sort=False)])


def _of_run(rows: pd.DataFrame) -> dict[str, Any]:
    enough, last = np.log10(rows["trained_on"].iloc[0]), rows["epoch"].max()
    task = rows.dropna(subset="share")
    start, end = (task[task["epoch"] == epoch] for epoch in (0, last))
    spread = (end["share_high"] - end["share_low"]) / 2 / Z95
    return {
        **{name: rows[name].iloc[0] for name in [*RUN, *SIZES]},
        **{name: _longest(some, enough) for name, some in {"start": start, "end": end, "ever": task}.items()},
        "learned": end["lag"].where(end["share"] >= HALF, 0).max(),
        "share": end["share"].mean(),
        "error": np.sqrt((spread**2).sum()) / len(end),
        "noise": start.sort_values("lag")["noise_scale"].iloc[-1],
        "false": (rows["permuted"].dropna() <= enough).mean(),
    }


def _longest(rows: pd.DataFrame, enough: float) -> float:
    """The longest lag that is seen, 0 for none, NaN where no N̂ can be told."""
    quoted = rows.dropna(subset="needed")
    return float(quoted["lag"].where(quoted["needed"] <= enough, 0).max()) if len(quoted) else np.nan


def _summary(reach: pd.DataFrame) -> pd.DataFrame:
    groups = reach.groupby(["experiment", "architecture", *SIZES], sort=False)
    table = pd.DataFrame({"seeds": groups.size()})
    for name in ("start", "end", "ever", "learned", "share"):
        table[[name, f"{name}_low", f"{name}_high"]] = groups[name].agg(["median", "min", "max"])
    return table.assign(false=groups["false"].mean()).reset_index()


def _contrasts(reach: pd.DataFrame) -> pd.DataFrame:
    pairs = [(name, base, "same cell") for name, base in WITH.items()]
    pairs += [(name, other, "keeps its gradient") for name in WITH for other in KEEPING]
    rows = []
    for experiment, members in reach.groupby("experiment", sort=False):
        for name, other, kind in pairs:
            own, without = (members[members["architecture"] == each] for each in (name, other))
            both = own.merge(without, on="seed", suffixes=("", "_without"))
            if both.empty:
                continue
            share, noise = (both[each] - both[f"{each}_without"] for each in ("share", "noise"))
            half = Z95 * np.hypot(both["error"], both["error_without"])
            rows.append(
                {
                    "experiment": experiment,
                    "with": name,
                    "without": other,
                    "kind": kind,
                    "seeds": len(both),
                    "trained_on": both["trained_on"].iloc[0],
                    "share": share.median(),
                    "share_low": (share - half).min(),
                    "share_high": (share + half).max(),
                    "noise": noise.median(),
                    "noise_low": noise.min(),
                    "noise_high": noise.max(),
                }
            )
    return pd.DataFrame(rows, columns=CONTRAST)
