"""Resonances of trained networks at harmonics of the task's lags, and the loss that goes with their number."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from learnability.report.panels import by_architecture
from learnability.report.style import GREY, Style, Tables, conclude, heading, legend
from learnability.windows.harmonics import HALF, KEPT, harmonic
from studies.learnability_window.tables.resonances import with_loss

OPEN: dict[str, Any] = {"markerfacecolor": "none", "markersize": 3.5}
MARK: dict[str, Any] = {"linestyle": "", "marker": "o"}
AT = Line2D([], [], color="k", markersize=2.5, label="at a harmonic", **MARK)
BETWEEN = Line2D([], [], color="k", label="half-way between two", **MARK, **OPEN)
ELSEWHERE = Line2D([], [], color=GREY, markersize=2.5, label="neither, or fades below ½", **MARK)
COMB = Line2D([], [], color="k", linestyle="-", linewidth=0.8, label="comb with as many harmonics")
COMB_AND_BETWEEN = Line2D([], [], color="k", linestyle=":", linewidth=0.8, label="and as many half-way between")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `resonances`, `harmonics` and `curve`: a panel for each architecture, then the loss of all of them."""
    spectra, harmonics = tables["resonances"], tables["harmonics"]
    last, period = harmonics["epoch"].max(), int(harmonics["period"].iloc[0])
    figure, axes = style.larger().panels(len(style.architectures) + 1, 2)
    for ax, (architecture, rows) in zip(axes, by_architecture(spectra[spectra["epoch"] == last], style), strict=False):
        rows = rows.assign(place=rows["frequency"] * period, kept=(rows["modulus"] ** period).clip(upper=1))
        whole, half = rows["harmonic"].notna(), harmonic(rows, period, period, HALF).notna()
        for where, look in ((~whole & ~half, {"color": GREY}), (whole, {}), (half, OPEN)):
            ax.plot("place", "kept", data=rows[where], **style.line(architecture) | {"linestyle": ""} | look)
        ax.set(xlabel=f"frequency (cycles in {period} steps)", ylabel=f"kept over {period} steps", ylim=(-0.03, 1.05))
        ax.set_xticks(np.arange(0, period // 2 + 1, max(1, period // 8)))
        ax.set_xlim(-0.5, period / 2 + 0.5)
        ax.grid(axis="x", color="0.9", linewidth=0.5)
        ax.axhline(KEPT, color="0.9", linewidth=0.5, zorder=0)
        heading(ax, f"{style.labels[architecture]}, after training")
    table = with_loss(harmonics, tables["curve"])
    for architecture, rows in by_architecture(table, style):
        axes[-1].plot(rows["carried"], rows["validation_loss"], **style.line(architecture) | {"linestyle": ""})
    comb = table.groupby("carried")["comb_loss"].first()
    axes[-1].plot(comb.index, comb, color="k", linewidth=0.8)
    with_between = table.groupby("carried")["comb_and_between_loss"].median()
    axes[-1].plot(with_between.index, with_between, color="k", linewidth=0.8, linestyle=":")
    axes[-1].set(xlabel="harmonics carried", ylabel="validation loss")
    axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    heading(axes[-1], "all stored epochs")
    conclude(figure, "Trained networks resonate at harmonics of the task's lags")
    legend(figure, *style.handles(), AT, BETWEEN, ELSEWHERE, COMB, COMB_AND_BETWEEN)
    return figure
