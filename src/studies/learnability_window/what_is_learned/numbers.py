"""Learned shares of each lag, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence
from studies.learnability_window.paper import WINDOWS


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `share` by architecture and lag, and losses by architecture; means over seeds.

    `early` and `late` are shares of the three gates, medians over seeds, at the last two stored `epochs`, by lag and
    gate. `two` are rows of the LSTM and the GRU. `windows` are the largest that the paper prints of each
    role.
    """
    responses, rates = evidence.adamw("", "learned"), evidence.adamw("gradient_step", "learning_rates")
    by_lag = evidence.adamw("", "through_training").loc[evidence.three].set_index("lag", append=True)
    by_epoch = by_lag.filter(like="r/c, epoch ").rename(columns=lambda name: int(name.split()[-1])).swaplevel()
    share = responses.filter(like="r/c at ").rename(columns=lambda name: int(name.split()[-1]))
    return {
        "share": share,
        "three": share.loc[evidence.three],
        "epochs": list(by_epoch),
        "early": by_epoch.iloc[:, 0],
        "late": by_epoch.iloc[:, 1],
        "learned": responses.loc[evidence.three],
        "rates": rates.loc[evidence.three],
        "two": rates.loc[["LSTM", "GRU"]],
        "steps_after_the_longest_lag": responses.loc[evidence.three].filter(like="loss: ").sum(axis=1),
        "windows": {role: ranges[-1][1] for role, ranges in WINDOWS.items()},
        "rows": {
            **{f"learned share of lag {lag}, mean over seeds": share[lag].map(number) for lag in share},
            "training loss, mean over seeds": rates["training loss"].map(number),
            "seeds": rates["seeds"].map(number),
        },
    }
