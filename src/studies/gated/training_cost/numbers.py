"""What training a reservoir and networks by BPTT costs, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.training_cost.measure import CELLS, RESERVOIR, effort_of


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: multiply-adds of BPTT over the readout's, and errors, by units and model."""
    trainings = tables["cost_trainings"]
    rows = trainings.query("chosen")
    medians = rows.groupby(["model", "units"])[["error", "multiply_adds", "reached_after", "seconds"]].median()
    of_seeds = rows.assign(effort=effort_of(rows)).pivot(
        index=["seed", "units"], columns="model", values=["multiply_adds", "effort"]
    )
    work = of_seeds["multiply_adds"][RESERVOIR]
    tried = trainings[trainings["model"] != RESERVOIR]
    chosen = tried[tried["chosen"]]
    return {
        "least": min((of_seeds["effort"][name] / work).min() for name in CELLS),
        "factor": medians["reached_after"] / medians["multiply_adds"][RESERVOIR],
        "error": medians["error"],
        "seconds": medians["seconds"],
        "total": medians["multiply_adds"],
        "edges": chosen["setting"].isin([tried["setting"].min(), tried["setting"].max()]).sum(),
        "chosen": len(chosen),
    }
