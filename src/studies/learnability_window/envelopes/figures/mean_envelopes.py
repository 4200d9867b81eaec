"""Decay laws of each architecture on axes of its own, as in Figures 8 and 10."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.findings import listed
from learnability.report.panels import DEEPEST, cut, decay_fit, envelopes, log_lags, plain_log, unit_quantiles
from learnability.report.style import BAND, PUBLISHED, Style, Tables, conclude, heading, legend
from studies.learnability_window.paper import EXPONENTS, TIME_CONSTANTS

FIT = Line2D([], [], color="k", linewidth=0.7, label="fitted law")
PALE: Any = {"facecolor": "w", "alpha": 0.7, "linewidth": 0, "pad": 0.5}
"""Ground of words that stand on curves."""
UNITS = Line2D([], [], color="k", linestyle=":", linewidth=0.7, label="5 % and 95 % of units")
LAWS = {"exponential": TIME_CONSTANTS, "power": EXPONENTS}


def draw_mean_envelopes(tables: Tables, style: Style) -> Figure:
    """Draw μ̄(ℓ) = f̂(ℓ)/H with its fits and the 5-95 % range over units, from the tables `envelope` and `fits`."""
    figure, axes = style.panels(2 * len(style.architectures), len(style.architectures))
    has_published = _decay_panels(axes.reshape(2, -1).T, tables, style)
    conclude(figure, message("mean rates", tables["fits"], style))
    legend(figure, BAND, FIT, UNITS, *[PUBLISHED] * has_published)
    return figure


def message(quantity: str, fits: pd.DataFrame, style: Style) -> str:
    """Which law has the higher median R² over seeds in each architecture, in words."""
    r_squared = fits.groupby(["architecture", "model"])["r_squared"].median().unstack()
    is_power = r_squared["power"] > r_squared["exponential"]
    others = listed(style.labels[name] for name in style.present(fits) if is_power[name]) if is_power.any() else ""
    if is_power.all():
        return f"A power law fits the {quantity} better than an exponential"
    return f"An exponential fits the {quantity} better than a power law{f', except in {others}' if others else ''}"


def _decay_panels(pairs: np.ndarray, tables: Tables, style: Style) -> bool:
    """A semi-log and a log-log panel of each architecture with its exponential and its power law, and the paper's.

    Returns:
        Whether the paper has any.
    """
    rates, has_published = tables["envelope"], False
    scale = float((rates["mean_rate"] / rates["envelope"]).median())
    for name, pair in zip(style.architectures, pairs, strict=True):
        rows, fits = (tables[kind][tables[kind]["architecture"] == name] for kind in ("envelope", "fits"))
        for ax, (model, published) in zip(pair, LAWS.items(), strict=True):
            envelopes(ax, rows, "mean_rate", style)
            unit_quantiles(ax, rows, style.colours[name])
            plain_log(ax, "y")
            cut(ax)
            of_optimizer = published.get(fits["optimizer"].iloc[0], {})
            of_paper = of_optimizer.get(style.roles.get(name, ""))
            words = decay_fit(ax, fits, model, scale, of_paper)
            has_published |= of_paper is not None
            heading(ax, f"{style.labels[name]}, {model}")
            lines = words.replace("; ", "\n").replace(", ", "\n")
            ax.text(0.04, 0.03, lines, transform=ax.transAxes, va="bottom", bbox=PALE)
            ax.set_ylabel("mean rate μ̄(ℓ)")
        lags = rows.loc[rows["mean_rate"] > DEEPEST, "lag"]
        log_lags(pair[1])
        for ax, first in zip(pair, (0, lags.min() / 1.1), strict=True):
            ax.set_xlim(first, 1.1 * lags.max())
    return has_published
