"""Dimensions of the states of a random reservoir, and how nonlinear they are, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables
from studies.gated.richness.measure import LINEAR, RESERVOIR


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: medians over seeds at radii below 1, of which `weak` and `strong` input are by radius.

    Returns:
        `most` and `most_beyond`, the largest dimension below 1 and above; `unexplained`, by input scale, the largest
        share that is no linear function of inputs; `weak_ratio` and `strong_ratio`, by radius, dimensions with tanh
        over dimensions without it, at the same weights; `weak_scale` and `strong_scale`, the scales of the two inputs.
    """
    table = tables["richness_dimensions"]
    columns = ["dimension", "components", "unexplained"]
    medians = table.groupby(["kind", "input_scale", "radius"])[columns].median()
    below = medians[medians.index.get_level_values("radius") < 1]
    beyond = medians[medians.index.get_level_values("radius") > 1].loc[RESERVOIR]
    states, linear = below.loc[RESERVOIR], below.loc[LINEAR]
    ratio = states["dimension"] / linear["dimension"]
    weak, *_, strong = states.index.unique("input_scale")
    nonlinear = states["unexplained"].groupby("input_scale").max()
    return {
        "units": int(table["units"].iloc[0]),
        "seeds": int(table["seed"].nunique()),
        "radius": float(states.reset_index()["radius"].max()),
        "most": float(states["dimension"].max()),
        "most_at": states["dimension"].idxmax(),
        "most_beyond": float(beyond["dimension"].max()),
        "most_beyond_at": beyond["dimension"].idxmax(),
        "strong": states.loc[strong],
        "weak_ratio": ratio[weak],
        "strong_ratio": ratio[strong],
        "weak_scale": weak,
        "strong_scale": strong,
        "weak_unexplained": nonlinear[weak],
        "strong_unexplained": nonlinear[strong],
    }
