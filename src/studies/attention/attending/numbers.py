"""Numbers of states that trained networks attend to, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: how many states count, of all networks and by experiment and model."""
    table = tables["attended"].assign(model=lambda rows: rows["architecture"].map(labels))
    of_symbols = table["experiment"].str.match("copy|denoise")
    return {
        "symbols": table.loc[of_symbols, "measured"],
        "others": table.loc[~of_symbols, "measured"],
        "tasks": table.loc[~of_symbols, "experiment"].unique(),
        "steps": table["steps"],
        "text_steps": table.loc[table["experiment"] == "characters", "steps"].max(),
        "own": table.set_index(["experiment", "model"])["measured"],
    }
