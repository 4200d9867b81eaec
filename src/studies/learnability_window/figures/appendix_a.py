"""Appendix A: error of the first-order expansion, over ε and, at ε = 1, over the lag."""

from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import Style, Tables
from studies.learnability_window.figures.theory_panels import by_name


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `orders` and `lags` of `studies.learnability_window.theory.expansion`."""
    figure, (orders, lags) = style.panels(2, height_mm=60)
    for cell, rows, colour in by_name(tables["orders"], "cell"):
        label = f"{cell}: order {rows['order'].iloc[0]:.3f}"
        orders.plot(rows["epsilon"], rows["error"], "o-", markersize=2.5, linewidth=0.8, color=colour, label=label)
    for _, rows, colour in by_name(tables["lags"], "cell"):
        shown = rows[rows["lag"] > 1]
        lags.plot(shown["lag"], shown["error"], "o-", markersize=2.5, linewidth=0.8, color=colour)
    plain_log(orders, "x")
    plain_log(orders, "y")
    orders.set(xlabel="ε", ylabel="relative error of first order")
    orders.legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    lags.axhline(1, color="k", linestyle=":", linewidth=0.7)
    lags.set(xlabel="lag ℓ (steps)", ylabel="relative error at ε = 1", ylim=(0, None))
    return figure
