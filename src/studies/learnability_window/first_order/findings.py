"""First-order and exact transport at two lags."""

import numpy as np

from learnability.report.findings import Finding, listed, number, percents, spread
from studies.learnability_window.evidence import Evidence


def answer(evidence: Evidence) -> Finding:
    """First-order beside exact transport, at the last lag and at the last that is no multiple of the lags' divisor."""
    by_lag, period = evidence.adamw("", "transport_by_lag"), evidence.adamw("", "resonances")["period"].iloc[0]
    lags = by_lag["lag"].unique()
    last, between = lags.max(), lags[lags % period != 0].max() if period > 1 else lags.max()
    at, beside = (by_lag[by_lag["lag"] == lag] for lag in (last, between))
    three, others = (table.loc[evidence.three].select_dtypes("number") for table in (at, beside))
    missed = np.log10(three["exact"] / three["first_order"])
    ratios = three.max() / three.min()
    usual = by_lag.groupby(level=0)["off_diagonal"].median()[evidence.three]
    check = evidence.adamw("", "transport_check")
    of_networks = check[check["gru_rates"] != "eq26"].groupby(level=0, sort=False)["Spearman"].median()
    return Finding(
        "Does first order describe gradients?",
        f"""
            No. At lag {last} the first-order formula underestimates the exact gradient by
            {missed.min():.0f} to {missed.max():.0f} orders of magnitude.
        """,
        f"""
            The paper's rates say how much of the gradient at a unit reaches the same unit ℓ steps earlier, summed over
            units. For the trained {listed(evidence.three)} at lag {last}, the exact sums are within a factor of
            {number(ratios["exact"])} of each other, and the first-order sums are
            {np.log10(ratios["first_order"]):.0f} orders of magnitude apart. Trained networks answer most at multiples
            of {period}. At lag {last}, which is one, the exact sums are {spread(three["exact"])}; at lag {between},
            which is none, they are {spread(others["exact"])}. The share of
            the squared norm of the product of Jacobians that lies off its diagonal is {percents(usual)} in the
            median over lags, and {percents(three["off_diagonal"])} at lag {last}. Gradients pass from unit to
            unit, which first order leaves out.
        """,
        {
            f"exact, lag {last}": at["exact"].map(number),
            f"exact, lag {between}": beside["exact"].map(number),
            f"first order, lag {last}": at["first_order"].map(number),
            "rank correlation over lags; 0.972 in the author's check": of_networks.map(number),
        },
        "`transport`: with `first_order` networks are apart by these orders of magnitude in all that follows.",
        ("gradient_step", "transport"),
    )
