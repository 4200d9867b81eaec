"""‖∂L/∂h_t‖ after training on denoise, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.trained_tables import PRINTED, QUARTERS


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: log₁₀ of the gradient in the `farthest` quarter, by delay and model."""
    table = tables["trained_gradients"].assign(model=lambda rows: rows["architecture"].map(labels))
    farthest = table.set_index(["delay", "model"])[QUARTERS[-1]]
    return {
        "farthest": farthest,
        "at_100": farthest.loc[100],
        "by_code": table.loc[(table["recipe"] != PRINTED) & (table["delay"] == 100), "model"].tolist(),
    }
