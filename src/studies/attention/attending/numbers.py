"""Numbers of states that trained networks attend to, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.style import Tables
from studies.attention.trained_tables import MOST


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: how many states count, of all networks and by experiment and model.

    `learned` are networks that recall enough of the `symbols` when they copy and denoise.
    """
    table = tables["attended"].assign(model=lambda rows: rows["architecture"].map(labels))
    of_symbols = table["experiment"].str.match("copy|denoise")
    recalls = pd.concat([tables["copied"], tables["denoised"]])[["experiment", "architecture", "measured"]]
    recalled = table.merge(recalls, how="left", on=["experiment", "architecture"], suffixes=("", "_recall"))
    return {
        "learned": recalled.loc[recalled["measured_recall"] >= MOST, "measured"],
        "symbols": table.loc[of_symbols, "measured"],
        "others": table.loc[~of_symbols, "measured"],
        "tasks": table.loc[~of_symbols, "experiment"].unique(),
        "steps": table["steps"],
        "text_steps": table.loc[table["experiment"] == "characters", "steps"].max(),
        "own": table.set_index(["experiment", "model"])["measured"],
    }
