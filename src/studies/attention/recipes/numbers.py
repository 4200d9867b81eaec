"""Networks that are trained by the recipe of public code, beside what the paper prints, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.style import Tables
from studies.attention.trained_tables import MOST, NEAR, PRINTED

CELL = ["task", "delay", "model"]
NOT_STORED = (0.92, 0.67)
"""Recall by the recipe of two more trainings of RelRNN, on denoise at T = 300, where they diverged: see
`docs/recipes_attention.md`."""
USUAL = 20_000
"""Updates of a training by the printed settings, unless it is continued."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: recall by the code and as `printed`, by task, delay and model, and how many learn."""
    table = tables["recipes"].assign(model=lambda rows: rows["architecture"].map(labels)).set_index(CELL)
    code, as_printed = table[table["recipe"] != PRINTED], table[table["recipe"] == PRINTED]
    parts = {"copy": tables["copied"], "denoise": tables["denoised"]}
    cells = pd.concat([part.assign(task=task) for task, part in parts.items()])
    measured_cells = cells[(cells["seeds"] > 0) & cells["paper"].notna()]
    alone = cells[(cells["recipe"] != PRINTED) & (cells["diverged"] > 0)].merge(
        code.reset_index()[["experiment", "architecture"]], "left", indicator=True
    )
    alone = alone[alone["_merge"] == "left_only"].assign(model=lambda rows: rows["architecture"].map(labels))
    return {
        **{name: code[name] for name in ("measured", "paper", "all_updates", "updates")},
        "printed": as_printed["measured"],
        "printed_high": as_printed["high"],
        "printed_seeds": as_printed["seeds"],
        "printed_updates": as_printed["all_updates"],
        "learned": (code["measured"] >= MOST).sum(),
        "short": (as_printed["all_updates"] <= USUAL).sum(),
        "gained": code.loc[(code["measured"] >= MOST) & (as_printed["measured"] < MOST), "updates"],
        "least": USUAL,
        "learned_printed": (as_printed["measured"] >= MOST).sum(),
        "near": ((code["measured"] - code["paper"]).abs() <= NEAR).sum(),
        "networks": len(code),
        "diverged": code["diverged"].sum(),
        "code_diverged": code["diverged"],
        "printed_diverged": as_printed["diverged"],
        "alone_diverged": list(alone[CELL].itertuples(index=False, name=None)),
        "seeds": code["seeds"],
        "values": len(measured_cells),
        "near_of_all": ((measured_cells["measured"] - measured_cells["paper"]).abs() <= NEAR).sum(),
        "not_stored": NOT_STORED,
        "open": (~measured_cells["conclusive"].eq(True)).sum(),
    }
