"""Gradients through the memory of an LSTM, by its forget gates alone and by all paths."""

from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import label_point, plain_log
from learnability.report.style import GREY, MARKERS, Style, Tables, conclude, heading, legend, note
from studies.gated.carousel.measure import END

COLOURS = ("#0173b2", "#029e73", "#de8f05", "#d55e00")
DIRECT: Literal["--"] = "--"
EXACT: Literal["-"] = "-"


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `carousel_paths`; medians over seeds."""
    paths = tables["carousel_paths"]
    of_lstm, of_rnn = (paths[paths["architecture"] == name] for name in ("lstm", "rnn"))
    figure, (start, end, share) = style.panels(3, height_mm=60)
    biases = of_lstm["bias"].dropna().unique().tolist()
    for place, bias in enumerate(biases):
        rows = of_lstm[of_lstm["bias"] == bias]
        _line(start, rows, "direct", None, color=COLOURS[place], linestyle=DIRECT)
        _line(start, rows, "exact", f"b = {bias:g}", color=COLOURS[place], marker=MARKERS[place], linestyle=EXACT)
        _line(share, rows, "left_out", None, color=COLOURS[place], marker=MARKERS[place])
    _label_ends(start, of_lstm[of_lstm["bias"] == max(biases, default=np.nan)], COLOURS[len(biases) - 1])
    _line(end, _after(of_lstm), "direct", None, color="k", linestyle=DIRECT)
    _line(end, _after(of_lstm), "exact", style.labels.get("lstm"), color="k", marker="o", linestyle=EXACT)
    _line(end, _after(of_rnn), "exact", style.labels.get("rnn"), color=COLOURS[0], marker="s", linestyle=EXACT)
    _line(share, _after(of_lstm), "left_out", None, color="k")
    for ax in (start, end, share):
        if not ax.lines:
            note(ax, "No such network.")
    for ax, words in ((start, "LSTM before training, forget bias b"), (end, "after training")):
        heading(ax, words, ncols=4 if ax.lines else 0)
        plain_log(ax, "y")
        ax.axhline(1, color=GREY, linewidth=0.7, zorder=0)
        ax.set(xlabel="lag ℓ = T - t (steps)", ylabel="norm of ∂c_T/∂c_t")
    share.set(xlabel="lag ℓ = T - t (steps)", ylabel="share of the norm", ylim=(-0.05, 1.1))
    heading(share, "left out by forget gates; black: trained")
    conclude(figure, "Forget gates alone miss what all paths pass through the memory")
    legend(
        figure,
        Line2D([], [], color="k", label="all paths", linestyle=EXACT),
        Line2D([], [], color="k", label="forget gates alone", linestyle=DIRECT),
    )
    return figure


def _after(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["when"] == END]


def _label_ends(ax: Axes, rows: pd.DataFrame, colour: str) -> None:
    """Write the norm at the longest lag beside it, by forget gates alone and along all paths."""
    for column, up in (("direct", 0), ("exact", 4)):
        medians = rows.groupby("lag")[column].median()
        if len(medians):
            at = (medians.index[-1], medians.iloc[-1])
            label_point(ax, f"{medians.iloc[-1]:.2g}", at, (4, up), color=colour)
    if rows["lag"].nunique() > 1:
        ax.margins(x=0.18)  # for the numbers


def _line(ax: Axes, rows: pd.DataFrame, column: str, label: str | None, **shape: Any) -> None:
    medians = rows.groupby("lag")[column].median()
    if len(medians):
        ax.plot(medians.index, medians, markersize=2.5, label=label, **shape)
