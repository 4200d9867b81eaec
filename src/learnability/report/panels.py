"""Panels that several figures share; each takes an Axes and draws one thing."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

from learnability.report.findings import power_of_ten
from learnability.report.style import GREY, Style, unbroken

DEEPEST = 1e-16
"""Envelopes below it are not drawn: a first-order one may fall to 1e-60."""
MARKER_COUNT = 8
"""Points of a line that carry a marker, about."""
WIDE = 20
"""Largest over smallest time scale from which on their axis is logarithmic."""
NARROW = 30
"""Largest over smallest value of a logarithmic axis below which ticks between powers of ten have labels."""
SMALLEST_PLAIN, LARGEST_PLAIN = 1e-4, 1e6
"""A logarithmic axis that goes beyond them has all its labels as powers of ten: 1e-8, not beside it 0.0001."""
LUMINANCE, MIDDLE = (0.2126, 0.7152, 0.0722), 0.45
"""Weights of red, green and blue, and the shade below which numbers are white."""
BANDWIDTH_FLOOR = 0.005
"""Least kernel bandwidth, as a share of the median: a degenerate spectrum stays a narrow peak, not a delta."""


def label_point(ax: Axes, text: str, at: tuple[Any, Any], aside: tuple[float, float] = (4, 0), **look: Any) -> None:
    """Write a number beside a point of a panel, some points to the side or above it, on white that covers curves."""
    across = {-1: "right", 0: "center", 1: "left"}[int(np.sign(aside[0]))]
    along = {-1: "top", 0: "center", 1: "bottom"}[int(np.sign(aside[1]))]
    place: dict[str, Any] = {"xytext": aside, "textcoords": "offset points", "ha": across, "va": along}
    white: dict[str, Any] = {"facecolor": "w", "alpha": 0.7, "linewidth": 0, "pad": 0.4}
    place |= {"bbox": white, "zorder": 4, **look}
    ax.annotate(text, at, **place)


def label_bar(ax: Axes, text: str, at: tuple[float, float], shade: str) -> None:
    """Write a number in the middle of a part of a bar, in white on a dark shade."""
    colour = "w" if np.dot(to_rgb(shade), LUMINANCE) < MIDDLE else "k"
    ax.text(*at, text, color=colour, ha="center", va="center")


def by_architecture(table: pd.DataFrame, style: Style) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each architecture, in drawing order."""
    for architecture in style.architectures:
        yield architecture, table[table["architecture"] == architecture]


def seed_band(ax: Axes, table: pd.DataFrame, x: str, y: str, architecture: str, style: Style, **line: object) -> None:
    """Median over seeds as a line, smallest to largest as a band; of several directions w, their median for each seed.

    Thin lines, where the table has `…_low` and `…_high`: medians of the ends of intervals. Markers of the architectures
    stand at different places, so that curves that coincide can be told apart.
    """
    of_seeds = table.groupby(["seed", x])[y].median()
    spread = of_seeds.groupby(x).agg(["median", "min", "max"])
    shape = style.line(architecture) | {"markevery": _places(architecture, len(spread), style)} | line
    ax.plot(spread.index, spread["median"], **shape)
    step: Any = {"steps-post": "post"}.get(shape.get("drawstyle", ""))
    colour = shape["color"]
    ax.fill_between(spread.index, spread["min"], spread["max"], step=step, color=colour, alpha=0.2, linewidth=0)
    if f"{y}_low" in table:
        ends = table.groupby(x)[[f"{y}_low", f"{y}_high"]].median()
        finite = ends.where(np.isfinite(ends))
        ax.plot(ends.index, finite, color=colour, linewidth=0.5, drawstyle=shape.get("drawstyle", "default"))


