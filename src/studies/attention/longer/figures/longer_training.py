"""Symbols that networks name over a training that is longer than that of others."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import seed_band
from learnability.report.style import BAND, GREY, Style, Tables, bunches, conclude, heading, legend, note
from studies.attention.drawn.shares import CROSS, DIVERGED, moved
from studies.attention.trained_tables import LONGER, by_delay, in_words, of_copying, with_updates

PUBLISHED = Line2D([], [], color=GREY, linewidth=0.8, label="published")
USUAL = Line2D([], [], color="k", linewidth=0.5, linestyle="--", label="other networks' last update")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `curve`, learning curves with `experiment`, and the tables `longer_training` and `learning_speed`."""
    longer, speed = tables["longer_training"], tables["learning_speed"]
    curves = with_updates(of_copying(tables["curve"], LONGER), speed)
    curves = curves.assign(thousands=curves["updates"] / 1000)
    usual = of_copying(speed).groupby("task")["all_updates"].max() / 1000
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
        ax.axvline(usual[rows["task"].iloc[0]], color="k", linewidth=0.5, linestyle="--")
        ends = longer[
            (longer["experiment"] == experiment) & longer["architecture"].isin(names) & (longer["diverged"] > 0)
        ]
        ax.plot(ends["late_updates"] / 1000, ends["late"], **CROSS, transform=moved(ax, 3))
        heading(ax, in_words(experiment), ncols=4)
        ax.set(xlabel="updates, thousands", ylabel="share recalled", ylim=(-0.03, 1.03))
    conclude(figure, "RelRNN and RelLSTM learn to copy late, and GORU to denoise; LSTM and SAB do not copy")
    if not panels:
        note(axes[0], "No network was trained longer.")
    legend(figure, BAND, USUAL, *([DIVERGED] if (longer["diverged"] > 0).any() else []), PUBLISHED)
    return figure
