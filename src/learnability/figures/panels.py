"""Panels that several figures share; each takes an Axes and draws one thing."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.ticker import ScalarFormatter

from learnability.figures.style import Style

BANDWIDTH_FLOOR = 0.02
"""Least kernel bandwidth, as a share of the median: a degenerate spectrum stays a narrow peak, not a delta."""


def by_architecture(table: pd.DataFrame, style: Style) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each architecture, in drawing order."""
    for architecture in style.architectures:
        yield architecture, table[table["architecture"] == architecture]


def seed_band(ax: Axes, table: pd.DataFrame, x: str, y: str, architecture: str, style: Style, **line: object) -> None:
    """Median over seeds as a line, smallest to largest as a band."""
    spread = table.groupby(x)[y].agg(["median", "min", "max"])
    colour = style.colours[architecture]
    label = style.labels[architecture]
    ax.plot(spread.index, spread["median"], **({"color": colour, "label": label} | line))  # type: ignore[arg-type]
    ax.fill_between(spread.index, spread["min"], spread["max"], color=colour, alpha=0.2, linewidth=0)


def envelopes(ax: Axes, table: pd.DataFrame, y: str, style: Style) -> None:
    """A decay with lag, one line for each architecture."""
    for architecture, rows in by_architecture(table, style):
        seed_band(ax, rows, "lag", y, architecture, style)
    ax.set_xlabel("lag ℓ (steps)")


def windows(ax: Axes, window: pd.DataFrame, style: Style) -> None:
    """Ĥ_N against N under the reading's criterion, one line for each architecture."""
    for architecture, rows in by_architecture(window[window["chosen"]], style):
        seed_band(ax, rows, "sample_size", "horizon", architecture, style, marker="o", markersize=2.5)
    ax.set(xscale="log", xlabel="sequences N", ylabel="window Ĥ$_N$ (steps)")
    ax.set_ylim(bottom=-2)


def log_lags(ax: Axes) -> None:
    """A logarithmic lag axis, ticked at powers of two."""
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter(ScalarFormatter())


def unit_quantiles(ax: Axes, table: pd.DataFrame, style: Style) -> None:
    """5 % and 95 % points over units of the rates, as dotted lines; medians over seeds."""
    for architecture, rows in by_architecture(table, style):
        medians = rows.groupby("lag")[["rate_q05", "rate_q95"]].median()
        ax.plot(medians.index, medians, color=style.colours[architecture], linestyle=":", linewidth=0.7)


def decay_fits(ax: Axes, fits: pd.DataFrame, model: str, scale: float, style: Style) -> None:
    """The fitted law of each architecture, medians over seeds, as a dashed line with its parameter and R²."""
    limits = ax.get_ylim()
    for architecture, rows in by_architecture(fits[fits["model"] == model], style):
        if rows["parameter"].notna().sum() == 0:
            continue
        lag = np.geomspace(rows["first_lag"].min(), rows["last_lag"].max(), 100)
        parameter, constant, r_squared = rows[["parameter", "constant", "r_squared"]].median()
        with np.errstate(over="ignore"):
            values = constant * (np.exp(-lag / parameter) if model == "exponential" else lag**-parameter)
        symbol = "τ" if model == "exponential" else "β"
        text = f"{symbol} = {parameter:.3g}, R² = {r_squared:.3f}"
        ax.plot(lag, scale * values, color=style.colours[architecture], linestyle="--", linewidth=0.8, label=text)
    ax.set_ylim(limits)
    fitted = [line for line in ax.lines if line.get_linestyle() == "--"]
    ax.legend(handles=fitted, loc="lower left")


def time_scales(ax: Axes, spectrum: pd.DataFrame, architecture: str, style: Style) -> None:
    """Density of the time scales of all units and seeds, and a tick for each unit."""
    values = spectrum["time_scale"].to_numpy()
    finite = values[np.isfinite(values) & (values > 0)]
    x, density = kernel_density(finite)
    colour = style.colours[architecture]
    ax.plot(x, density, color=colour)
    ax.fill_between(x, density, color=colour, alpha=0.2, linewidth=0)
    ax.plot(finite, np.full(len(finite), -0.03 * density.max()), "|", color=colour, markersize=4, alpha=0.5)
    ax.set_title(style.labels[architecture])
    ax.set_ylabel("density")
    missing = len(values) - len(finite)
    if missing:
        ax.text(0.98, 0.9, f"{missing} units do not decay", ha="right", transform=ax.transAxes)


def kernel_density(values: Float[np.ndarray, "draw"]) -> tuple[Float[np.ndarray, "point"], Float[np.ndarray, "point"]]:
    """Gaussian kernel density of positive values; Silverman's bandwidth, at least `BANDWIDTH_FLOOR` × the median."""
    silverman = 0.9 * min(values.std(), np.subtract(*np.quantile(values, [0.75, 0.25])) / 1.34) * len(values) ** -0.2
    bandwidth = max(silverman, BANDWIDTH_FLOOR * abs(np.median(values)))
    x = np.linspace(max(values.min() - 3 * bandwidth, 0), values.max() + 3 * bandwidth, 512)
    kernels = np.exp(-(((x[:, None] - values) / bandwidth) ** 2) / 2)
    return x, kernels.sum(1) / (len(values) * bandwidth * np.sqrt(2 * np.pi))
