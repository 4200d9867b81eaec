"""Figure 1: envelopes f̂(ℓ) on linear, semi-log and log-log axes, with the fitted decay laws."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, cut, decay_fit, envelopes, log_lags, plain_log
from learnability.report.style import BAND, PUBLISHED, Style, Tables, conclude, heading, legend
from studies.learnability_window.envelopes.figures.mean_envelopes import LAWS, message

SCALES = ("linear", "semi-log", "log-log")
DASHES: dict[str, Any] = {"exponential": "-", "power": "--"}
FITS = [Line2D([], [], color="k", linewidth=0.7, linestyle=dash, label=f"{law} law") for law, dash in DASHES.items()]


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `envelope` and `fits`: all together on each kind of axes, then each with its laws."""
    envelope, bunches = tables["envelope"], style.bunches()
    count = len(SCALES) * len(bunches)
    figure, axes = style.panels(count + len(style.architectures), 3)
    for names, panels in zip(bunches, axes[:count].reshape(-1, len(SCALES)), strict=True):
        for ax, scale in zip(panels, SCALES, strict=True):
            envelopes(ax, envelope[envelope["architecture"].isin(names)], "envelope", style)
            heading(ax, scale)
            if scale != "linear":
                plain_log(ax, "y")
                cut(ax)
            if scale == "log-log":
                log_lags(ax)
    for ax, (name, rows) in zip(axes[count:], by_architecture(envelope, style), strict=True):
        envelopes(ax, rows, "envelope", style)
        plain_log(ax, "y")
        cut(ax)
        fits, words = tables["fits"][tables["fits"]["architecture"] == name], [style.labels[name]]
        for law, published in LAWS.items():
            of_paper = published.get(fits["optimizer"].iloc[0], {}).get(style.roles.get(name, ""))
            words.append(decay_fit(ax, fits, law, 1, of_paper, DASHES[law]))
        ax.set_title("\n".join([f"{ax.get_title(loc='left')} {words[0]}", *words[1:]]), loc="left")
    for ax in axes:
        ax.set_ylabel("envelope f̂(ℓ)")
    conclude(figure, message("envelopes", tables["fits"], style))
    legend(figure, *style.handles(), BAND, *FITS, PUBLISHED)
    return figure
