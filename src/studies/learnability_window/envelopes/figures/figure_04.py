"""Figure 4: time-scale spectra under AdamW; each axis has its own range."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import by_architecture, time_scales
from learnability.report.style import GREY, PUBLISHED, Style, Tables, conclude, heading, legend
from studies.learnability_window.paper import TIME_SCALES, in_words

HANDLES = [
    Line2D([], [], color="k", linewidth=0.8, label="density, a line for each seed"),
    Line2D([], [], color="k", linestyle="", marker="|", markersize=4, label="a unit"),
]


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `spectrum`; the paper's numbers are of AdamW."""
    figure, axes = style.panels(len(style.architectures))
    spectrum, has_published = tables["spectrum"], False
    ranges: dict[str, float] = {}
    for ax, (architecture, rows) in zip(axes, by_architecture(spectrum, style), strict=True):
        time_scales(ax, rows, architecture, style)
        finite = rows.loc[np.isfinite(rows["time_scale"]) & (rows["time_scale"] > 0), "time_scale"]
        ranges[architecture] = finite.max() / finite.min() if len(finite) else 0
        words: list[str] = [
            f"{finite.min():.3g} to {finite.max():.3g} steps" if len(finite) else "no unit has a time scale"
        ]
        if 0 < len(finite) < len(rows):
            words.append(f"{len(rows) - len(finite)} of {len(rows)} units without")
        if (rows["optimizer"] == "adamw").all():
            published = TIME_SCALES.get(style.roles.get(architecture, ""), [])
            for low, high in published:
                ax.axvspan(low, high, color=GREY, alpha=0.4, linewidth=1.5 if low == high else 0, zorder=0)
            words += [f"published {in_words(published)}"] * bool(published)
            has_published |= bool(published)
        heading(ax, f"{style.labels[architecture]}: {'; '.join(words)}")
    conclude(figure, f"Time scales of units differ most in {style.labels[max(ranges, key=lambda name: ranges[name])]}")
    legend(figure, *HANDLES, *[PUBLISHED] * has_published)
    return figure
