"""Windows of several measured models side by side."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from learnability.core.errors import require
from learnability.measurement.figure import WIDTH_MM, draw_at_resolution, mark_infinite
from learnability.measurement.labels import ENDS, NOISES
from learnability.measurement.measured import Measured, by_lag

if TYPE_CHECKING:
    import matplotlib.axes  # otherwise imported where it draws
    import matplotlib.figure

COLOURS = ("#0173b2", "#d55e00", "#029e73", "#cc78bc", "#ca9161", "#000000")
MOST = len(COLOURS)
"""Largest number of models, whose curves a panel can still show apart."""
FONT_SIZE, HEIGHT_MM = 8, 80
APART = 0.04
"""Octaves of lag between the intervals of two models at the same lag."""
MOST_TICKS = 8
"""Largest number of lags that all have a tick."""
LONG_NAME = 12
"""Characters of a name from which names of models go into a legend: at the curves they would need too much width."""
LINE = 0.06
"""Height of a label, as a share of a panel."""


class Comparison(NamedTuple):
    """Table and figure of `learnability.compare` for several models.

    Args:
        table: a row for each model: `model`, `sequences` N, `window` Ĥ(N) in steps with its 95 % interval `window_low`
            and `window_high`, `lag` at which it is limited, and `limit` (`Measured.limits`).
        figure: N̂(ℓ) and the transported gradient of each model.
    """

    table: pd.DataFrame
    figure: "matplotlib.figure.Figure"

    def __repr__(self) -> str:
        """The table with all columns, for terminals."""
        return self.table.to_string(index=False, float_format="{:.3g}".format)

    def _repr_html_(self) -> str:
        """The table with all columns, for notebooks."""
        return self.table.to_html(index=False, float_format="{:.3g}".format, border=0)


def compare(measured: Mapping[str, Measured] | Sequence[Measured]) -> Comparison:
    """Compare the windows of several models, in one table and one figure.

    Windows and N̂(ℓ) are of exact transport in the noise of the whole gradient, or, if some model was measured without
    it, in the noise of the lag's own part. Whiskers are 95 % intervals. An N̂(ℓ) of ∞ is marked at the upper edge. With
    several directions the figure shows their medians.

    >>> import torch
    >>> from learnability import compare, measure_model
    >>> inputs = torch.randn(30, 6, 3)
    >>> targets = inputs.cumsum(1).sum(2)
    >>> models = {"GRU": torch.nn.GRU(3, 1, batch_first=True), "RNN": torch.nn.RNN(3, 1, batch_first=True)}
    >>> comparison = compare({name: measure_model(model, inputs, targets) for name, model in models.items()})
    >>> comparison.table["model"].tolist()
    ['GRU', 'RNN']
    >>> figure = comparison.figure  # figure.savefig("comparison.pdf")

    Args:
        measured: results of `measure_model` by the name of the model, on the same sequences. Models of a list are
            named "model 1", "model 2", ….

    Returns:
        The table and the figure.

    Raises:
        InputError: for no models, more than six, or values that are not `Measured`.
    """
    is_list = isinstance(measured, (list, tuple)) and not isinstance(measured, Measured)
    form = "a dict or a list of what measure_model returned"
    require(is_list or isinstance(measured, Mapping), "measured", form, type(measured).__name__)
    by_name = (
        measured if isinstance(measured, Mapping) else {f"model {n}": model for n, model in enumerate(measured, 1)}
    )
    models = dict(by_name)
    require(1 <= len(models) <= MOST, "measured", f"1 to {MOST} models", len(models))
    for name, model in models.items():
        require(isinstance(name, str), "measured", "a dict by names, which are texts", name)
        require(isinstance(model, Measured), f"measured[{name!r}]", "what measure_model returned", type(model).__name__)
    noise = "total" if all("total" in set(model.noise["noise"]) for model in models.values()) else "matched"
    limits = {name: model.limits().set_index("noise").loc[noise] for name, model in models.items()}
    table = pd.DataFrame([{"model": name, **row.to_dict()} for name, row in limits.items()])
    return Comparison(table, draw_at_resolution(lambda: _draw(models, table, noise)))


def _draw(models: Mapping[str, Measured], table: pd.DataFrame, noise: str) -> "matplotlib.figure.Figure":
    from learnability.report.panels import log_lags, plain_log
    from learnability.report.style import GREY, Style, heading, headline, legend

    colours = dict(zip(models, COLOURS, strict=False))
    style = Style(list(models), colours, {name: name for name in models}, WIDTH_MM, FONT_SIZE)
    figure, (complexity, transport) = style.panels(2, height_mm=HEIGHT_MM)
    for ax in (complexity, transport):
        plain_log(ax, "y")
        log_lags(ax)
        ax.set_xlabel("lag ℓ (steps)")
    curves = {name: by_lag(model, noise) for name, model in models.items()}
    all_curves = pd.concat(curves.values())
    lags = sorted(set(all_curves.index))
    sizes = {f"N = {size}": size for size in sorted(set(table["sequences"]))}
    infinite = [name for name, rows in curves.items() if np.isinf(rows["sample_complexity"]).any()]
    top = _set_range(complexity, all_curves, list(sizes.values()))
    for size in sizes.values():
        complexity.axhline(size, color=GREY, linewidth=1.5, zorder=0)
    for place, (name, rows) in enumerate(curves.items()):
        line = style.line(name) | {"markersize": 4}
        aside = rows.index * 2 ** (APART * (place - (len(curves) - 1) / 2))
        n_hat, low, high = (rows[f"sample_complexity{end}"] for end in ENDS)
        is_finite, has_interval = np.isfinite(n_hat), np.isfinite(low)
        complexity.plot(aside, n_hat.where(is_finite), **line)
        ends = low[has_interval], high[has_interval].clip(upper=top)
        complexity.vlines(aside[has_interval], *ends, color=colours[name], linewidth=0.8)
        for lag in aside[~is_finite]:
            mark_infinite(complexity, lag, infinite.index(name), line)
        transport.plot(rows.index, rows["exact"].where(rows["exact"] > 0), **line)
    for ax in (complexity, transport):
        if len(lags) <= MOST_TICKS:
            ax.set_xticks(lags)
    figure.draw_without_rendering()  # scales are known from then on
    has_legend = max(map(len, models)) >= LONG_NAME
    last = {} if has_legend else {name: rows.iloc[-1] for name, rows in curves.items()}
    greys = dict.fromkeys(sizes, "0.4")
    _label(complexity, {name: row["sample_complexity"] for name, row in last.items()} | sizes, colours | greys)
    _label(transport, {name: row["exact"] for name, row in last.items()}, colours)
    complexity.set_ylabel("sample complexity N̂(ℓ) (sequences)")
    transport.set_ylabel("Σ |diagonal| of the transport")
    heading(complexity, f"{NOISES[noise]}{'; ∞: not computable' if infinite else ''}")
    heading(transport, "gradient that crosses the lag")
    headline(figure, _message(table))
    if has_legend:
        legend(figure, *style.handles())
    figure.draw_without_rendering()  # places are known from then on
    if len(lags) <= MOST_TICKS:
        for ax in (complexity, transport):
            ax.set_xticks(lags, _apart(ax, lags))
    return figure


def _apart(ax: "matplotlib.axes.Axes", lags: Sequence[int]) -> list[str]:
    """Names of lags on their axis, empty where a name would touch the one before."""
    names, end = [], -np.inf
    for lag, label in zip(lags, ax.get_xticklabels(), strict=True):
        box = label.get_window_extent()
        is_apart = box.x0 > end + box.height / 3
        names.append(f"{lag:g}" if is_apart else "")
        end = box.x1 if is_apart else end
    return names


def _set_range(ax: "matplotlib.axes.Axes", rows: pd.DataFrame, sizes: Sequence[int]) -> float:
    """Set the range of N̂, with room for marks of ∞ above it, and return its end; intervals may go beyond it."""
    values = np.append(rows[["sample_complexity", "sample_complexity_low"]].to_numpy().ravel(), sizes)
    logs = np.log(values[np.isfinite(values) & (values > 0)])
    room = 0.05 * (logs.max() - logs.min()) + 0.3
    above = 8 * room if np.isinf(rows["sample_complexity"]).any() else 2 * room
    ax.set_ylim(np.exp(logs.min() - room), np.exp(logs.max() + above))
    return ax.get_ylim()[1]


def _label(ax: "matplotlib.axes.Axes", ends: Mapping[str, float], colours: Mapping[str, str]) -> None:
    """Name lines to the right of their ends, in their order, without overlap; a value of ∞ is above all others."""
    from learnability.report.panels import heights_apart

    low, high = np.log(ax.get_ylim())
    with np.errstate(divide="ignore"):
        places = {name: float(np.clip((np.log(y) - low) / (high - low), 0, 1)) for name, y in ends.items()}
    for name, height in heights_apart(places, LINE).items():
        ax.text(1.02, height, name, color=colours[name], va="center", transform=ax.transAxes)


def _message(table: pd.DataFrame) -> str:
    """Message of the windows; a title without numbers."""
    if len(table) == 1:
        return f"Window of {table['model'].iloc[0]}"
    if not table["window"].any():
        return "No model detects any of the measured lags"
    by_window = table.sort_values("window", ascending=False)
    longest, rest = by_window.iloc[0], by_window.iloc[1:]
    if longest["window_low"] > rest["window_high"].max():
        return f"{longest['model']} has the longest window"
    return "The intervals of the longest windows overlap"
