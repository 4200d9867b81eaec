"""What the networks learned of each lag, for the page."""

from typing import Any

from learnability.report.findings import number
from studies.learnability_window.evidence import Evidence


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: learned `shares` of the three gates by lag, echoes and losses."""
    learned, rates = evidence.adamw("", "learned"), evidence.adamw("gradient_step", "learning_rates")
    shares = {int(name.split()[-1]): learned[name] for name in map(str, learned) if name.startswith("r/c at ")}
    three = rates.loc[evidence.three]
    return {
        "shares": {lag: share[evidence.three] for lag, share in shares.items()},
        "echoes": learned.loc[evidence.three],
        "gap": (three["validation loss"] / three["training loss"] - 1).abs().max(),
        "clipped": three["clipped steps"],
        "rows": {
            **{f"learned share of lag {lag}": share.map(number) for lag, share in shares.items()},
            "training loss": rates["training loss"].map(number),
            "seeds": rates["seeds"].map(number),
        },
    }
