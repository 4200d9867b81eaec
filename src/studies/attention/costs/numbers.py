"""Memory and time of a gradient over T, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: local powers of T of memory and time, and the memory at the longest T, by model."""
    growth, costs = (
        tables[name].assign(model=lambda rows: rows["architecture"].map(labels)).set_index("model")
        for name in ("backward_growth", "backward_costs")
    )
    is_square = growth["square_kept"] > 0.5
    return {
        "squares": sorted(growth.index[is_square]),
        "power": growth["exponent_kept"],
        "of_squares": growth[is_square],
        "of_others": growth[~is_square],
        "memory": costs[costs["steps"] == costs["steps"].max()]["kept_mib"],
        "longest": costs["steps"].max(),
        "gaps": (growth["exponent_peak"] - growth["exponent_kept"]).abs(),
    }
