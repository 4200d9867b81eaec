"""The null control: how often a window opens where there is nothing to find, by each kind of transport."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, seed_band
from learnability.report.style import Style, Tables, note
from learnability.stats.proportions import proportion_interval


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `sign_flips`, random signs, and `permuted`, windows with the errors of another sequence."""
    null, shifted = (table[table["chosen"]] for table in (tables["sign_flips"], tables["permuted"]))
    figure, axes = style.panels(2, height_mm=58)
    for ax, transport in zip(axes, ("first_order", "exact"), strict=True):
        rates = null[null["transport"] == transport]
        for architecture, rows in by_architecture(rates, style):
            seed_band(ax, rows, "sample_size", "rate", architecture, style)
        _end_to_end(ax, shifted[shifted["transport"] == transport])
        level = float(null["level"].iloc[0])
        ax.axhline(level, color="k", linestyle=":", linewidth=0.7, label=f"stated level, {level:g}")
        ax.set_xscale("log")
        ax.set(xlabel="sequences N", ylabel=f"false windows, {transport.replace('_', ' ')}", ylim=(-0.03, 1.03))
        if rates["rate"].isna().all():
            note(ax, "no sum over sequences whose signs could be drawn")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    return figure


def _end_to_end(ax: Axes, shifted: pd.DataFrame) -> None:
    """Share of all windows at N that are open, with a Clopper-Pearson interval.

    Directions w of a network are not independent: each network is one case, open by the share of its directions.
    """
    network = ["architecture", "optimizer", "seed", "sample_size"]
    share = shifted.assign(opened=shifted["horizon"] > 0).groupby(network)["opened"].mean()
    opened = share.groupby("sample_size").agg(["sum", "count"])
    cases, found = opened["count"].to_numpy(), opened["sum"].to_numpy()
    low, _ = proportion_interval(np.floor(found).astype(int), cases)
    _, high = proportion_interval(np.ceil(found).astype(int), cases)
    ax.vlines(opened.index, low, high, color="0.5", linewidth=0.7)
    label = "errors of another sequence"
    ax.plot(opened.index, opened["sum"] / opened["count"], "s", color="0.3", markersize=2.5, label=label)
