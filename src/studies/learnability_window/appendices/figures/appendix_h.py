"""Appendix H: the residual R(ℓ) against the tail index, and signal against envelope (Eqs. 72-73)."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import plain_log
from learnability.report.style import Style, Tables, conclude, heading, legend, note
from studies.learnability_window.theory.residuals import residual_table, signal_table

FAINTEST = 1e-30
"""Envelopes below it are not drawn."""
EQ_40 = Line2D([], [], color="k", linewidth=0.7, label="N by Eq. 40: of α̂ alone")


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`, under the criterion of Eq. 36 whatever the reading's own."""
    groups = style.bunches()
    figure, axes = style.panels(2 * len(groups), height_mm=60)
    residuals = residual_table(tables["sample_complexity"])
    law = residuals.sort_values("alpha")
    fits = signal_table(tables["sample_complexity"]).groupby("architecture")[["slope", "r_squared"]].median()
    signals = tables["sample_complexity"][
        (tables["sample_complexity"]["criterion"] == "fano") & (tables["sample_complexity"]["envelope"] > FAINTEST)
    ]
    for (residual, signal), names in zip(axes.reshape(-1, 2), groups, strict=True):
        residual.plot(law["alpha"], law["closed_form"], "k", linewidth=0.7)
        for architecture in names:
            line = {"linestyle": "", "markersize": 1.5, "alpha": 0.5}
            points = residuals[residuals["architecture"] == architecture]
            residual.plot(points["alpha"], points["residual"], **style.line(architecture) | line)
            rows = signals[(signals["architecture"] == architecture) & (signals["signal"] > 0)]
            if len(rows):
                slope, r_squared = fits.loc[architecture]
                label = {"label": f"{slope:.2f}, R² {r_squared:.2f}"}
                signal.plot(rows["envelope"], rows["signal"], **style.line(architecture) | line | label)
        if residuals.empty:
            note(residual, "N = ∞ at every lag")
        else:
            low = np.nanmin(residuals["closed_form"])
            residual.set_ylim(low - 2, min(np.nanmax(residuals["closed_form"]), low + 40) + 2)
        residual.set(xlabel="tail index α̂(ℓ)", ylabel="residual R(ℓ)")
        on_grid = residuals["residual"].notna() & residuals["architecture"].isin(names)
        heading(residual, f"R with N̂ on the grid: {on_grid.sum()} points")
        signal.set(xlabel="envelope f̂(ℓ)", ylabel="signal Δ̂(ℓ)")
        if len(signal.lines):
            for axis in "xy":
                plain_log(signal, axis)
            signal.xaxis.set_minor_formatter("")  # no room
        heading(signal, "signal over envelope: slopes", ncols=1 if len(signal.lines) else 0)
    conclude(figure, "Signals rise about in proportion to the envelope")
    legend(figure, *style.handles(), EQ_40)
    return figure
