"""Networks that learn to copy and to denoise, and their updates, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.attention.paper import UPDATES_OF_CODE
from studies.attention.trained_tables import BY, LONGER, PRINTED, RISING, best_founded, of_copying

NETWORK = ["task", "at_delay", "architecture"]


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: updates of the networks that have `learned`, by task and delay, and how others end."""
    speed = tables["learning_speed"]
    table = of_copying(best_founded(speed), "", BY).assign(model=lambda rows: rows["architecture"].map(labels))
    learned, without = table.dropna(subset="updates"), table[table["updates"].isna()]
    first = learned.loc[learned.groupby(["task", "at_delay"])["updates"].idxmin()]
    by_code = table[table["recipe"] != PRINTED].set_index(NETWORK)
    as_printed = of_copying(speed, "", LONGER).groupby(NETWORK)["updates"].min()
    twice = by_code.join(as_printed.rename("printed"), how="inner")
    return {
        "table": table,
        "learned": learned,
        "first": {task: sorted(set(rows["model"])) for task, rows in first.groupby("task")},
        "updates": learned.set_index(["task", "at_delay", "model"])["updates"],
        "by_code": len(by_code),
        "of_code": UPDATES_OF_CODE,
        "twice": len(twice),
        "by_code_alone": (twice["updates"].notna() & twice["printed"].isna()).sum(),
        "nearest": without.sort_values("accuracy", kind="stable").iloc[-1],
        "rising": (without["late_gain"] >= RISING).sum(),
        "without": len(without),
        "printed_updates": table.loc[table["recipe"] == PRINTED, "all_updates"].max(),
    }
