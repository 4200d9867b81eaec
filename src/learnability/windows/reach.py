"""The longest lags that networks detect and learn, over seeds, from the tables of `through_training`."""

from typing import Any

import numpy as np
import pandas as pd

from learnability.stats.proportions import Z95
from learnability.windows.noise import HEAVY

HALF = 0.5
"""Share of the coefficient from which a lag counts as learned."""
RUN = ["experiment", "architecture", "seed"]
SIZES = ["units", "parameters", "trained_on"]


def by_lag(windows: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """A row for each network, epoch and lag, of `learnability.windows.through_training.measure_training`.

    N̂ is that in the noise of the whole gradient, or NaN where α̂ < 1.2: there it would go as a power of more than six.
    Under permuted errors, the errors of the next sequence, there is nothing to see.

    Args:
        windows, responses: `training_windows` and `training_responses`, with `experiment`, `architecture`, `seed`, and
            `units`, `parameters` and the sequences that a network is `trained_on`.

    Returns:
        The tail index `alpha`, and whether it is below 1.2, `heavy`; log₁₀ N̂ as `needed`, and under permuted errors,
        `permuted`; log₁₀ B_ℓ as `noise_scale`; and of a lag of the task the `share` of its coefficient that is learned;
        with their 95 % intervals.
    """
    keys = [*RUN, *SIZES, "epoch", "lag"]
    of_total = windows[windows["noise"] == "total"].assign(heavy=lambda rows: rows["alpha"] < HEAVY)
    ends = ["", "_low", "_high"]
    with np.errstate(divide="ignore"):
        columns = {f"needed{end}": of_total[f"log_sample_complexity{end}"] / np.log(10) for end in ends}
        columns |= {f"noise_scale{end}": np.log10(of_total[f"noise_scale{end}"]) for end in ends}
    estimates = of_total.assign(**columns)
    needed_columns = [f"needed{end}" for end in ends]
    estimates[needed_columns] = estimates[needed_columns].mask(estimates["heavy"])
    measures, null_control = (estimates[estimates["control"] == control] for control in ("none", "permuted_errors"))
    table = measures[[*keys, "sequences", "alpha", "heavy", *columns]]
    table = table.merge(null_control[[*keys, "needed"]].rename(columns={"needed": "permuted"}), on=keys)
    task_rows = responses[responses["coefficient"] != 0]
    shares = {f"share{end}": task_rows[f"response{end}"] / task_rows["coefficient"] for end in ends}
    return table.merge(task_rows.assign(**shares)[[*keys, *shares]], on=keys, how="left")


def over_seeds(seen: pd.DataFrame) -> pd.DataFrame:
    """Medians over seeds, and of the ends of intervals, before training and at its end; `heavy` counts seeds.

    Args:
        seen: of `by_lag`.
    """
    last = seen.groupby(RUN)["epoch"].transform("max")
    endpoints = seen[(seen["epoch"] == 0) | (seen["epoch"] == last)]
    groups = endpoints.groupby(["experiment", "architecture", *SIZES, "sequences", "epoch", "lag"], sort=False)
    names = [name for name in map(str, seen) if name.startswith(("needed", "permuted", "noise_scale", "share"))]
    medians = groups[["alpha", *names]].median()
    medians.insert(0, "seeds", groups.size())
    medians.insert(2, "heavy", groups["heavy"].sum())
    return medians.reset_index()


def reach(seen: pd.DataFrame) -> pd.DataFrame:
    """A row for each network: the longest lag of the task that is seen, N̂(ℓ) ≤ N, the sequences of its training.

    Args:
        seen: of `by_lag`.

    Returns:
        The longest lag that is seen at the `start`, at the `end` and at any stored epoch, `ever`, and the longest that
        is half `learned`, steps, 0 for none; the mean `share` that is learned, and its standard `error`; log₁₀ B of the
        longest lag at the start, `noise`; and the share of measurements with permuted errors in which a lag is seen,
        `false`.
    """
    return pd.DataFrame([_of_run(rows) for _, rows in seen.groupby(RUN, sort=False)])


def _of_run(rows: pd.DataFrame) -> dict[str, Any]:
    enough, last = np.log10(rows["trained_on"].iloc[0]), rows["epoch"].max()
    task = rows.dropna(subset="share")
    start, end = (task[task["epoch"] == epoch] for epoch in (0, last))
    spread = (end["share_high"] - end["share_low"]) / 2 / Z95
    return {
        **{name: rows[name].iloc[0] for name in [*RUN, *SIZES]},
        **{name: _longest(table, enough) for name, table in {"start": start, "end": end, "ever": task}.items()},
        "learned": end["lag"].where(end["share"] >= HALF, 0).max(),
        "share": end["share"].mean(),
        "error": np.sqrt((spread**2).sum()) / len(end),
        "noise": start.sort_values("lag")["noise_scale"].iloc[-1],
        "false": (rows["permuted"].dropna() <= enough).mean(),
    }


def _longest(rows: pd.DataFrame, enough: float) -> float:
    """The longest lag that is detected, 0 for none, NaN where no N̂ is estimated."""
    estimates = rows.dropna(subset="needed")
    return float(estimates["lag"].where(estimates["needed"] <= enough, 0).max()) if len(estimates) else np.nan


def summary(reached: pd.DataFrame) -> pd.DataFrame:
    """Median over the seeds of a network, minimum as `_low` and maximum as `_high`; `false` is a mean.

    Args:
        reached: of `reach`.
    """
    groups = reached.groupby(["experiment", "architecture", *SIZES], sort=False)
    table = pd.DataFrame({"seeds": groups.size()})
    for name in ("start", "end", "ever", "learned", "share"):
        table[[name, f"{name}_low", f"{name}_high"]] = groups[name].agg(["median", "min", "max"])
    return table.assign(false=groups["false"].mean()).reset_index()
