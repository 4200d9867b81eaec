"""‖∂L/∂h_t‖ after training on denoise, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.trained_tables import BY, MOST, PRINTED, QUARTERS, of_copying


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: log₁₀ of the gradient in the `farthest` quarter, by delay and model; and recalls.

    `kept` is the gradient of networks that have learned T = 100.
    """
    table = tables["trained_gradients"].assign(model=lambda rows: rows["architecture"].map(labels))
    farthest = table.set_index(["delay", "model"])[QUARTERS[-1]]
    recalls = tables["denoised"].assign(model=lambda rows: rows["architecture"].map(labels))
    at_300 = recalls[(recalls["delay"] == 300) & (recalls["seeds"] > 0)].set_index("model")
    by_code = table[table["recipe"] != PRINTED].set_index("delay")["model"]
    rows = recalls[recalls["seeds"] > 0].set_index(["delay", "model"]).sort_index()
    # the gradient of a network that was trained longer is not in the table
    at_100 = of_copying(recalls[recalls["delay"] == 100].dropna(subset="experiment"), "", BY).set_index("model")
    return {
        "farthest": farthest,
        "at_100": farthest.loc[100],
        "kept": farthest.loc[100].reindex(at_100.index[at_100["measured"] >= MOST]),
        "at_300": at_300,
        "recalls": rows["measured"],
        "seeds": rows["seeds"],
        "learned": sorted(at_300.index[at_300["measured"] >= MOST]),
        "by_code_at_300": by_code.loc[[300]].tolist(),
    }
