"""Figure 6: noise scale σ̂_α(ℓ) against lag."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import plain_log, seed_band
from learnability.report.style import BAND, INTERVAL, Style, Tables, conclude, heading, legend

FLOOR = Line2D([], [], color="k", linestyle=":", linewidth=1, label="numerical floor")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `noise`; a line breaks off where the median σ̂ is 0, under the reading's numerical floor."""
    figure, axes = style.panels(len(style.architectures), sharex=True, sharey=True)
    noise = tables["noise"]
    columns = [name for name in ("scale", "scale_low", "scale_high") if name in noise]
    is_floored = noise.groupby(["architecture", "lag"])["scale"].median().eq(0)
    floor = float((noise["numerical_floor"] * noise["scale_unfloored"] / noise["spread"]).median())
    for ax, architecture in zip(axes, style.architectures, strict=True):
        rows, below = noise[noise["architecture"] == architecture], is_floored.xs(architecture)
        seed_band(ax, rows[rows["lag"].isin(below.index[~below])], "lag", "scale", architecture, style)
        plain_log(ax, "y")
        if floor:
            ax.axhline(floor, **_look(FLOOR))
            ax.set_ylim(bottom=floor / 3)
        where = (
            f"at or under the floor at {below.sum()} of {len(below)} lags" if below.any() else "above it at every lag"
        )
        heading(ax, f"{style.labels[architecture]}: {where}" if floor else style.labels[architecture])
        ax.set(xlabel="lag ℓ (steps)", ylabel="noise scale σ̂(ℓ)", xlim=(0, 1.03 * noise["lag"].max()))
    conclude(figure, _message(noise))
    legend(figure, BAND, *([INTERVAL] if len(columns) > 1 else []), *([FLOOR] if floor else []))
    return figure


def _message(noise: pd.DataFrame) -> str:
    """How the noise scale of all architectures changes with the lag."""
    medians = noise.groupby(["architecture", "lag"])["scale"].median().groupby("architecture")
    if (medians.min() == medians.max()).all():
        return "Noise of the whole gradient has one scale at all lags"
    falls = (medians.last() < medians.first()).all()
    return "The noise scale falls with the lag" if falls else "The noise scale changes with the lag"


def _look(line: Line2D) -> dict[str, object]:
    return {"color": line.get_color(), "linestyle": line.get_linestyle(), "linewidth": line.get_linewidth()}
