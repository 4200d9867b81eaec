"""Section 17: the error of free running beside that of teacher forcing, and beside what chaos makes of it."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import label_point, level_labels, plain_log
from learnability.report.style import BAND, GREY, Style, Tables, conclude, heading, legend
from studies.gated.curves import look, over_seeds
from studies.gated.generation.measure import EXPERIMENTS, FORCED, FREE, RESERVOIR

TITLES = {"lorenz": "Lorenz", "mackey_glass": "Mackey-Glass"}
LEAST, MOST = 1e-5, 30
"""Errors that are shown, over the spread of the series."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `generation_growth`, `generation_times` and `generation_example`."""
    figure, axes = style.panels(2 + len(EXPERIMENTS), 2, height_mm=52)
    times, growth, example = (tables[f"generation_{name}"] for name in ("times", "growth", "example"))
    for ax, series in zip(axes, EXPERIMENTS, strict=False):
        _errors(ax, growth[growth["experiment"] == series], times[times["experiment"] == series], style)
        heading(ax, f"{TITLES[series]}: errors")
    of_last = times["experiment"] == series
    _example(axes[-2], example[example["experiment"] == series], times[of_last], style)
    heading(axes[-2], f"{TITLES[series]}: a series, continued")
    _ratios(axes[-1], times, style)
    heading(axes[-1], "after one Lyapunov time, each network")
    conclude(figure, "Errors grow when a network continues a series on its own outputs")
    handles = [Line2D([], [], **_line(name, style)) for name in _names(times, style)]
    legend(
        figure,
        *handles,
        Line2D([], [], color="k", linewidth=0.6, label="teacher forcing"),
        Line2D([], [], color=GREY, linewidth=1.5, label="the series: true; e^λk"),
        BAND,
    )
    return figure


def _names(table: pd.DataFrame, style: Style) -> list[str]:
    return [*(name for name in style.present(table) if name != RESERVOIR), RESERVOIR]


def _line(name: str, style: Style) -> dict[str, Any]:
    return style.line(name) if name in style.labels else look(0, 1, name) | {"color": "k"}


def _errors(ax: Axes, table: pd.DataFrame, times: pd.DataFrame, style: Style) -> None:
    """Typical errors; from the first one of the reservoir on, what the largest exponent makes of it."""
    for name in _names(table, style):
        rows, line = table[table["architecture"] == name], _line(name, style)
        over_seeds(ax, rows[rows["mode"] == FREE], "step", "typical", **line)
        with_forcing = rows[rows["mode"] == FORCED].groupby("step")["typical"].median()
        ax.plot(with_forcing.index, with_forcing, color=line["color"], linewidth=0.6)
    first = table[(table["mode"] == FREE) & (table["architecture"] == RESERVOIR)].groupby("step")["typical"].median()
    steps, exponent = first.index.to_numpy(), times["exponent"].median()
    alone = first.iloc[0] * np.exp(exponent * (steps - steps[0]))
    ax.plot(steps, np.where(alone < 1, alone, np.nan), color=GREY, linewidth=1.5, zorder=1)
    _lyapunov_time(ax, exponent)
    plain_log(ax, "y")
    ax.set(xlabel="steps k behind the warm-up", ylabel="error / spread", ylim=(LEAST, MOST))


def _example(ax: Axes, table: pd.DataFrame, times: pd.DataFrame, style: Style) -> None:
    true = table.groupby("step")["true"].first()
    ax.plot(true.index, true, color=GREY, linewidth=1.5)
    for name in _names(table, style):
        rows = table[(table["architecture"] == name) & (table["mode"] == FREE)]
        line = _line(name, style)
        ax.plot(rows["step"], rows["predicted"], color=line["color"], linestyle=line["linestyle"], linewidth=0.8)
    _lyapunov_time(ax, times["exponent"].median())
    middle, reach = (true.min() + true.max()) / 2, true.max() - true.min()
    ax.set(xlabel="steps k behind the warm-up", ylabel="x (standard deviations)")
    ax.set_ylim(middle - 0.8 * reach, middle + 0.8 * reach)


def _ratios(ax: Axes, times: pd.DataFrame, style: Style) -> None:
    """Errors on own outputs over errors under teacher forcing, a mark for each network; the median of a series."""
    times = times.assign(ratio=times["free_at_lyapunov_time"] / times["forced_at_lyapunov_time"])
    for place, series in enumerate(EXPERIMENTS):
        rows = times[times["experiment"] == series]
        for name in _names(rows, style):
            ratios = rows.loc[rows["architecture"] == name, "ratio"]
            ax.plot(ratios, [place] * len(ratios), **_line(name, style) | {"linestyle": "", "markersize": 4})
        middle = rows["ratio"].median()
        ax.plot([middle], [place], color="k", marker="|", markersize=16)
        label_point(ax, f"median × {middle:.0f}", (middle, place), (0, 10))
    plain_log(ax, "x")
    level_labels(ax)
    ax.set_yticks(range(len(EXPERIMENTS)), [TITLES[series] for series in EXPERIMENTS])
    ax.set(xlabel="free error / error under teacher forcing", ylabel="series", ylim=(len(EXPERIMENTS) - 0.5, -0.5))


def _lyapunov_time(ax: Axes, exponent: float) -> None:
    ax.axvline(1 / exponent, color="k", linewidth=0.5)
