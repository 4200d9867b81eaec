"""Losses of cells whose rate is drawn and not tuned."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import label_point
from learnability.report.style import GREY, Style, Tables, conclude, heading
from studies.comparison.drawn import ROW_MM, connect, families_of, label_rows, legend_of_families


def draw(tables: Tables, style: Style) -> Figure:
    """Left: means over tasks of each cell, at one drawn rate and at the best; right: families by rates tried."""
    table = tables["tuning"]
    means = table.groupby(["family", "architecture", "tried"], sort=False)["score"].mean().reset_index()
    ends = means.pivot(index="architecture", columns="tried", values="score")
    ends = ends.assign(one=ends.iloc[:, 0], all=ends.iloc[:, -1])
    names = (ends["all"] - ends["one"]).sort_values(ascending=False, kind="stable").index.tolist()
    figure, (left, right) = style.panels(2, height_mm=14 + ROW_MM * len(names))
    connect(left, ends.reset_index(), names, {"one": "o", "all": "s"}, style)
    label_rows(left, names, style)
    for place, name in enumerate(names):
        gain = ends["all"][name] - ends["one"][name]
        label_point(left, f"+{gain:.2f}", (ends["all"][name], place), color=style.colours[name])
    left.set_xlim(right=ends["all"].max() + 0.12)
    left.set_xlabel("mean score over tasks, validation")
    heading(left, "what tuning gains, the most on top")
    for family, colour in reversed(families_of(table, style).items()):
        curve = means[means["family"] == family].groupby("tried")["score"].mean()
        right.plot(curve.index, curve, marker="o", markersize=3, color=colour)
    right.set(xlabel="rates tried, drawn at random", ylabel="mean score")
    right.set_xticks(sorted(means["tried"].unique()))
    heading(right, "mean of each family by rates tried")
    conclude(figure, "The cells that gain most from tuning the rate have gates")
    marks = {"one rate, drawn at random": ("o", "white"), "the best rate": ("s", GREY)}
    keys = [
        Line2D([], [], color=GREY, marker=mark, markerfacecolor=face, markersize=3, linestyle="", label=text)
        for text, (mark, face) in marks.items()
    ]
    legend_of_families(figure, table, style, *keys)
    return figure
