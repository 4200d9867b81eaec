"""What is learned by where gates start, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence, sequences


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: losses, shares and sequences before training, of ordinary gates and of `slow` ones."""
    early, rates = evidence.all_adamw("", "through_training"), evidence.all_adamw("gradient_step", "learning_rates")
    slow = [evidence.labels[name] for name in evidence.groups["slow"].values()]
    lags = sorted(early["lag"].unique())
    farthest, middle = early[early["lag"] == lags[-1]], lags[(len(lags) - 1) // 2]
    before = farthest["log₁₀ N̂, epoch 0, total"]
    losses, shares = rates["training loss"], evidence.all_adamw("", "learned")[f"r/c at {middle}"]
    return {
        "lag": lags[-1],
        "middle": middle,
        "losses": losses[evidence.three],
        "slow_losses": losses[slow],
        "shares": shares[evidence.three],
        "slow_shares": shares[slow],
        "before": before,
        "slow_before": before[slow],
        "said": before.map(sequences),
        "rows": {
            "training loss": losses.map(number),
            "mean gate at the end": rates["mean gate"].map(number),
            f"learned share of lag {middle}": shares.map(number),
            f"sequences for lag {lags[-1]}: epoch 0, total": before.map(sequences),
            "seeds": rates["seeds"].map(number),
        },
    }
