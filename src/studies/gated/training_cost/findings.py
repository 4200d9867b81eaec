"""Section 14: whether a reservoir is cheaper to train than a network by BPTT, and what its readout misses."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, spread
from learnability.report.style import Tables
from studies.gated.training_cost.measure import CELLS, RESERVOIR, TABLES, effort_of

CHEAPER = 10
"""Factor of multiply-adds from which the claim counts a reservoir as very efficient."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From multiply-adds, errors and times of the chosen trainings."""
    rows = tables["cost_trainings"].query("chosen")
    medians = rows.groupby(["units", "model"])[["error", "multiply_adds", "reached_after", "seconds"]].median()
    ridge = medians.xs(RESERVOIR, level="model")
    factors = {
        name: (medians.xs(name, level="model")["reached_after"] / ridge["multiply_adds"]).rename(name) for name in CELLS
    }
    rows = rows.assign(effort=effort_of(rows))
    of_seeds = rows.pivot(index=["seed", "units"], columns="model", values=["multiply_adds", "effort"])
    work = of_seeds["multiply_adds"][RESERVOIR]
    least = min(float((of_seeds["effort"][name] / work).min()) for name in CELLS)
    verdict = "Yes" if least >= CHEAPER else "In part" if least > 1 else "No"
    largest = int(ridge.index.max())
    errors = medians["error"][largest]
    best = min((name for name in CELLS), key=lambda name: errors[name])
    total = medians["multiply_adds"][largest]
    times = listed(
        f"{number(medians['seconds'][largest][name])} s ({labels.get(name, name)})" for name in [RESERVOIR, *CELLS]
    )
    return Finding(
        "Is a reservoir cheaper to train than a network by BPTT, at equal numbers of units?",
        f"""
            {verdict}: on NARMA-10 BPTT takes at least {number(least)} times the multiply-adds to reach the error of
            ridge regression.
        """,
        f"""
            The factor is the least of all seeds and sizes; a training that does not reach that error counts with all of
            its work. {" ".join(_reached(name, factors[name], labels) for name in CELLS)}
            With {largest} units the reservoir's error is {number(errors[RESERVOIR])} of the variance, and that of the
            best trained network, {labels[best]}, {number(errors[best])}; all training takes
            {number(total[best] / total[RESERVOIR])} times the multiply-adds of the readout. Each network is taken at
            the best of its learning rates, each reservoir at the best λ; the work counts one learning rate and all λ.
            {_edges(tables["cost_trainings"])}
            Processor time of a training with {largest} units, on one machine, is {times}.
            With {", ".join(map(str, ridge.index))} units the best trained network has
            {spread(pd.Series([_ratio(medians["error"][units]) for units in ridge.index]))} times the reservoir's error.
        """,
        {},
        """
            `gated.exhibits.training_cost.epochs`: a network that is trained longer may yet reach the reservoir's error.
            And the task: NARMA-10 needs ten past inputs, which a reservoir holds without training.
        """,
        ("", "training_cost"),
        tuple(("", name) for name in TABLES),
    )


def _edges(trainings: pd.DataFrame) -> str:
    """How often the best rate is the smallest or the largest, beyond which there may be a better one."""
    tried = trainings[trainings["model"] != RESERVOIR]
    chosen = tried[tried["chosen"]]
    count = int(chosen["setting"].isin([tried["setting"].min(), tried["setting"].max()]).sum())
    return f"Of {len(chosen)} best learning rates {count} are the smallest or the largest that was tried."


def _ratio(errors: "pd.Series[float]") -> float:
    return float(min(errors[name] for name in CELLS) / errors[RESERVOIR])


def _reached(name: str, factors: "pd.Series[float]", labels: Mapping[str, str]) -> str:
    reached = factors[np.isfinite(factors)]
    missed = [f"{units}" for units in factors.index if units not in reached.index]
    parts = [f"{number(factor)} times the work with {units} units" for units, factor in reached.items()]
    name = labels[name]
    if not parts:
        return f"The {name} does not reach that error within its training."
    exception = f"; with {listed(missed)} units it does not within its training" if missed else ""
    return f"The {name} reaches that error after {listed(parts)}{exception}."
