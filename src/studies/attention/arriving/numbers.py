"""‖∂L/∂h_t‖ before training, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: log₁₀ of the gradient in the `farthest` quarter and at the first step, by model."""
    norms = tables["gradient_norms"].set_index("architecture").rename(labels)
    *_, farthest, first = norms.columns
    kept = norms[farthest].loc[["SAB", "MemRNN", "RelRNN", "MemLSTM"]]
    return {"with": kept, "farthest": norms[farthest], "at_first": norms[first], "steps": farthest.split("_")[1:]}
