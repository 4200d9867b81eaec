"""Appendix C: width of means of N draws, with the measured slope beside the one that the tail index predicts."""

from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import Style, Tables, heading, headline
from studies.learnability_window.appendices.figures.theory_panels import by_name, by_tail_index

KINDS = ("stable laws: slope (predicted)", "other laws: slope (predicted by the tail)")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `widths` of `studies.learnability_window.theory.concentration`."""
    figure, axes = style.panels(2, height_mm=80)
    stable = tables["widths"]["law"].str.startswith("stable")
    every = [
        [(rows["law"].iloc[0], rows, colour) for _, rows, colour in by_tail_index(tables["widths"][stable])],
        by_name(tables["widths"][~stable], "law"),
    ]
    for ax, laws in zip(axes, every, strict=True):
        for law, rows, colour in laws:
            first = rows.iloc[0]
            label = f"{law}: slope {first['slope']:.3f} ({first['predicted']:.3f})"
            if ax is axes[1]:
                label += f"\nat the end {first['last_slope']:.3f}; by α̂ {first['by_estimate']:.3f}"
            ax.plot(rows["sample_size"], rows["width"], "o", markersize=2.5, color=colour, label=label)
            for column, line in (("predicted", "-"), ("by_estimate", ":")):
                if line == "-" or ax is axes[1]:
                    law_of_width = first["width"] * rows["sample_size"] ** first[column]
                    ax.plot(rows["sample_size"], law_of_width, line, color=colour, linewidth=0.8)
        plain_log(ax, "x")
        plain_log(ax, "y")
        ax.set(xlabel="draws N", ylabel="width of the mean")
        heading(ax, KINDS[ax is axes[1]], ncols=1)
    rows = tables["widths"].groupby("law").first()
    headline(figure, "The width of a mean shrinks as the tail index predicts")
    return figure
