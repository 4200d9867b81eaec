"""Figure 7: normalised residual R(ℓ) of the scaling law (Eq. 73)."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, seed_band
from learnability.report.style import BAND, INTERVAL, Style, Tables, conclude, heading, legend, note


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`, N̂ on the grid of sample sizes as the reading's criterion finds it."""
    figure, axes = style.panels(len(style.architectures), sharex=True, sharey=True)
    by_criterion = tables["sample_complexity"][tables["sample_complexity"]["chosen"]]
    finite = by_criterion.dropna(subset="residual")
    limits = finite["residual"].quantile([0, 1]) + np.array([-1, 1])
    for ax, (architecture, rows) in zip(axes, by_architecture(finite, style), strict=True):
        ax.set(xlabel="lag ℓ (steps)", ylabel="residual R(ℓ)")
        ax.set_xlim(by_criterion["lag"].min() - 4, by_criterion["lag"].max() + 4)
        share = len(rows) / max((by_criterion["architecture"] == architecture).sum(), 1)
        heading(ax, f"{style.labels[architecture]}: N̂ within the grid at {share:.0%} of lags")
        if len(finite):
            ax.set_ylim(limits)
        if rows.empty:
            note(ax, "N̂ is beyond the grid at every lag")
        else:
            seed_band(ax, rows, "lag", "residual", architecture, style)
    conclude(figure, "At most lags there is no residual, for N̂ lies beyond the grid")
    legend(figure, BAND, *([INTERVAL] if "residual_low" in by_criterion else []))
    return figure
