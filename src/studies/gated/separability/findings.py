"""Section 15: whether a random reservoir makes points linearly separable, and as many as Cover's theorem allows."""

from collections.abc import Mapping

from learnability.report.findings import Finding, number, percent
from learnability.report.style import Tables
from studies.gated.separability.measure import COARSE, INPUTS, LINEAR, RESERVOIR, TABLES

NEAR = 0.05
"""Difference of shares that counts, as in the claims."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From separable shares, dimensions and Cover's formula."""
    table = tables["separability_shares"]
    medians = table.groupby(["reads", "units"])[["separable", "cover", "dimensions"]].median()
    states, coarse, linear = (medians.loc[reads] for reads in (RESERVOIR, COARSE, LINEAR))
    most, points = int(states.index.max()), int(table["points"].iloc[0])
    inputs = medians.loc[INPUTS].iloc[0]
    gain, gain_coarse = (each["separable"].iloc[-1] - inputs["separable"] for each in (states, coarse))
    verdict = "Yes" if min(gain, gain_coarse) >= NEAR else "In part" if gain >= NEAR else "No"
    apart = (states["separable"] - states["cover"]).abs()
    half = states.index[states["separable"] >= 0.5]
    return Finding(
        "Does a random reservoir make points linearly separable, as Cover's theorem says of more dimensions?",
        f"""
            {verdict}: of random dichotomies {percent(states["separable"].iloc[-1])} are separable in the states, and
            {percent(inputs["separable"])} in the last input.
        """,
        f"""
            Shares are of {int(table["dichotomies"].iloc[0])} dichotomies of {points} points, in {most} units.
            Cover's formula for points in general position gives the share at every number of units, up to
            {percent(apart.max())}: the states are in general position.
            {f"Half of the dichotomies are separable from {half[0]} units on." if len(half) else ""}
            The same weights without tanh span {number(linear["dimensions"].iloc[-1])} dimensions, as many as there are
            numbers in the inputs, however many units there are; of the dichotomies
            {percent(linear["separable"].iloc[-1])} are separable there. The theorem counts all directions of the
            states, however small. Of their larger directions alone (`coarse`) there are
            {number(coarse["dimensions"].iloc[-1])}, which separate {percent(coarse["separable"].iloc[-1])}.
            Separable is not learned: a dichotomy at random says nothing of new points.
        """,
        {},
        """
            `gated.exhibits.separability.coarse`: how small a direction of the states may be and still be read. And
            `input_scale` of the reservoir: weak inputs leave it nearly linear.
        """,
        ("", "separability"),
        tuple(("", name) for name in TABLES),
    )
