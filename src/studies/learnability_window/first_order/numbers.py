"""First-order and exact transport, for the page."""

from typing import Any

import numpy as np

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence

SIZE = 1600
"""Sequences N of the windows that the page tells, not more than were measured."""


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: sums of transport at `last`, the farthest lag, and `between`, no multiple of `period`.

    `orders` are log₁₀ of exact over first order, medians over seeds, `slow` of slow starts, and nearly `by_medians`,
    the same of medians. `of_seeds` are of each seed, `by_sgd` of the three gates under SGD, and `at_005` of gates that
    start at 0.05; median first-order sums of the three gates are `apart` by so many. `error` is the relative error of
    the diagonal, `off_diagonal` the median over lags; `correlations` are of each seed. `windows` are by exact gradients
    with `SIZE` sequences.
    """
    by_lag, period = evidence.adamw("", "transport_by_lag"), evidence.adamw("", "resonances")["period"].iloc[0]
    lags = by_lag["lag"].unique()
    last, between = lags.max(), lags[lags % period != 0].max()
    at, beside = (by_lag[by_lag["lag"] == lag] for lag in (last, between))
    check = evidence.adamw("", "transport_check").query("gru_rates != 'eq26'")
    correlations, of_seeds = check["Spearman"], check["orders at the last lag"]
    by_network = evidence.table("", "transport_check").query("gru_rates != 'eq26'")
    all_orders = by_network.groupby(["optimizer", "architecture"])["orders at the last lag"].median()
    median = correlations.groupby(level=0, sort=False).median()
    three = at.loc[evidence.three]
    orders = all_orders["adamw"]
    exact = evidence.adamw("gradient_step", "windows").query("transport == 'exact'")
    return {
        "size": SIZE,
        "windows": exact.loc[evidence.three, f"N = {SIZE}"],
        "last": last,
        "between": between,
        "period": period,
        "orders": orders,
        "three": orders[evidence.three],
        "by_medians": np.log10(three["exact"] / three["first_order"]),
        "of_seeds": of_seeds,
        "slow": orders[[evidence.labels[name] for name in evidence.groups["slow"].values()]],
        "by_sgd": all_orders["sgd"][evidence.three],
        "at_005": all_orders["adamw"][["ConstGate at 0.05", "SharedGate at 0.05", "DiagGate at 0.05"]],
        "apart": np.ptp(np.log10(three["first_order"])),
        "at_last": three,
        "at_between": beside.loc[evidence.three],
        "off_diagonal": by_lag.groupby(level=0)["off_diagonal"].median()[evidence.three],
        "error": at["relative_error"],
        "correlations": correlations,
        "rows": {
            f"exact, lag {last}": at["exact"].map(number),
            f"exact, lag {between}": beside["exact"].map(number),
            f"first order, lag {last}": at["first_order"].map(number),
            "rank correlation over lags; at least 0.972 in the author's check": median.map(number),
        },
    }
