"""Recall of the same networks over training by several recipes."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import plain_log, seed_band
from learnability.report.style import BAND, GREY, PAPER, Style, Tables, heading, headline, legend, note
from studies.attention.trained_tables import BY, LONGER, PRINTED, of_copying, with_updates

DOTS = (0, (1, 1))
AS_PRINTED = Line2D([], [], color="k", linestyle=DOTS, label="recipe as printed")
BY_CODE = Line2D([], [], color="k", label="recipe of public code")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the tables `recipes` and `learning_speed`."""
    recipes, curves = tables["recipes"], of_copying(tables["curve"], "", LONGER, BY)
    curves = with_updates(curves, tables["learning_speed"])
    curves = curves.assign(thousands=curves["updates"] / 1000)
    panels = list(recipes.groupby(["task", "delay"], sort=False))
    figure, axes = style.panels(max(1, len(panels)), min(2, max(1, len(panels))), height_mm=50, sharey=True)
    for ax, ((task, delay), rows) in zip(axes, panels, strict=False):
        for row in rows.to_dict("records"):
            curve = curves[
                (curves["experiment"] == row["experiment"]) & (curves["architecture"] == row["architecture"])
            ]
            line = {"linestyle": DOTS, "label": "_"} if row["recipe"] == PRINTED else {"linestyle": "-"}
            seed_band(ax, curve, "thousands", "validation_accuracy", row["architecture"], style, **line)
        for share in rows["paper"].dropna().unique():
            ax.axhline(share, color=GREY, linewidth=0.8, zorder=0)
        heading(ax, f"{task}, T = {delay}", ncols=5)
        plain_log(ax, "x")
        ax.set(xlabel="updates, thousands", ylabel="share recalled", ylim=(-0.03, 1.03))
    headline(figure, "Symbols recalled by the same networks, trained by two recipes")
    if not panels:
        note(axes[0], "No network was trained by several recipes.")
    legend(figure, BY_CODE, AS_PRINTED, BAND, PAPER)
    return figure
