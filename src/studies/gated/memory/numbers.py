"""Memory capacity by spectral radius, and what a random projection is good for, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.memory.measure import ANYWHERE, INPUTS, RESERVOIR, ZERO


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: capacities by radius with weak and strong input, errors on NARMA-10, and practice."""
    totals, narma, readouts = tables["memory_totals"], tables["memory_narma"], tables["memory_readouts"]
    scales = totals["input_scale"]
    weak, strong = (
        totals[scales == end].groupby("radius")["capacity"].median() for end in (scales.min(), scales.max())
    )
    least = readouts[readouts["penalty"] == readouts["penalty"].min()]
    washout = tables["memory_washout"].groupby(["start", "washout"])["error"].median().unstack()
    explained = tables["memory_products"].groupby("reads")["explained"].median()
    return {
        "weak": weak,
        "strong": strong,
        "units": totals["units"].max(),
        "of_inputs": narma.loc[narma["reads"] == INPUTS, "error"].median(),
        "by_radius": narma[narma["reads"] == RESERVOIR].groupby("radius")["error"].median(),
        "without_bias": explained[f"{RESERVOIR}, no bias"],
        "with_bias": explained[f"{RESERVOIR}, bias"],
        "suffix": tables["memory_neighbours"].groupby("radius")["share"].median(),
        "inverted": (least["error_inverted"] / least["error_solved"]).max(),
        "weights": least["difference"].max(),
        "from_zero": washout.loc[ZERO].iloc[0] / washout.loc[ZERO].iloc[-1],
        "from_anywhere": washout.loc[ANYWHERE].iloc[0] / washout.loc[ANYWHERE].iloc[-1],
    }
