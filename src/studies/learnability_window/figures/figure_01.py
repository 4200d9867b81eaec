"""Figure 1: envelopes f̂(ℓ) on linear, semi-log and log-log axes, with the fitted decay laws."""

from matplotlib.figure import Figure

from learnability.report.panels import cut, envelopes, plain_log
from learnability.report.style import BAND, PAPER, Style, Tables, heading, headline, legend
from studies.learnability_window.figures.mean_envelopes import FIT, decay_panels


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `envelope` and `fits`: each on axes of its own with its laws, then all together."""
    bunches, count = style.bunches(), len(style.architectures)
    figure, axes = style.panels(2 * (count + len(bunches)), max(count, 2))
    decay_panels(axes[: 2 * count].reshape(2, -1).T, tables, "envelope", style)
    for names, (linear, semi_log) in zip(bunches, axes[2 * count :].reshape(-1, 2), strict=True):
        rows = tables["envelope"][tables["envelope"]["architecture"].isin(names)]
        for ax, scale in ((linear, "linear"), (semi_log, "semi-log")):
            envelopes(ax, rows, "envelope", style)
            heading(ax, scale)
            ax.set_ylabel("envelope f̂(ℓ)")
        plain_log(semi_log, "y")
        cut(semi_log)
    headline(figure, "Decay of the envelope with the lag")
    legend(figure, *style.handles(), BAND, FIT, PAPER)
    return figure
