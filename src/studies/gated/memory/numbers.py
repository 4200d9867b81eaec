"""Memory of a reservoir, and errors with and without a random projection, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.memory.measure import ANYWHERE, INPUTS, RESERVOIR, ZERO


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds.

    Returns:
        `weak` and `strong`, memory capacity by radius, at the `scales` of the input; `weak_best` and `strong_best`, the
        radius at which it is largest, by seed; `narma`, the error by radius, and `narma_inputs`, the error of a readout
        of as many inputs; shares of a product that are `explained`, by what is read; `neighbours`, by radius, the share
        of states whose nearest one has the longest suffix in common; `inverse`, errors of a readout by an inverse over
        the error of the solved one, at the smallest `penalty`; `washout`, by where states start, the error without
        washout over the error with most of it.
    """
    totals, narma, readouts = (tables[f"memory_{name}"] for name in ("totals", "narma", "readouts"))
    capacity = totals.groupby(["input_scale", "radius"])["capacity"].median().unstack()
    by_seed = totals.pivot(index=["input_scale", "seed"], columns="radius", values="capacity")
    weak, *_, strong = capacity.index
    least = readouts[readouts["penalty"] == readouts["penalty"].min()]
    errors = tables["memory_washout"].set_index(["start", "washout", "seed"])["error"].unstack("washout")
    washout = (errors.iloc[:, 0] / errors.iloc[:, -1]).groupby("start").median()
    products = tables["memory_products"].groupby("reads")["explained"].median()
    return {
        "seeds": int(totals["seed"].nunique()),
        "units": int(totals["units"].iloc[0]),
        "scales": [weak, strong],
        "weak": capacity.loc[weak],
        "strong": capacity.loc[strong],
        "weak_best": by_seed.loc[weak].idxmax(axis=1),
        "strong_best": by_seed.loc[strong].idxmax(axis=1),
        "narma": narma[narma["reads"] == RESERVOIR].groupby("radius")["error"].median(),
        "narma_inputs": narma.loc[narma["reads"] == INPUTS, "error"].median(),
        "explained": {
            "inputs": products[INPUTS],
            "without_bias": products[f"{RESERVOIR}, no bias"],
            "with_bias": products[f"{RESERVOIR}, bias"],
        },
        "neighbours": tables["memory_neighbours"].groupby("radius")["share"].median(),
        "penalty": least["penalty"].iloc[0],
        "inverse": least["error_inverted"] / least["error_solved"],
        "washout": {"zero": washout[ZERO], "anywhere": washout[ANYWHERE]},
    }
