"""Sample complexity of the farthest lag through training, and windows at its end, for the page."""

from typing import Any

from learnability.report.findings import percent
from studies.learnability_window.evidence import Evidence, sequences
from studies.learnability_window.opening import SETTLED


def numbers(evidence: Evidence) -> dict[str, Any]:
    """Numbers of `page.md.j2`: log₁₀ N̂ of the three gates by epoch, and in how many seeds they stand in order."""
    early = evidence.adamw("", "through_training")
    order = evidence.table("", "detection_order").set_index("epoch")
    lag = early["lag"].max()
    at = early[early["lag"] == lag]
    complexity = {name.removeprefix("log₁₀ N̂, "): at[name] for name in map(str, at) if name.startswith("log₁₀ N̂, ")}
    windows = evidence.adamw("gradient_step", "windows_by_direction").query("transport == 'exact'")
    settled = order[order.index >= SETTLED]
    return {
        "lag": lag,
        "seeds": order["seeds"].max(),
        "said": {name: order[f"log₁₀ N̂, {name}"].map(sequences) for name in evidence.three},
        "sizes": {name: order[f"log₁₀ N̂, {name}"] for name in evidence.three},
        "fewer": order["DiagGate below SharedGate"],
        "in_order": order["all in order"],
        "settled": settled["all in order"],
        "from_epoch": settled.index[0],
        "factor": settled["factor of medians"].max(),
        "matched": complexity["epoch 0, matched"],
        "rows": {
            **{
                f"sequences for lag {at['lag'].iloc[0]}: {name}": size.map(sequences)
                for name, size in complexity.items()
            },
            **{
                f"networks with a window at the end, N = {size}": windows.loc[windows["N"] == size, "open"].map(percent)
                for size in (400, 1600)
            },
        },
    }
