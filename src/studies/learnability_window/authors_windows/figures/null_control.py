"""The null control: how often a window opens where there is nothing to find, by each kind of transport."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, extrapolation, plain_log, seed_band
from learnability.report.style import BAND, BEYOND, Style, Tables, conclude, heading, legend, note
from learnability.stats.proportions import proportion_interval

ERRORS = Line2D(
    [], [], color="0.3", linestyle="", marker="s", markersize=3.5, fillstyle="none", label="permuted errors, 95 %"
)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `sign_flips`, random signs, and `permuted`, windows with the errors of another sequence."""
    null, permutations = (table[table["chosen"]] for table in (tables["sign_flips"], tables["permuted"]))
    level, bunches = float(null["level"].iloc[0]), style.bunches()
    figure, axes = style.larger().panels(2 * len(bunches), height_mm=64)
    largest: dict[str, float] = {}
    for row, transport in zip(axes.reshape(2, -1), ("first_order", "exact"), strict=True):
        of_kind = null[null["transport"] == transport]
        largest[transport] = of_kind.groupby(["architecture", "seed", "sample_size"])["rate"].median().max()
        for ax, names in zip(row, bunches, strict=True):
            rates = of_kind[of_kind["architecture"].isin(names)]
            for architecture, rows in by_architecture(rates, style):
                if len(rows):
                    seed_band(ax, rows, "sample_size", "rate", architecture, style)
            top = max(
                _end_to_end(ax, permutations[permutations["transport"] == transport]), rates["rate"].max(), 2 * level
            )
            extrapolation(ax, permutations)
            ax.axhline(level, color="k", linestyle=":", linewidth=0.7)
            plain_log(ax, "x")
            ax.set(xlabel="sequences N", ylabel="false windows", ylim=(-0.03 * top, 1.05 * top))
            heading(ax, f"{transport.replace('_', ' ')} transport")
            if rates["rate"].isna().all():
                note(ax, "no sum over sequences whose signs could be drawn")
    conclude(figure, _message(largest, level))
    level_line = Line2D([], [], color="k", linestyle=":", linewidth=0.7, label="stated level")
    legend(figure, *style.handles(), BAND, ERRORS, level_line, BEYOND)
    return figure


def _message(largest: Mapping[str, float], level: float) -> str:
    """By which transport windows of some network open by random signs more often than stated."""
    exceeding = [kind for kind, rate in largest.items() if rate > level]
    if not exceeding:
        return "Windows open by chance no more often than stated"
    alone = ", to first order alone" * (exceeding == ["first_order"])
    return f"Windows open by chance more often than stated{alone}"


def _end_to_end(ax: Axes, permutations: pd.DataFrame) -> float:
    """Share of all windows at N that are open, with a Clopper-Pearson interval; its largest end.

    Directions w of a network are not independent: each network is one case, open by the share of its directions.
    """
    network = ["architecture", "optimizer", "seed", "sample_size"]
    share = permutations.assign(opened=permutations["horizon"] > 0).groupby(network)["opened"].mean()
    counts = share.groupby("sample_size").agg(["sum", "count"])
    cases, openings = counts["count"].to_numpy(), counts["sum"].to_numpy()
    low, _ = proportion_interval(np.floor(openings).astype(int), cases)
    _, high = proportion_interval(np.ceil(openings).astype(int), cases)
    ax.vlines(counts.index, low, high, color="0.5", linewidth=1)
    ax.plot(
        counts.index,
        counts["sum"] / counts["count"],
        "s",
        color="0.3",
        markersize=5,
        fillstyle="none",
        markeredgewidth=0.8,
    )
    return float(high.max())
