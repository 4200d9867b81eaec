"""Networks that are trained for more updates than others, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.paper import UPDATES_OF_CODE
from studies.attention.trained_tables import MOST, NAME


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: recall `early`, when others end, and `late`, by task and model."""
    table = tables["longer_training"].assign(
        model=lambda rows: rows["architecture"].map(labels),
        task=lambda rows: rows["experiment"].str.extract(NAME)["task"],
    )
    by_model = table.set_index(["task", "model"])
    behind = table[table["early"] < MOST]
    return {
        "networks": len(table),
        "early": by_model["early"],
        "late": by_model["late"],
        "diverged": by_model["diverged"],
        "behind": behind,
        "sab_updates": by_model["late_updates"].get(("copy", "SAB")),
        "caught_up": (behind["late"] >= MOST).sum(),
        "before": table["early_updates"].max(),
        "after": table["late_updates"].max(),
        "single": (table["seeds"] == 1).sum(),
        "of_code": UPDATES_OF_CODE,
    }
