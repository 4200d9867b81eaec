"""How many states trained networks attend to, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: how many states count, of all networks and by experiment and model."""
    table = tables["attended"].assign(model=lambda rows: rows["architecture"].map(labels))
    return {
        "attended": table["measured"],
        "steps": table["steps"],
        "share": table["measured"] / table["steps"],
        "own": table.set_index(["experiment", "model"])["measured"],
    }
