"""Means of gates at symbols and at blanks, and recall without the gates, for the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.findings import percent
from learnability.report.style import Tables
from studies.gated.gates.measure import SHOWN, apart


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds by cell and gate, of gates that write or forget alone."""
    units, recall, writes, probes = (tables[f"gates_{kind}"] for kind in ("units", "held", "written", "probes"))
    names, gates = ["architecture", "gate"], pd.MultiIndex.from_tuples(SHOWN)
    output_gate = units[units["gate"] == "output"][["symbol", "blank", "asked"]].mean()
    constant = recall[recall["held"] == "constant"]
    return {
        "moves": apart(units).groupby(names)[["largest", "median"]].median().loc[gates],
        "recall": recall.groupby([*names, "held"])["accuracy"].median().unstack("held").loc[gates],
        "written": writes.groupby("architecture")[["written", "proposed"]].median(),
        "output_gate": output_gate,
        "before_marker": (output_gate["symbol"] + output_gate["blank"]) / 2,
        "probed": probes.groupby(["architecture", "reads"])["accuracy"].median().unstack("reads"),
        "rows": {
            f"{gate} gate held": rows.groupby("architecture")["accuracy"].median().map(percent).rename(labels)
            for gate, rows in constant.groupby("gate", sort=False)
        },
    }
