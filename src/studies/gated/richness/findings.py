"""Sections 11 and 12: whether the states of a random reservoir are rich: many dimensions, and nonlinear."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, number, spread
from learnability.report.style import Tables
from studies.gated.richness.measure import LINEAR, RESERVOIR, TABLES

HIGH, NONLINEAR = 0.5, 0.05
"""Share of the units from which dimensions count as high, and of the variance that counts, as in the claims."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From dimensions and shares of variance at spectral radii below 1."""
    table = tables["richness_dimensions"]
    names = ["dimension", "components", "unexplained", "units"]
    medians = table.groupby(["kind", "input_scale", "radius"])[names].median()
    stable = medians[medians.index.get_level_values("radius") < 1]
    states, linear = stable.loc[RESERVOIR], stable.loc[LINEAR]
    weak, strong = states.index.get_level_values("input_scale")[[0, -1]]
    units = int(states["units"].iloc[0])
    most = float(states["dimension"].max())
    nonlinear = states["unexplained"].groupby("input_scale").max()
    high, curved = most >= HIGH * units, nonlinear[strong] >= NONLINEAR
    verdict = "Yes" if high and curved else "In part" if high or curved else "No"
    ratio = states["dimension"] / linear["dimension"]
    beyond = table[(table["kind"] == RESERVOIR) & (table["radius"] > 1)]
    return Finding(
        "Are the trajectories of a random reservoir rich: high-dimensional and nonlinear?",
        f"""
            {verdict}. Below a spectral radius of 1 the states have at most {number(most)} effective dimensions.
        """,
        f"""
            Effective dimensions are the participation ratio (Σλ)²/Σλ² of the variances λ of the states.
            With strong input {_percent(nonlinear[strong])} of the variance is no linear function of past inputs, at the
            radius where that is most; with weak input {_percent(nonlinear[weak])}. The same weights without tanh have
            {_times(1 / ratio.loc[strong])} the dimensions with strong input, and
            {_times(1 / ratio.loc[weak])} with weak input.
            From the smallest to the largest radius below 1 dimensions go from
            {number(states["dimension"][strong].iloc[0])} to {number(states["dimension"][strong].iloc[-1])} with strong
            input, and the components that hold 99 % of the variance from
            {number(states["components"][strong].iloc[0])} to {number(states["components"][strong].iloc[-1])}.
            {_chaos(beyond)}
            Few dimensions of variance are not few functions: a readout also reads directions of small variance, as the
            exhibit on separability shows.
        """,
        {},
        """
            `gated.exhibits.richness.input_scales`: how far the input drives units into tanh decides what is nonlinear.
            And how richness is measured: dimensions by variance leave out what is small.
        """,
        ("", "richness"),
        tuple(("", name) for name in TABLES),
    )


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"


def _times(ratios: "pd.Series[float]") -> str:
    return f"{spread(ratios)} times"


def _chaos(beyond: pd.DataFrame) -> str:
    """Above 1, where states may be chaos of their own."""
    if beyond.empty:
        return ""
    medians = beyond.groupby(["input_scale", "radius"])["dimension"].median().reset_index()
    most = medians.sort_values("dimension")
    scale, radius, dimension = (float(each) for each in most.iloc[-1])
    return f"""
        Above 1 they have up to {number(dimension)} dimensions (input scale {scale:.3g}, radius
        {radius:.3g}); there a reservoir may move by itself, and what is not explained need not be of the input.
    """
