"""Appendix H: the residual R(ℓ) against the tail index, and signal against envelope (Eqs. 72-73)."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import by_architecture, plain_log
from learnability.report.style import Style, Tables, note
from studies.learnability_window.theory.residuals import residual_table, signal_table

FAINTEST = 1e-30
"""Envelopes below it are not drawn."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `sample_complexity`, under the criterion of Eq. 36 whatever the reading's own."""
    figure, (residual, signal) = style.panels(2, height_mm=74)
    found = residual_table(tables["sample_complexity"])
    law = found.sort_values("alpha")
    residual.plot(law["alpha"], law["closed_form"], "k", linewidth=0.7, label="N by Eq. 40: a function of α̂ alone")
    for architecture, rows in by_architecture(found, style):
        residual.plot(rows["alpha"], rows["residual"], "o", markersize=2, color=style.colours[architecture])
    residual.set(xlabel="tail index α̂(ℓ)", ylabel="residual R(ℓ), N̂ on the grid")
    fits = signal_table(tables["sample_complexity"]).groupby("architecture")[["slope", "r_squared"]].median()
    shown = tables["sample_complexity"][
        (tables["sample_complexity"]["criterion"] == "fano") & (tables["sample_complexity"]["envelope"] > FAINTEST)
    ]
    for architecture, rows in by_architecture(shown[shown["signal"] > 0], style):
        if len(rows):
            slope, r_squared = fits.loc[architecture]
            label = f"{style.labels[architecture]}: slope {slope:.2f}, R² = {r_squared:.2f}"
            colour = style.colours[architecture]
            signal.plot(rows["envelope"], rows["signal"], "o", markersize=2, color=colour, label=label)
    if found.empty:
        note(residual, "N = ∞ at every lag")
    else:
        low = np.nanmin(found["closed_form"])
        residual.set_ylim(low - 2, min(np.nanmax(found["closed_form"]), low + 40) + 2)
        residual.legend(loc="lower center", bbox_to_anchor=(0.5, 1.1))
    if len(signal.lines):
        for axis in "xy":
            plain_log(signal, axis)
        signal.legend(loc="lower center", bbox_to_anchor=(0.5, 1.1))
    signal.set(xlabel="envelope f̂(ℓ)", ylabel="signal Δ̂(ℓ)")
    return figure
