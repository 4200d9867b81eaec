"""Appendix F: where rates rise with the lag, and the alignment that Lemma 5.2 takes for bounded."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from learnability.report.panels import by_architecture, plain_log, seed_band
from learnability.report.style import BAND, MARKERS, Style, Tables, bunches, conclude, heading, legend, note
from studies.learnability_window.appendices.figures.theory_panels import by_name

AT_FIRST = Line2D([], [], color="k", linestyle=":", linewidth=0.8, label="as training began")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `monotonicity`, `random` and `sample_complexity`."""
    random, groups = tables["random"], style.bunches()
    gates = sorted(random["gate"].unique(), reverse=True)
    cells = bunches(list(random["cell"].unique()))
    figure, axes = style.panels(2 * len(groups) + len(gates) * len(cells))
    first, *of_gates, last = np.split(axes, np.cumsum([len(groups), *[len(cells)] * len(gates)]))
    monotonicity = tables["monotonicity"]
    for ax, names in zip(first, groups, strict=True):
        _trained(ax, monotonicity[monotonicity["architecture"].isin(names)], style)
    colours = {cell: colour for cell, _, colour in by_name(random, "cell")}
    for panels, gate in zip(of_gates, gates, strict=True):
        for ax, names in zip(panels, cells, strict=True):
            for cell in names:
                rows = random[(random["cell"] == cell) & (random["gate"] == gate)]
                means, look = rows.groupby("lag")["unit"].mean(), MARKERS[list(colours).index(cell)]
                ax.plot(means.index, means, color=colours[cell], marker=look, markersize=2.5, markevery=8, label=cell)
            heading(ax, f"random, gates about {gate:g}", ncols=1)
    finite = tables["sample_complexity"][
        tables["sample_complexity"]["chosen"] & np.isfinite(tables["sample_complexity"]["log_sample_complexity"])
    ]
    for ax, names in zip(last, groups, strict=True):
        _alignment(ax, finite[finite["architecture"].isin(names)], style)
    for ax in axes[: -len(last)]:
        ax.set(xlabel="lag ℓ (steps)", ylabel="rates that rise", ylim=(0, None))
        ax.yaxis.set_major_formatter(PercentFormatter(1))
    conclude(figure, "Rates of single units rise with the lag, their sum hardly ever")
    legend(figure, *style.handles(), AT_FIRST, BAND)
    return figure


def _trained(ax: Axes, monotonicity: pd.DataFrame, style: Style) -> None:
    """Share of rates that rise in trained networks, and as they started."""
    for weights, line in (("initial", {"linestyle": ":", "marker": ""}), ("trained", {})):
        of_weights = monotonicity[monotonicity["weights"] == weights]
        for architecture, rows in by_architecture(of_weights, style):
            if len(rows):
                seed_band(ax, rows, "lag", "unit", architecture, style, **line)
    heading(ax, "trained networks")


def _alignment(ax: Axes, table: pd.DataFrame, style: Style) -> None:
    """Signal over envelope at lags of finite N̂."""
    for architecture, rows in by_architecture(table, style):
        if len(rows):
            rows = rows.assign(alignment=rows["signal"] / rows["envelope"])
            seed_band(ax, rows, "lag", "alignment", architecture, style)
    if table.empty:
        note(ax, "N̂ = ∞ at every lag")
    else:
        plain_log(ax, "y")
    ax.set(xlabel="lag ℓ (steps)", ylabel="m̄(ℓ) = Δ̂/f̂")
    heading(ax, "alignment")
