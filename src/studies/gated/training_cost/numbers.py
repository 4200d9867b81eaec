"""Costs of a reservoir and of networks that are trained by BPTT, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.training_cost.measure import CELLS, RESERVOIR, effort_of


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds of the trainings at the best rate or λ.

    Returns:
        `least`, the least work of a network to the reservoir's error, over the reservoir's, of all seeds and sizes,
        `least_at_any_rate`, the same over all rates, and `least_time`, the first of processor time; `factors`, the
        first of the RNN and the GRU by units, ∞ where the error is not reached; `ratio`, by units, the error of the
        best network to the reservoir's; `seconds`, by model at the most units; and `at_edge`, best learning rates that
        are the smallest or the largest, of `chosen`.
    """
    trainings = tables["cost_trainings"]
    rows = trainings[trainings["chosen"]].assign(effort=effort_of)
    rows["time"] = rows["seconds"] * rows["effort"] / rows["multiply_adds"]
    effort, time = (rows.pivot(index=["seed", "units"], columns="model", values=name) for name in ("effort", "time"))
    medians = rows.groupby(["units", "model"]).median(numeric_only=True)
    work = medians["multiply_adds"].unstack()
    errors = medians["error"].unstack()
    rates = trainings.loc[trainings["model"] != RESERVOIR, "setting"]
    best_rates = rows.loc[rows["model"] != RESERVOIR, "setting"]
    best = errors[list(CELLS)].min(axis=1)
    work_of_reservoir = effort[RESERVOIR].rename("reservoir")
    reached = trainings[trainings["model"] != RESERVOIR].join(work_of_reservoir, on=["seed", "units"])
    return {
        "seeds": trainings["seed"].nunique(),
        "least": float(effort[list(CELLS)].div(effort[RESERVOIR], axis=0).to_numpy().min()),
        "least_at_any_rate": float((reached["reached_after"] / reached["reservoir"]).min()),
        "least_time": float(time[list(CELLS)].div(time[RESERVOIR], axis=0).to_numpy().min()),
        "factors": medians["reached_after"].unstack()[list(CELLS)].div(work[RESERVOIR], axis=0),
        "ratio": best / errors[RESERVOIR],
        "seconds": medians["seconds"].unstack().iloc[-1],
        "chosen": len(best_rates),
        "at_edge": int(best_rates.isin([rates.min(), rates.max()]).sum()),
    }
