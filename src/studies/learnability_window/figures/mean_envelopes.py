"""The two panels of Figures 8 and 10: mean envelope μ̄(ℓ) on semi-log and log-log axes."""

from matplotlib.figure import Figure

from learnability.report.panels import cut, decay_fits, envelopes, log_lags, plain_log, unit_quantiles
from learnability.report.style import Style, Tables


def draw_mean_envelopes(tables: Tables, style: Style) -> Figure:
    """Draw μ̄(ℓ) = f̂(ℓ)/H with its fits and the 5-95 % range over units, from the tables `envelope` and `fits`."""
    figure, (semi_log, log_log) = style.panels(2, height_mm=60)
    rates = tables["envelope"]
    units = float((rates["envelope"] / rates["mean_rate"]).median())
    for ax, model in ((semi_log, "exponential"), (log_log, "power")):
        envelopes(ax, rates, "mean_rate", style)
        unit_quantiles(ax, rates, style)
        ax.set_ylabel("mean rate μ̄(ℓ)")
        plain_log(ax, "y")
        decay_fits(ax, tables["fits"], model, 1 / units, style)
        cut(ax)
    log_lags(log_log)
    return figure
