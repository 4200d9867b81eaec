"""N₅₀ and the sample complexity of the paper over the lag, and by which factor candidates grow with it."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.findings import number
from learnability.report.panels import label_point, plain_log
from learnability.report.style import GREY, Style, Tables, conclude, heading, legend, note
from studies.ground_truth.answers import TEXT, words
from studies.ground_truth.contest import MOST_SEEDS, SETTING, by_moment, sizes_of
from studies.ground_truth.tables import last_look

N50 = "n50"


def draw(tables: Tables, style: Style) -> Figure:
    """Draw a row of panels for each grid, from `half_learned`, `growth`, and `trials` and `candidates` of the study."""
    half_learned, growth, sizes = last_look(tables["half_learned"]), tables["growth"], sizes_of(tables["trials"])
    n50 = half_learned[half_learned["reachable"] >= MOST_SEEDS].set_index(SETTING)["n50"]
    moments = by_moment(tables["candidates"])
    paper = moments[moments["candidate"] == TEXT].groupby(SETTING)["value"].median().reindex(n50.index)
    grids = growth["grid"].unique()
    figure, axes = style.panels(3 * len(grids), 3, height_mm=52)
    for row, grid in enumerate(grids):
        of_n50, of_paper, factors = axes[3 * row : 3 * row + 3]
        _over_lag(of_n50, n50.loc[grid], style, (sizes.min() / 2, 2 * sizes.max()))
        heading(of_n50, f"{grid}: N₅₀")
        _over_lag(of_paper, np.exp(paper.loc[grid]), style)
        heading(of_paper, f"{grid}: N̂ of the paper")
        lags = n50.loc[grid].index.get_level_values("lag")
        _factors(factors, growth[growth["grid"] == grid], lags.max() / lags.min())
        heading(factors, f"{grid}: growth, median")
    limits = np.array([ax.get_xlim() for ax in axes[2::3]])
    for ax in axes[2::3]:
        ax.set_xlim(limits.min(), limits.max())
    conclude(figure, "N₅₀ grows faster than the lag; the paper's sample complexity less, or much more")
    growth_of_lag = Line2D([], [], color="k", linewidth=0.5, label="growth of the lag")
    look = {"color": "k", "linestyle": "", "marker": "o", "markersize": 2.5, "fillstyle": "none"}
    beyond = Line2D([], [], **look, label="beyond the N tried")  # type: ignore[arg-type]
    legend(figure, *style.handles(), beyond, growth_of_lag)
    return figure


def _over_lag(ax: Axes, values: "pd.Series[float]", style: Style, ends: tuple[float, float] = (0, np.inf)) -> None:
    """A line for each architecture; what lies beyond the ends is an open marker there."""
    for name in style.architectures:
        rows = values[values.index.get_level_values("architecture") == name].droplevel("architecture")
        shown, line = rows.clip(*ends), style.line(name)
        ax.plot(shown, **line | {"marker": ""})
        for is_inside, face, size in ((True, line["color"], line["markersize"]), (False, "w", 4)):
            part = shown[(shown == rows) == is_inside]
            ax.plot(part, **line | {"linestyle": "", "markerfacecolor": face, "markersize": size})
    lags = values.index.get_level_values("lag").unique().sort_values()
    plain_log(ax, "x")
    if np.isfinite(values).any():
        plain_log(ax, "y")
    else:
        note(ax, "not measured")
    ax.set_xticks(lags, [f"{lag}" for lag in lags])
    ax.minorticks_off()
    ax.set(xlabel="lag ℓ (steps)", ylabel="sequences")


def _factors(ax: Axes, growth: pd.DataFrame, of_lag: float) -> None:
    """Factors from the shortest to the longest lag, and of the lag; open where N₅₀ is known by a lower bound alone."""
    table = growth.iloc[::-1].reset_index(drop=True)
    ax.axvline(1, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
    ax.axvline(of_lag, color="k", linewidth=0.5, zorder=0)
    decades_of = growth[growth["quantity"].isin([N50, TEXT])].set_index("quantity")["decades_low"]
    for name, decades in decades_of.items():
        is_bound = name == N50 and growth.loc[growth["quantity"] == N50, "decades_high"].iloc[0] > decades
        place, sign = len(growth) - 1 - list(growth["quantity"]).index(name), "≥ " if is_bound else ""
        is_far = decades > 2
        label_point(ax, f"{sign}× {number(10**decades)}", (10**decades, place), (-4 if is_far else 5, 0))
    for place, row in enumerate(table.to_dict("records")):
        is_bound, marker = row["decades_high"] > row["decades_low"], "D" if row["quantity"] == N50 else "o"
        ax.plot(10 ** row["decades_low"], place, f"k{marker}", markersize=3, fillstyle="none" if is_bound else "full")
    plain_log(ax, "x")  # the line at 1 is always there
    names = table["quantity"].map(words).str.removesuffix(" at the start").replace(N50, "N₅₀")
    ax.set_yticks(table.index, names)
    ax.set(xlabel="factor of growth", ylabel="quantity")
