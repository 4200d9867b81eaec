"""The echo control: windows that open, and where they end, as it is and with targets that hold the echoes."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import extrapolation, plain_log, seed_band
from learnability.report.style import BAND, BEYOND, Style, Tables, heading, headline, legend
from studies.learnability_window.window_ends import window_ends

AWAY = Line2D([], [], color="k", linestyle=":", linewidth=1, label="end off the task's lags")

STEPS: Any = {"drawstyle": "steps-post"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `window`, `granted` and `response`; shares over directions w, by the reading's criterion."""
    figure, axes = style.panels(len(style.architectures), 2, height_mm=34)
    opened: dict[str, dict[str, float]] = {}
    for column, (table, words) in enumerate({"window": "as it is", "granted": "echoes granted"}.items()):
        ends = window_ends(tables[table], tables["response"], ["architecture", "seed", "sample_size"]).reset_index()
        for name, ax in zip(style.architectures, axes[column::2], strict=True):
            rows = ends[ends["architecture"] == name]
            seed_band(ax, rows, "sample_size", "open", name, style, **STEPS)
            away = rows.groupby("sample_size")["away"].median()
            ax.plot(away.index, away, color="k", linestyle=":", linewidth=1, **STEPS)
            extrapolation(ax, tables[table])
            plain_log(ax, "x")
            ax.set(xlabel="sequences N", ylabel="share of windows", ylim=(-0.05, 1.05))
            heading(ax, words if column else style.labels[name])
            opened.setdefault(words, {})[name] = rows[rows["sample_size"] == rows["sample_size"].max()]["open"].median()
    shares = {name: " and ".join(f"{found[name]:.0%}" for found in opened.values()) for name in style.architectures}
    headline(figure, f"Windows open at the largest N, as it is and with echoes granted: {style.told(shares, '{}')}")
    legend(figure, *style.handles(), AWAY, BAND, BEYOND)
    return figure
