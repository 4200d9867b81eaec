"""Networks that copy over one delay at longer ones, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: recall of the last ten symbols, at all steps and in the `paper`, by model and delay."""
    table = tables["copy_transfer"].dropna(subset="measured")
    own = table.assign(model=lambda rows: rows["architecture"].map(labels)).set_index(["model", "delay"])
    return {
        "recall": own["measured"],
        "recipe": table.assign(model=table["architecture"].map(labels)).groupby("model")["recipe"].first(),
        "all_steps": own["all_steps"],
        "blanks": own["all_chance"],
        "paper": own["paper"],
        "chance": table["chance"].iloc[0],
        "first": table["delay"].min(),
        "last": table["delay"].max(),
    }
