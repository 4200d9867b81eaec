"""Sections 11 and 12: dimensions of states, and the share of them that is nonlinear, over the spectral radius."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.findings import number
from learnability.report.panels import label_point, plain_log
from learnability.report.style import BAND, Style, Tables, conclude, heading, legend
from studies.gated.curves import look, over_seeds
from studies.gated.richness.measure import LINEAR, RESERVOIR


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `richness_dimensions`."""
    table = tables["richness_dimensions"]
    figure, (dimensions, shares) = style.panels(2, height_mm=82)
    scales = [table["input_scale"].min(), table["input_scale"].max()]
    curves = [(RESERVOIR, scale, name) for scale, name in zip(scales, ("weak input", "strong input"), strict=True)]
    for place, (kind, scale, name) in enumerate([*curves, (LINEAR, scales[-1], LINEAR)]):
        rows = table[(table["kind"] == kind) & (table["input_scale"] == scale)]
        line = look(place, 3, name) | {"markevery": 1}
        over_seeds(dimensions, rows, "radius", "dimension", **line)
        if place == 0:
            below = rows[rows["radius"] < 1].groupby("radius")["dimension"].median()
            at = float(below.idxmax()), float(below.max())
            label_point(dimensions, f"at most {number(below.max())} below 1", at, (-4, 5), color=line["color"])
        if kind == RESERVOIR:
            over_seeds(shares, rows, "radius", "unexplained", **line)
    _finish(dimensions, shares, table)
    heading(dimensions, "participation ratio", ncols=3)
    heading(shares, "no linear function of past inputs", ncols=2)
    conclude(figure, "States have few effective dimensions; strong input makes them nonlinear, not wide")
    legend(figure, BAND)
    return figure


def _finish(dimensions: Axes, shares: Axes, table: pd.DataFrame) -> None:
    for ax in (dimensions, shares):
        ax.axvline(1, color="k", linewidth=0.5)
        ax.set_xlabel("spectral radius ρ")
    plain_log(dimensions, "y")
    dimensions.set(ylabel="effective dimensions", ylim=(0.9, 1.2 * table["units"].max()))
    shares.set(ylabel="share of the states' variance", ylim=(-0.03, 1.15))
