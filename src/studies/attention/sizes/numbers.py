"""Changes of gradients by ρ and ν before and after training, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.sizes.tables import AT_EACH, UNTRAINED, leverage


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: decades by which ρ and ν move the gradient, by model, and recalls after training."""
    table = tables["screening"].assign(model=lambda rows: rows["architecture"].map(labels))
    leverages = (
        leverage(tables["screening"]).assign(model=lambda rows: rows["architecture"].map(labels)).set_index("model")
    )
    kinds = {
        "before": leverages[leverages["trained_on"] == UNTRAINED],
        "at_each": leverages[leverages["trained_on"] == AT_EACH],
        "put": leverages[~leverages["trained_on"].isin([UNTRAINED, AT_EACH])],
    }
    at_each = table[table["trained_on"] == AT_EACH]
    put = table[~table["trained_on"].isin([UNTRAINED, AT_EACH])].set_index("model")
    untrained = table[table["trained_on"] == UNTRAINED].sort_values("size").groupby(["varied", "model"])["farthest"]
    return {
        **kinds,
        "rises": untrained.apply(lambda norms: norms.is_monotonic_increasing).groupby("varied").all(),
        "falls": untrained.apply(lambda norms: norms.is_monotonic_decreasing).groupby("varied").all(),
        "sizes": table["size"],
        "other": table["other"],
        "recall": at_each["accuracy"],
        "recall_put": put["accuracy"],
        "steps": at_each["steps"].iloc[0],
    }