def _places(architecture: str, points: int, style: Style) -> tuple[int, int]:
    """Index of the first point with a marker, and points from one marker to the next."""
    stride = max(points // MARKER_COUNT, 1)
    return list(style.architectures).index(architecture) * stride // len(style.architectures), stride


def envelopes(ax: Axes, table: pd.DataFrame, y: str, style: Style) -> None:
    """A decay with lag, one line for each architecture."""
    for architecture, rows in by_architecture(table, style):
        if len(rows):
            seed_band(ax, rows, "lag", y, architecture, style)
    ax.set_xlabel("lag ℓ (steps)")


def windows(ax: Axes, window: pd.DataFrame, style: Style, **line: object) -> None:
    """Ĥ_N against N under the reading's criterion, one line of steps for each architecture; see `extrapolation`."""
    criterion_rows = window[window["chosen"]]
    for architecture, rows in by_architecture(criterion_rows, style):
        if len(rows):
            seed_band(ax, rows, "sample_size", "horizon", architecture, style, **{"drawstyle": "steps-post"} | line)
    extrapolation(ax, criterion_rows)
    ax.set(xlabel="sequences N", ylabel="window Ĥ(N) (steps)")
    plain_log(ax, "x")
    ax.set_ylim(bottom=-2, auto=True)  # what is drawn later may be longer


def extrapolation(ax: Axes, table: pd.DataFrame) -> None:
    """Grey where N exceeds the sequences that were measured, from the last measured N on."""
    largest = 1.1 * table["sample_size"].max()
    if table["extrapolated"].any():
        ax.axvspan(table["sequences"].max(), largest, color="0.92", zorder=0, linewidth=0)


def name_rows(ax: Axes, names: Sequence[str], style: Style) -> None:
    """Write the labels of architectures in their colours beside rows at 0, 1, …, from the top."""
    ax.set_yticks(range(len(names)), [style.labels[name] for name in names])
    for tick, name in zip(ax.yaxis.get_major_ticks(), names, strict=True):
        tick.label1.set_color(style.colours[name])  # also where shared axes are labelled in another panel
    ax.set_ylim(len(names) - 0.4, -0.6)


def heights_apart(places: Mapping[str, float], room: float) -> dict[str, float]:
    """Heights of labels in a panel, the lowest first, as near to their places as possible without overlap.

    Args:
        places: by label, from 0 to 1.
        room: height of a label, as a share of the panel.

    >>> heights_apart({"a": 1.0, "b": 0.0, "c": 0.0}, 0.25)
    {'c': 0.0, 'b': 0.25, 'a': 0.75}
    """
    heights, least = {}, 0.0
    names = sorted(places, key=lambda name: (places[name], -list(places).index(name)))
    for count, name in zip(range(len(names), 0, -1), names, strict=True):
        heights[name] = max(least, min(places[name], 1 - room * count))
        least = heights[name] + room
    return heights


def plain_log(ax: Axes, axis: str) -> None:
    """A logarithmic axis ticked in plain text: raised exponents would be too small to read.

    Powers of ten, and twice and five times these where there is little more than one; evenly spaced within less.
    """
    getattr(ax, f"set_{axis}scale")("log")
    ticks = getattr(ax, f"{axis}axis")
    ticks.set_minor_locator(_BetweenPowers(subs=(2, 5)))

    def at_power(value: float, _: int) -> str:
        low, high = sorted(ticks.get_view_interval())
        return f"{value:g}" if low >= SMALLEST_PLAIN and high < LARGEST_PLAIN else _power(value)

    def between(value: float, place: int) -> str:
        low, high = sorted(ticks.get_view_interval())
        return at_power(value, place) if high < NARROW * low else ""

    ticks.set_major_formatter(FuncFormatter(at_power))
    ticks.set_minor_formatter(FuncFormatter(between))


def level_labels(ax: Axes) -> None:
    """Write the labels of short ticks below a panel in one line with the labels of long ones."""
    longer, shorter = mpl.rcParams["xtick.major.size"], mpl.rcParams["xtick.minor.size"]
    ax.tick_params(axis="x", which="minor", pad=mpl.rcParams["xtick.major.pad"] + longer - shorter)


def _power(value: float) -> str:
    """10⁻¹⁶, 2 · 10⁻⁵, 10⁴; but 1."""
    digits, exponent = f"{value:e}".split("e")
    factor = f"{float(digits):g}"
    if int(exponent) == 0:
        return factor
    return power_of_ten(int(exponent)) if factor == "1" else f"{factor}·{power_of_ten(int(exponent))}"


class _BetweenPowers(LogLocator):
    """Twice and five times powers of ten; where a narrow range has fewer than two, about four even steps.

    There Matplotlib's own locator takes up to ten even steps, whose labels overlap.
    """

    def tick_values(self, vmin: float, vmax: float) -> Sequence[float]:
        low, high = sorted((vmin, vmax))
        if high >= NARROW * low:
            return list(super().tick_values(vmin, vmax))
        powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.log10(high))
        ticks = np.outer(powers, (1, 2, 5)).ravel()
        if np.sum((low <= ticks) & (ticks <= high)) > 1:
            return ticks.tolist()
        return list(MaxNLocator(4, steps=[1, 2, 5, 10]).tick_values(low, high))


def cut(ax: Axes) -> None:
    """End the axis at the deepest envelope drawn; no row is left out, for a median over seeds is over all of them."""
    ax.set_ylim(bottom=max(DEEPEST, ax.get_ylim()[0]))


def log_lags(ax: Axes) -> None:
    """A logarithmic lag axis, ticked at powers of two."""
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def epoch_axis(ax: Axes, last: int) -> None:
    """Epochs on a logarithmic axis that begins with initialisation, 0."""
    ax.set_xscale("symlog", linthresh=1)
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_xlim(-0.1, 1.1 * last)
    ax.set_xlabel("epoch")


def unit_quantiles(ax: Axes, rows: pd.DataFrame, colour: str) -> None:
    """5 % and 95 % points over units of the rates of an architecture, as dotted lines; medians over seeds."""
    medians = rows.groupby("lag")[["rate_q05", "rate_q95"]].median()
    ax.plot(medians.index, medians, color=colour, linestyle=":", linewidth=0.7)


