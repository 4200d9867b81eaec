"""How much of the gradient of the answers arrives at earlier steps, before training."""

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from learnability.report.style import BAND, Style, Tables, headline, legend


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `norms` of `studies.attention.backward.measure_norms` and `gradient_norms`, its table."""
    table = tables["norms"]
    bunches = replace(style, architectures=style.present(table)).bunches()
    figure, axes = style.panels(len(bunches), height_mm=46)
    for ax, names in zip(axes, bunches, strict=True):
        for name in names:
            rows = table[table["architecture"] == name]
            every = max(1, len(rows) // 8)
            ax.plot(rows["back"], rows["log_norm"], **style.line(name) | {"markevery": every})
            ax.fill_between(rows["back"], rows["lowest"], rows["highest"], color=style.colours[name], alpha=0.2, lw=0)
        ax.set(xlabel="steps before the last", ylabel="log₁₀ ‖∂L/∂hₜ‖")
        ax.legend(ncols=2)
    norms = tables["gradient_norms"].set_index("architecture").rename(style.labels)
    *_, farthest, _ = norms.columns
    lost = norms.loc[np.isfinite(norms[farthest]), farthest]
    headline(
        figure,
        f"In the farthest quarter gradients are 10 to the {lost.max():.1f} ({lost.idxmax()}) down to 10 to the "
        f"{lost.min():.0f} ({lost.idxmin()}) of those at the end",
    )
    legend(figure, BAND)
    return figure
