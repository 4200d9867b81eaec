"""Panels that several figures share; each takes an Axes and draws one thing."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, ScalarFormatter

from learnability.report.style import Style

DEEPEST = 1e-16
"""Envelopes below it are not drawn: a first-order one may fall to 1e-60."""
BANDWIDTH_FLOOR = 0.005
"""Least kernel bandwidth, as a share of the median: a degenerate spectrum stays a narrow peak, not a delta."""


def by_architecture(table: pd.DataFrame, style: Style) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each architecture, in drawing order."""
    for architecture in style.architectures:
        yield architecture, table[table["architecture"] == architecture]


def seed_band(ax: Axes, table: pd.DataFrame, x: str, y: str, architecture: str, style: Style, **line: object) -> None:
    """Median over seeds as a line, smallest to largest as a band; of several directions w, their median for each seed.

    Dotted, where the table has them: medians of the ends of intervals, `…_low` and `…_high`.
    """
    of_seeds = table.groupby(["seed", x])[y].median()
    spread = of_seeds.groupby(x).agg(["median", "min", "max"])
    colour = style.colours[architecture]
    label = style.labels[architecture]
    ax.plot(spread.index, spread["median"], **({"color": colour, "label": label} | line))  # type: ignore[arg-type]
    drawstyle = line.get("drawstyle", "default")
    step: Literal["post"] | None = "post" if drawstyle == "steps-post" else None
    ax.fill_between(spread.index, spread["min"], spread["max"], step=step, color=colour, alpha=0.2, linewidth=0)
    if f"{y}_low" in table:
        ends = table.groupby(x)[[f"{y}_low", f"{y}_high"]].median()
        finite = ends.where(np.isfinite(ends))
        ax.plot(ends.index, finite, color=colour, linestyle=":", linewidth=0.7, drawstyle=drawstyle)


def envelopes(ax: Axes, table: pd.DataFrame, y: str, style: Style) -> None:
    """A decay with lag, one line for each architecture."""
    for architecture, rows in by_architecture(table, style):
        seed_band(ax, rows, "lag", y, architecture, style)
    ax.set_xlabel("lag ℓ (steps)")


def windows(ax: Axes, window: pd.DataFrame, style: Style, **line: object) -> None:
    """Ĥ_N against N under the reading's criterion, one line of steps for each architecture; see `extrapolation`."""
    chosen = window[window["chosen"]]
    steps = {"drawstyle": "steps-post", "marker": "o", "markersize": 2.5} | line
    for architecture, rows in by_architecture(chosen, style):
        seed_band(ax, rows, "sample_size", "horizon", architecture, style, **steps)
    extrapolation(ax, chosen)
    ax.set(xlabel="sequences N", ylabel="window Ĥ(N) (steps)")
    plain_log(ax, "x")
    ax.set_ylim(bottom=-2, auto=True)  # what is drawn later may be longer


def extrapolation(ax: Axes, table: pd.DataFrame) -> None:
    """Grey where N exceeds the sequences that were measured."""
    largest = 1.1 * table["sample_size"].max()
    if table["extrapolated"].any():
        ax.axvspan(table["sequences"].max(), largest, color="0.92", zorder=0, linewidth=0)


def plain_log(ax: Axes, axis: str) -> None:
    """A logarithmic axis ticked in plain text: raised exponents would be too small to read.

    Powers of ten, and twice and five times these where there is little more than one.
    """
    getattr(ax, f"set_{axis}scale")("log")
    ticks = getattr(ax, f"{axis}axis")
    ticks.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ticks.set_minor_locator(LogLocator(subs=(2, 5)))

    def between(value: float, _: int) -> str:
        low, high = sorted(ticks.get_view_interval())
        return f"{value:g}" if high < 20 * low else ""

    ticks.set_minor_formatter(FuncFormatter(between))


def cut(ax: Axes) -> None:
    """End the axis at the deepest envelope drawn; no row is left out, for a median over seeds is over all of them."""
    ax.set_ylim(bottom=max(DEEPEST, ax.get_ylim()[0]))


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
    """The law of each architecture with the median parameter, constant and R² over seeds, as a dashed line."""
    limits = ax.get_ylim()
    for architecture, rows in by_architecture(fits[fits["model"] == model], style):
        if rows["parameter"].notna().sum() == 0:
            continue
        lag = np.geomspace(rows["first_lag"].min(), rows["last_lag"].max(), 100)
        parameter, constant, r_squared = rows[["parameter", "constant", "r_squared"]].median()
        with np.errstate(over="ignore"):
            values = constant * (np.exp(-lag / parameter) if model == "exponential" else lag**-parameter)
        symbol = "τ" if model == "exponential" else "β"
        text = f"{style.labels[architecture]}: {symbol} = {parameter:.3g}, R² = {r_squared:.3f}"
        ax.plot(lag, scale * values, color=style.colours[architecture], linestyle="--", linewidth=0.8, label=text)
    ax.set_ylim(limits)
    fitted = [line for line in ax.lines if line.get_linestyle() == "--"]
    ax.legend(handles=fitted, loc="lower center", bbox_to_anchor=(0.5, 1.1))


def time_scales(ax: Axes, spectrum: pd.DataFrame, architecture: str, style: Style) -> None:
    """Density of the time scales of all units, a line for each seed, and a tick for each unit."""
    colour, highest = style.colours[architecture], 0.0
    decaying = spectrum[np.isfinite(spectrum["time_scale"]) & (spectrum["time_scale"] > 0)]
    for _, units in decaying.groupby("seed"):
        x, density = kernel_density(units["time_scale"].to_numpy())
        ax.plot(x, density, color=colour, linewidth=0.8)
        ax.fill_between(x, density, color=colour, alpha=0.15, linewidth=0)
        highest = max(highest, density.max())
    ticks = decaying["time_scale"]
    ax.plot(ticks, np.full(len(ticks), -0.04 * highest), "|", color=colour, markersize=4, alpha=0.5)
    ax.set_title(style.labels[architecture])
    ax.set(xlabel="time scale τ of a unit (steps)", ylabel="density")
    others = len(spectrum) - len(decaying)
    if others:
        ax.text(0.98, 0.9, f"{others} units have no time scale", ha="right", transform=ax.transAxes)


def kernel_density(values: Float[np.ndarray, "draw"]) -> tuple[Float[np.ndarray, "point"], Float[np.ndarray, "point"]]:
    """Gaussian kernel density of positive values, reflected at 0; it integrates to 1.

    The bandwidth is Silverman's, at least `BANDWIDTH_FLOOR` times the median.
    """
    silverman = 0.9 * min(values.std(), np.subtract(*np.quantile(values, [0.75, 0.25])) / 1.34) * len(values) ** -0.2
    bandwidth = max(silverman, BANDWIDTH_FLOOR * np.median(values))
    x = np.linspace(max(values.min() - 4 * bandwidth, 0), values.max() + 4 * bandwidth, 1024)
    kernels = sum(np.exp(-(((x[:, None] - sign * values) / bandwidth) ** 2) / 2) for sign in (1, -1))
    return x, np.sum(kernels, 1) / (len(values) * bandwidth * np.sqrt(2 * np.pi))
