"""Figure 1: envelopes f̂(ℓ) on linear, semi-log and log-log axes, with the fitted decay laws."""

from matplotlib.figure import Figure

from learnability.report.panels import cut, envelopes, plain_log
from learnability.report.style import BAND, PAPER, Style, Tables, heading, headline, legend
from studies.learnability_window.figures.mean_envelopes import FIT, decay_panels, fall_to

LAG = 32
"""Up to which the fall of envelopes is told, in steps."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `envelope` and `fits`: all together, then each on axes of its own with its laws."""
    bunches = style.bunches()
    figure, axes = style.panels(len(bunches) + len(style.architectures), 2, height_mm=42)
    for names, (linear, semi_log) in zip(bunches, axes.reshape(-1, 2), strict=False):
        rows = tables["envelope"][tables["envelope"]["architecture"].isin(names)]
        for ax, scale in ((linear, "linear"), (semi_log, "semi-log")):
            envelopes(ax, rows, "envelope", style)
            heading(ax, scale)
            ax.set_ylabel("envelope f̂(ℓ)")
        plain_log(semi_log, "y")
        cut(semi_log)
    decay_panels(axes[2 * len(bunches) :], tables, "envelope", style)
    last, falls = fall_to(tables["envelope"], "envelope", LAG)
    first = tables["envelope"]["lag"].min()
    headline(figure, f"Decades by which f̂ falls from lag {first} to {last}: {style.told(falls, '{:.2g}')}")
    legend(figure, *style.handles(), BAND, FIT, PAPER)
    return figure
