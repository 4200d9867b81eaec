"""Appendix A: error of the first-order expansion, over ε and, at ε = 1, over the lag."""

from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import MARKERS, Style, Tables, bunches, heading, headline
from studies.learnability_window.appendices.figures.theory_panels import by_name


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `orders` and `lags` of `studies.learnability_window.theory.expansion`."""
    by_panel = bunches([cell for cell, _, _ in by_name(tables["orders"], "cell")])
    figure, axes = style.panels(2 * len(by_panel), height_mm=60)
    looks = {
        cell: {"color": colour, "marker": marker, "markersize": 2.5, "linewidth": 0.8}
        for (cell, _, colour), marker in zip(by_name(tables["orders"], "cell"), MARKERS, strict=False)
    }
    for (orders, lags), cells in zip(axes.reshape(2, -1).T, by_panel, strict=True):
        for cell in cells:
            rows = tables["orders"][tables["orders"]["cell"] == cell]
            label = f"{cell}: {rows['order'].iloc[0]:.3f}"
            orders.plot(rows["epsilon"], rows["error"], label=label, **looks[cell])
            lag_rows = tables["lags"][(tables["lags"]["cell"] == cell) & (tables["lags"]["lag"] > 1)]
            lags.plot(lag_rows["lag"], lag_rows["error"], **looks[cell])
        plain_log(orders, "x")
        plain_log(orders, "y")
        orders.set(xlabel="ε", ylabel="relative error")
        heading(orders, "over ε: order", ncols=1)
        lags.axhline(1, color="k", linestyle=":", linewidth=0.7)
        lags.set(xlabel="lag ℓ (steps)", ylabel="relative error", ylim=(0, None))
        heading(lags, "at ε = 1; dotted: all is missed")
    headline(figure, "First-order transport is accurate for small ε only")
    return figure
