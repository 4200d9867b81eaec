"""Symbols that networks name over a training that is longer than that of others."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import seed_band
from learnability.report.style import BAND, GREY, PAPER, Style, Tables, bunches, heading, headline, legend, note
from studies.attention.trained_tables import LONGER, by_delay, in_words, of_copying

USUAL = Line2D([], [], color="k", linewidth=0.5, linestyle="--", label="other networks' last update")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the table `longer_training`."""
    longer = tables["longer_training"]
    curves = of_copying(tables["curve"], LONGER)
    ends = longer.groupby("experiment")[["early_updates", "late_updates"]].first() / 1000
    curves = curves.assign(thousands=curves["epoch"] / curves["value"] * curves["experiment"].map(ends["late_updates"]))
    panels = [
        (experiment, names)
        for experiment in by_delay(longer["experiment"].unique().tolist())
        for names in bunches(style.present(curves[curves["experiment"] == experiment]))
    ]
    figure, axes = style.panels(max(1, len(panels)), height_mm=60)
    for ax, (experiment, names) in zip(axes, panels, strict=False):
        rows = curves[curves["experiment"] == experiment]
        for name in names:
            seed_band(ax, rows[rows["architecture"] == name], "thousands", "validation_accuracy", name, style)
        for share in set(longer.loc[longer["experiment"] == experiment, "paper"].dropna()):
            ax.axhline(share, color=GREY, linewidth=0.8, zorder=0)
        ax.axvline(ends.loc[experiment, "early_updates"], color="k", linewidth=0.5, linestyle="--")
        heading(ax, in_words(experiment), ncols=4)
        ax.set(xlabel="updates, thousands", ylabel="share of symbols named", ylim=(-0.03, 1.03))
    headline(figure, "Symbols recalled over a longer training")
    if not panels:
        note(axes[0], "No network was trained longer.")
    legend(figure, BAND, USUAL, PAPER)
    return figure
