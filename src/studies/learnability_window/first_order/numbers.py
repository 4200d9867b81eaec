"""First-order beside exact transport, for the page."""

from typing import Any

import numpy as np

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: sums of the three gates at the `last` lag, and at one that is no multiple."""
    by_lag, period = evidence.adamw("", "transport_by_lag"), evidence.adamw("", "resonances")["period"].iloc[0]
    lags = by_lag["lag"].unique()
    last, between = lags.max(), lags[lags % period != 0].max()
    at, beside = (by_lag[by_lag["lag"] == lag] for lag in (last, between))
    three = at.loc[evidence.three]
    check = evidence.adamw("", "transport_check")
    of_networks = check[check["gru_rates"] != "eq26"].groupby(level=0, sort=False)["Spearman"].median()
    return {
        "last": last,
        "between": between,
        "period": period,
        "exact": three["exact"],
        "elsewhere": beside.loc[evidence.three, "exact"],
        "missed": np.log10(three["exact"] / three["first_order"]),
        "apart": np.log10(three["first_order"].max() / three["first_order"].min()),
        "usual": by_lag.groupby(level=0)["off_diagonal"].median()[evidence.three],
        "slow": (at["first_order"] / at["exact"])["ConstGate, slow"],
        "rows": {
            f"exact, lag {last}": at["exact"].map(number),
            f"exact, lag {between}": beside["exact"].map(number),
            f"first order, lag {last}": at["first_order"].map(number),
            "rank correlation over lags; 0.972 in the author's check": of_networks.map(number),
        },
    }
