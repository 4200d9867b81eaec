"""Decay laws of each architecture on axes of its own, as in Figures 1, 8 and 10."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import DEEPEST, cut, decay_fit, envelopes, log_lags, plain_log, unit_quantiles
from learnability.report.style import BAND, PAPER, Style, Tables, heading, headline, legend
from studies.learnability_window.paper import EXPONENTS, TIME_CONSTANTS

FIT = Line2D([], [], color="k", linewidth=0.7, label="fitted law")
UNITS = Line2D([], [], color="k", linestyle=":", linewidth=0.7, label="5 % and 95 % of units")
LAWS = {"exponential": TIME_CONSTANTS, "power": EXPONENTS}


def draw_mean_envelopes(tables: Tables, style: Style) -> Figure:
    """Draw μ̄(ℓ) = f̂(ℓ)/H with its fits and the 5-95 % range over units, from the tables `envelope` and `fits`."""
    figure, axes = style.panels(len(style.architectures), 2, height_mm=42)
    compared = decay_panels(axes, tables, "mean_rate", style)
    fits = tables["fits"].pivot_table("r_squared", ["architecture", "seed"], "model")
    lead = (fits["exponential"] - fits["power"]).groupby("architecture").median()
    headline(figure, f"R² of the exponential, less that of the power law: {style.told(lead, '{:+.2f}')}")
    legend(figure, *style.handles(), BAND, FIT, UNITS, *[PAPER] * compared)
    return figure


def decay_panels(axes: np.ndarray, tables: Tables, column: str, style: Style) -> bool:
    """A semi-log and a log-log panel of each architecture with its exponential and its power law, and the paper's.

    Returns:
        Whether the paper has any.
    """
    rates, compared = tables["envelope"], False
    scale = float((rates[column] / rates["envelope"]).median())
    for name, pair in zip(style.architectures, axes.reshape(-1, 2), strict=True):
        rows, fits = (tables[kind][tables[kind]["architecture"] == name] for kind in ("envelope", "fits"))
        for ax, (model, printed) in zip(pair, LAWS.items(), strict=True):
            envelopes(ax, rows, column, style)
            if column == "mean_rate":
                unit_quantiles(ax, rows, style.colours[name])
            plain_log(ax, "y")
            cut(ax)
            of_optimizer = printed.get(fits["optimizer"].iloc[0], {})
            of_paper = of_optimizer.get(style.roles.get(name, ""))
            words = decay_fit(ax, fits, model, scale, of_paper)
            compared |= of_paper is not None
            heading(ax, words if model == "power" else f"{style.labels[name]}: {words}")
            ax.set_ylabel("envelope f̂(ℓ)" if column == "envelope" else "mean rate μ̄(ℓ)")
        seen = rows.loc[rows[column] > DEEPEST, "lag"]
        log_lags(pair[1])
        for ax, first in zip(pair, (0, seen.min() / 1.1), strict=True):
            ax.set_xlim(first, 1.1 * seen.max())
    return compared


def fall_to(table: pd.DataFrame, column: str, most: int) -> tuple[int, "pd.Series[float]"]:
    """The last lag up to `most`, and the decades from the first lag to it, medians over seeds of each architecture."""
    logs = table[table["lag"] <= most].pivot_table(column, ["architecture", "seed"], "lag").map(np.log10)
    return int(logs.columns[-1]), (logs.iloc[:, 0] - logs.iloc[:, -1]).groupby("architecture").median()
