"""Cells that learn most, see farthest and remember most at equal size, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables

NEAR = 0.03
"""Share of the parameters that were asked for, within which sizes count as equal."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`, in tables of medians that are indexed by architecture.

    Returns:
        `most`, the rows of `cells` of the four cells that learn most; `cells`, the table of this name with `label`, by
        falling learned share; names of cells that see a longer lag before training than they come to learn
        (`unlearned`), that learn a longer one than they see (`unseen`), whose sizes are `off`, and whose best rate is
        at an `edge`; `best_at`, by rate, the architecture that learns most; and `moved`, by architecture, the least and
        the greatest share over rates.
    """
    rates = tables["cells_rates"]
    cells = tables["cells"].set_index("architecture").sort_values("share", ascending=False)
    cells["label"] = cells.index.map(labels).str.replace(", ", " with ")  # names are listed with commas
    shares = rates.pivot(index="rate", columns="architecture", values="share")
    return {
        "cells": cells,
        "most": cells.loc[["rnn", "orth_rnn", "exp_rnn", "const_gate"]],
        "parameters": round((cells["numbers"] / (1 + cells["miss"])).mean()),
        "trained": cells[cells["family"] != "reservoirs"],
        "reservoirs": cells[cells["family"] == "reservoirs"],
        "unlearned": cells.loc[cells["start"] > cells["learned"], "label"].sort_values(),
        "unseen": cells.loc[cells["start"] < cells["learned"], "label"],
        "off": cells[cells["miss"].abs() > NEAR],
        "edge": cells.loc[rates.loc[rates["chosen"] & rates["edge"], "architecture"], "label"],
        "is_shown": bool((rates["shown"] == rates["chosen"]).all()),
        "seeds_of_rates": rates["seeds"],
        "rates": shares.index,
        "best_at": shares.idxmax(axis=1),
        "moved": shares.agg(["min", "max"]).T,
    }
