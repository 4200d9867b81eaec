"""Networks that copy over one delay at longer ones, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: recall of the last ten symbols, at all steps and in the `paper`, by model and delay."""
    table = tables["copy_transfer"].dropna(subset="measured")
    cells = table.assign(model=lambda rows: rows["architecture"].map(labels)).set_index(["model", "delay"])
    return {
        "recall": cells["measured"],
        "lowest": cells["low"],
        "highest": cells["high"],
        "failed": cells.loc[(["orth-RNN", "expRNN"], [200, 400, 2000]), "measured"],
        "finite": cells["finite"],
        "recipe": table.assign(model=table["architecture"].map(labels)).groupby("model")["recipe"].first(),
        "all_steps": cells["all_steps"],
        "blanks": cells["all_chance"],
        "paper": cells["paper"],
        "seeds": cells["seeds"],
        "chance": table["chance"].iloc[0],
        "first": table["delay"].min(),
        "last": table["delay"].max(),
    }
