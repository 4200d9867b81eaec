"""Sample complexity of the farthest lag through training, and windows at its end, for the page."""

from typing import Any

from learnability.report.findings import percent
from studies.learnability_window.evidence import Evidence, sequences
from studies.learnability_window.opening import SETTLED

SIZES = (400, 1600)
"""Numbers of sequences N at which the page counts windows."""


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `log_n`, log₁₀ of the sequences for the farthest lag, by epoch and gate.

    `order` says by epoch in how many seeds gates are in order, `until` up to `SETTLED` and `later` from it on.
    `of_tail` is how much of DiagGate's log N̂ comes from a tail index below 2; `matched` is log N̂ before
    training, in the noise of the lag's own part. `measured` sequences are the base of N̂.
    """
    early, order = evidence.adamw("", "through_training"), evidence.table("", "detection_order").set_index("epoch")
    lag = early["lag"].max()
    at = early[early["lag"] == lag]
    complexity = at.filter(like="log₁₀ N̂, ").rename(columns=lambda name: name.removeprefix("log₁₀ N̂, "))
    windows = evidence.adamw("gradient_step", "windows_by_direction").query("transport == 'exact'")
    log_n = order[[f"log₁₀ N̂, {name}" for name in evidence.three]].set_axis(evidence.three, axis=1)
    index = float(order["α̂, DiagGate"].loc[0])
    has_window = {size: windows.loc[windows["N"] == size, "open"] for size in SIZES}
    directions = windows["windows"] / early.groupby(level=0)["seeds"].max().reindex(windows.index)
    return {
        "directions": directions,
        "sequences": sequences,
        "lag": lag,
        "measured": evidence.table("", "detected_before_learned")["N"].max(),
        "log_n": log_n,
        "order": order,
        "settled": SETTLED,
        "until": order[order.index <= SETTLED],
        "later": order[order.index >= SETTLED],
        "index": index,
        "of_tail": float(log_n["DiagGate"].loc[0]) * (1 - 2 * (index - 1) / index),
        "matched": complexity["epoch 0, matched"],
        "rows": {
            **{f"sequences for lag {lag}: {name}": complexity[name].map(sequences) for name in complexity},
            **{
                f"seeds and directions with a window at the end, N = {size}": has_window[size].map(percent)
                for size in SIZES
            },
        },
    }
