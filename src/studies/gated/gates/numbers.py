"""Means of gates at symbols and at blanks, and recall without the gates, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.findings import percent
from learnability.report.style import Tables
from studies.gated.gates.measure import SHOWN, apart

SELECTIVE = 0.1
"""Distance of the mean gate at symbols and at blanks from which a unit counts as selective."""
OPENED = 0.2
"""Difference behind the marker from which an output gate counts as opened, or closed."""


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds by cell and gate, of gates that write or forget alone."""
    units, recall, writes, probes = (tables[f"gates_{kind}"] for kind in ("units", "held", "written", "probes"))
    names, gates = ["architecture", "gate"], pd.MultiIndex.from_tuples(SHOWN)
    of_output = units[units["gate"] == "output"]
    output_gate = of_output[["symbol", "blank", "asked"]].mean()
    opened = of_output["asked"] - of_output[["symbol", "blank"]].mean(axis=1)
    is_selective = (units["symbol"] - units["blank"]).abs() > SELECTIVE
    constant = recall[recall["held"] == "constant"]
    return {
        "seeds": units["seed"].nunique(),
        "moves": apart(units).groupby(names)[["largest", "median"]].median().loc[gates],
        "recall": recall.groupby([*names, "held"])["accuracy"].median().unstack("held").loc[gates],
        "written": writes.groupby("architecture")[["written", "proposed"]].median(),
        "selective": is_selective.groupby([units[name] for name in (*names, "seed")])
        .mean()
        .groupby(names)
        .median()[gates],
        "output_gate": output_gate,
        "opening": (opened > OPENED).mean(),
        "closing": (opened < -OPENED).mean(),
        "before_marker": (output_gate["symbol"] + output_gate["blank"]) / 2,
        "probed": probes.groupby(["architecture", "reads"])["accuracy"].median().unstack("reads"),
        "rows": {
            f"{gate} gate held": rows.groupby("architecture")["accuracy"].median().map(percent).rename(labels)
            for gate, rows in constant.groupby("gate", sort=False)
        },
    }
