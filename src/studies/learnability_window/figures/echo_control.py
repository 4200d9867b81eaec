"""The echo control: windows that open, and where they end, as it is and with targets that hold the echoes."""

from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, extrapolation, plain_log, seed_band
from learnability.report.style import Style, Tables
from studies.learnability_window.window_ends import window_ends


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `window`, `granted` and `response`; shares over directions w, by the reading's criterion."""
    figure, axes = style.panels(2, height_mm=58)
    for ax, table, words in zip(axes, ("window", "granted"), ("as it is", "echoes granted"), strict=True):
        shares = window_ends(tables[table], tables["response"], ["architecture", "seed", "sample_size"]).reset_index()
        for architecture, rows in by_architecture(shares, style):
            seed_band(ax, rows, "sample_size", "open", architecture, style)
            away = rows.groupby("sample_size")["away"].median()
            ax.plot(away.index, away, color=style.colours[architecture], linestyle="--", linewidth=0.8)
        extrapolation(ax, tables[table])
        ax.set(xlabel="sequences N", ylabel=f"share of windows, {words}", ylim=(-0.03, 1.03))
        plain_log(ax, "x")
    axes[0].plot([], [], color="0.3", linestyle="--", linewidth=0.8, label="ends at no lag of the task")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    return figure
