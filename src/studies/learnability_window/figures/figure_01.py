"""Figure 1: envelopes f̂(ℓ) on linear, semi-log and log-log axes, with the fitted decay laws."""

from matplotlib.figure import Figure

from learnability.report.panels import cut, decay_fits, envelopes, log_lags, plain_log
from learnability.report.style import Style, Tables


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `envelope` and `fits`."""
    figure, (linear, semi_log, log_log) = style.panels(3, height_mm=56)
    for ax in (linear, semi_log, log_log):
        envelopes(ax, tables["envelope"], "envelope", style)
        ax.set_ylabel("envelope f̂(ℓ)")
    linear.legend()
    plain_log(semi_log, "y")
    decay_fits(semi_log, tables["fits"], "exponential", 1, style)
    plain_log(log_log, "y")
    log_lags(log_log)
    decay_fits(log_log, tables["fits"], "power", 1, style)
    for ax in (semi_log, log_log):
        cut(ax)
    return figure
