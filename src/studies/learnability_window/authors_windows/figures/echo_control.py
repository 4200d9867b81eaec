"""The echo control: windows that open, and where they end, as it is and with targets that hold the echoes."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import extrapolation, plain_log, seed_band
from learnability.report.style import BAND, BEYOND, Style, Tables, conclude, heading, legend
from studies.learnability_window.window_ends import window_ends

AWAY = Line2D([], [], color="k", linestyle=":", linewidth=1, label="end off the task's lags")

FEW = 0.2
"""Share of windows that is hardly any."""
STEPS: Any = {"drawstyle": "steps-post"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `window`, `granted` and `response`; shares over directions w, by the reading's criterion."""
    figure, axes = style.panels(2 * len(style.architectures), len(style.architectures), sharex=True, sharey=True)
    away_by_panel = []
    for column, (table, words) in enumerate({"window": "as it is", "granted": "echoes granted"}.items()):
        ends = window_ends(tables[table], tables["response"], ["architecture", "seed", "sample_size"]).reset_index()
        for name, ax in zip(style.architectures, axes.reshape(2, -1)[column], strict=True):
            rows = ends[ends["architecture"] == name]
            seed_band(ax, rows, "sample_size", "open", name, style, **STEPS)
            away = rows.groupby("sample_size")["away"].median()
            ax.plot(away.index, away, color="k", linestyle=":", linewidth=1, **STEPS)
            away_by_panel.append(away.max())
            extrapolation(ax, tables[table])
            plain_log(ax, "x")
            ax.set(xlabel="sequences N", ylabel="share of windows", ylim=(-0.05, 1.05))
            heading(ax, words if column else style.labels[name])
    conclude(figure, _message(away_by_panel[len(style.architectures) :]))
    legend(figure, AWAY, BAND, BEYOND)
    return figure


def _message(away_if_granted: Sequence[float]) -> str:
    """How many windows end off the task's lags in targets that hold the echoes, by the largest share of each panel."""
    ends = "hardly any window ends" if max(away_if_granted) <= FEW else "windows still end"
    return f"With echoes granted {ends} off the task's lags"
