"""Losses and learned shares by the start of the gates, for the page."""

from typing import Any

import numpy as np

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence, sequences


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: of gates from `ordinary` and from `slow` starts, by architecture.

    Each has the `loss`, the mean `gate` at the end, the learned `share` of the middle `lag`, and `log_n`, log₁₀ of the
    sequences for the `farthest` lag before training; `least` is the smallest such number from ordinary starts, rounded
    down to two digits.
    """
    early, rates = evidence.all_adamw("", "through_training"), evidence.all_adamw("gradient_step", "learning_rates")
    lags = sorted(early["lag"].unique())
    lag, farthest = lags[(len(lags) - 1) // 2], lags[-1]
    log_n = early.loc[early["lag"] == farthest, "log₁₀ N̂, epoch 0, total"]
    table = rates[["training loss", "mean gate", "seeds"]].set_axis(["loss", "gate", "seeds"], axis=1)
    table = table.assign(share=evidence.all_adamw("", "learned")[f"r/c at {lag}"], log_n=log_n)
    ordinary = table.loc[evidence.three]
    power, digits = np.divmod(ordinary["log_n"].min(), 1)
    return {
        "sequences": sequences,
        "lag": lag,
        "farthest": farthest,
        "all": table,
        "ordinary": ordinary,
        "least": np.floor(10 ** (digits + 1)) * 10 ** (power - 1),
        "slow": table.loc[[evidence.labels[name] for name in evidence.groups["slow"].values()]],
        "rows": {
            "training loss, mean over seeds": table["loss"].map(number),
            "mean gate at the end": table["gate"].map(number),
            f"learned share of lag {lag}, mean over seeds": table["share"].map(number),
            f"sequences for lag {farthest}: epoch 0, total": table["log_n"].map(sequences),
            "seeds": table["seeds"].map(number),
        },
    }