def decay_fit(
    ax: Axes, fits: pd.DataFrame, model: str, scale: float, printed: float | None, linestyle: Any = "-"
) -> str:
    """The law with the median parameter, constant and R² over seeds as a thin line, and its numbers in words.

    Args:
        fits: of one architecture, rows of `learnability.stats.fits.fit_envelope`.
        scale: of what is drawn, relative to what was fitted.
        printed: the parameter that the paper has, drawn in grey from the fit's value at the first lag on.
        linestyle: of both.
    """
    rows = fits[fits["model"] == model].dropna(subset="parameter")
    if rows.empty:
        return "no fit"
    limits, symbol = ax.get_ylim(), "τ" if model == "exponential" else "β"
    lag = np.geomspace(rows["first_lag"].min(), rows["last_lag"].max(), 100)
    parameter, constant, r_squared = rows[["parameter", "constant", "r_squared"]].median()

    def law(value: float) -> Float[np.ndarray, "lag"]:
        """Relative to its value at the first lag, so that no number overflows."""
        return np.exp(-(lag - lag[0]) / value) if model == "exponential" else (lag / lag[0]) ** -value

    with np.errstate(over="ignore"):
        first = scale * constant * (np.exp(-lag[0] / parameter) if model == "exponential" else lag[0] ** -parameter)
    words = f"{unbroken(f'{symbol} = {parameter:.3g}')}, {unbroken(f'R² = {r_squared:.3f}')}"
    if printed is not None:
        ax.plot(lag, first * law(printed), color=GREY, linestyle=linestyle, linewidth=2, zorder=1)
        words += f"; {unbroken(f'published: {printed:g}')}"
    ax.plot(lag, first * law(parameter), color="k", linestyle=linestyle, linewidth=0.7)
    ax.set_ylim(limits)
    return words


def time_scales(ax: Axes, spectrum: pd.DataFrame, architecture: str, style: Style) -> None:
    """Density of the time scales of all units, a line for each seed, and a tick for each unit; log axis where wide."""
    colour, highest = style.colours[architecture], 0.0
    finite = spectrum[np.isfinite(spectrum["time_scale"]) & (spectrum["time_scale"] > 0)]
    ticks = finite["time_scale"]
    wide = len(ticks) > 0 and ticks.max() > WIDE * ticks.min()
    for _, units in finite.groupby("seed"):
        values = units["time_scale"].to_numpy()
        # Of log τ, τ times the density of τ.
        x, density = logarithmic_density(values) if wide else kernel_density(values)
        ax.plot(x, density, color=colour, linewidth=0.8)
        ax.fill_between(x, density, color=colour, alpha=0.15, linewidth=0)
        highest = max(highest, density.max())
    ax.plot(ticks, np.full(len(ticks), -0.04 * highest), "|", color=colour, markersize=4, alpha=0.5)
    ax.set(xlabel="time scale τ of a unit (steps)", ylabel="density of log τ" if wide else "density (1/step)")
    if wide:
        plain_log(ax, "x")


def logarithmic_density(
    values: Float[np.ndarray, "draw"],
) -> tuple[Float[np.ndarray, "point"], Float[np.ndarray, "point"]]:
    """Gaussian kernel density of the natural logarithm of positive values, at points of the values themselves."""
    logs = np.log(values)
    bandwidth = max(_silverman(logs), BANDWIDTH_FLOOR)
    x = np.linspace(logs.min() - 4 * bandwidth, logs.max() + 4 * bandwidth, 1024)
    return np.exp(x), _kernels(x, logs, bandwidth)


def kernel_density(values: Float[np.ndarray, "draw"]) -> tuple[Float[np.ndarray, "point"], Float[np.ndarray, "point"]]:
    """Gaussian kernel density of positive values, reflected at 0; it integrates to 1.

    The bandwidth is Silverman's, at least `BANDWIDTH_FLOOR` times the median.
    """
    bandwidth = max(_silverman(values), BANDWIDTH_FLOOR * np.median(values))
    x = np.linspace(max(values.min() - 4 * bandwidth, 0), values.max() + 4 * bandwidth, 1024)
    return x, _kernels(x, values, bandwidth) + _kernels(x, -values, bandwidth)


def _silverman(values: Float[np.ndarray, "draw"]) -> float:
    """Silverman's bandwidth."""
    quartiles = float(np.subtract(*np.quantile(values, [0.75, 0.25])))
    return 0.9 * min(values.std(), quartiles / 1.34) * len(values) ** -0.2


def _kernels(
    x: Float[np.ndarray, "point"], values: Float[np.ndarray, "draw"], bandwidth: float
) -> Float[np.ndarray, "point"]:
    """The mean of normal densities about the values."""
    heights = np.exp(-(((x[:, None] - values) / bandwidth) ** 2) / 2)
    return heights.sum(1) / (len(values) * bandwidth * np.sqrt(2 * np.pi))
