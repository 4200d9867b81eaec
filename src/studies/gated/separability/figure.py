"""Section 15: share of dichotomies that a readout separates, and the dimensions that points span, against units."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.findings import percent
from learnability.report.panels import label_point
from learnability.report.style import BAND, GREY, Style, Tables, conclude, heading, legend
from studies.gated.curves import look, over_seeds
from studies.gated.separability.measure import COARSE, INPUTS, LINEAR, RESERVOIR

CURVES = (RESERVOIR, COARSE, LINEAR)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `separability_shares`."""
    table = tables["separability_shares"]
    figure, (shares, dimensions) = style.panels(2, height_mm=82)
    expected = table[table["reads"] == RESERVOIR].groupby("units")["cover"].first()
    shares.plot(expected.index, expected, color=GREY, linewidth=3, zorder=1)
    alone = table.loc[table["reads"] == INPUTS, "separable"].median()
    shares.axhline(alone, color="k", linewidth=0.8, linestyle=":")
    for ax, column in ((shares, "separable"), (dimensions, "dimensions")):
        for place, reads in enumerate(CURVES):
            over_seeds(ax, table[table["reads"] == reads], "units", column, **look(place, 3, reads) | {"markevery": 1})
        _ordinate(ax, column, float(table["points"].max()))
    half = table["points"].iloc[0] / 2
    at_half = table.loc[(table["reads"] == RESERVOIR) & (table["units"] == half), "separable"].median()
    if np.isfinite(at_half):
        label_point(shares, f"{percent(at_half)} at N = {half:g}", (half, at_half), (6, -2), color=look(0, 3)["color"])
    label_point(shares, f"last input: {percent(alone)}", (table["units"].max(), alone), (-1, 4))
    heading(shares, "random dichotomies")
    heading(dimensions, "space of the points")
    conclude(figure, "States separate as many dichotomies as Cover's theorem allows; without tanh they do not")
    cover = Line2D([], [], color=GREY, linewidth=3, label="Cover's formula")
    inputs = Line2D([], [], color="k", linewidth=0.8, linestyle=":", label=INPUTS)
    lines = [Line2D([], [], **look(place, 3, reads)) for place, reads in enumerate(CURVES)]
    legend(figure, *lines, cover, inputs, BAND)
    return figure


def _ordinate(ax: Axes, column: str, points: float) -> None:
    ax.set(xlabel="units N")
    if column == "separable":
        ax.set(ylabel="separable share", ylim=(-0.03, 1.03))
    else:
        ax.set(ylabel="dimensions", ylim=(0, 1.05 * points))
