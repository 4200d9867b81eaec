"""Networks that are trained by the recipe of public code, beside what the paper prints, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.style import Tables
from studies.attention.paper import UPDATES_OF_CODE
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
    alone = cells[(cells["recipe"] != PRINTED) & (cells["diverged"] > 0)].merge(
        code.reset_index()[["experiment", "architecture"]], "left", indicator=True
    )
    alone = alone[alone["_merge"] == "left_only"].assign(model=lambda rows: rows["architecture"].map(labels))
    return {
        **{name: code[name] for name in ("measured", "paper", "all_updates")},
        "printed": as_printed["measured"],
        "printed_high": as_printed["high"],
        "learned": (code["measured"] >= MOST).sum(),
        "short": (as_printed["all_updates"] <= USUAL).sum(),
        "gained": code.loc[(code["measured"] >= MOST) & (as_printed["measured"] < MOST), "updates"],
        "least": USUAL,
        "learned_printed": (as_printed["measured"] >= MOST).sum(),
        "near": ((code["measured"] - code["paper"]).abs() <= NEAR).sum(),
        "networks": len(code),
        "diverged": code["diverged"].sum(),
        "code_diverged": code["diverged"],
        "alone_diverged": list(alone[CELL].itertuples(index=False, name=None)),
        "seeds": code["seeds"],
        "of_code": UPDATES_OF_CODE,
        "not_stored": NOT_STORED,
    }
