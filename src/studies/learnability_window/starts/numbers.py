"""Losses and learned shares by the start of the gates, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence, sequences


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: of gates from `ordinary` and from `slow` starts, by architecture.

    Each has the `loss`, the mean `gate` at the end, the learned `share` of the middle `lag`, and `log_n`, log₁₀ of the
    sequences for the `farthest` lag before training.
    """
    early, rates = evidence.all_adamw("", "through_training"), evidence.all_adamw("gradient_step", "learning_rates")
    lags = sorted(early["lag"].unique())
    lag, farthest = lags[(len(lags) - 1) // 2], lags[-1]
    log_n = early.loc[early["lag"] == farthest, "log₁₀ N̂, epoch 0, total"]
    table = rates[["training loss", "mean gate", "seeds"]].set_axis(["loss", "gate", "seeds"], axis=1)
    table = table.assign(share=evidence.all_adamw("", "learned")[f"r/c at {lag}"], log_n=log_n)
    ordinary = table.loc[evidence.three]
    return {
        "sequences": sequences,
        "lag": lag,
        "farthest": farthest,
        "all": table,
        "ordinary": ordinary,
        "slow": table.loc[[evidence.labels[name] for name in evidence.groups["slow"].values()]],
        "rows": {
            "training loss, mean over seeds": table["loss"].map(number),
            "mean gate at the end": table["gate"].map(number),
            f"learned share of lag {lag}, mean over seeds": table["share"].map(number),
            f"sequences for lag {farthest}: epoch 0, total": table["log_n"].map(sequences),
            "seeds": table["seeds"].map(number),
        },
    }
