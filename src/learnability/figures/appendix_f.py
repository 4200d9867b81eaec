"""Appendix F: where rates rise with the lag, and the alignment that Lemma 5.2 takes for bounded."""

import numpy as np
from matplotlib.figure import Figure

from learnability.figures.panels import by_architecture, plain_log, seed_band
from learnability.figures.style import Style, Tables, note
from learnability.figures.theory_panels import by_name
from learnability.theory.lemmas import lemma_bounds


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `monotonicity`, `random` and `need`."""
    figure, (trained, random, alignment) = style.panels(3, height_mm=56)
    for weights, line in (("initial", ":"), ("trained", "-")):
        rows = tables["monotonicity"][tables["monotonicity"]["weights"] == weights]
        for architecture, each in by_architecture(rows, style):
            label = style.labels[architecture] if line == "-" else None
            seed_band(trained, each, "lag", "envelope", architecture, style, linestyle=line, label=label)
    for cell, rows, colour in by_name(tables["random"], "cell"):
        spread = rows.groupby("lag")["envelope"].agg(["median", "min", "max"])
        random.plot(spread.index, spread["median"], color=colour, label=cell)
        random.fill_between(spread.index, spread["min"], spread["max"], color=colour, alpha=0.15, linewidth=0)
    for ax, kind in ((trained, "trained"), (random, "random weights")):
        ax.set(xlabel="lag ℓ (steps)", ylabel=f"f(ℓ+1) > f(ℓ), {kind}", ylim=(-0.02, 1.02))
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    chosen = tables["need"][tables["need"]["chosen"] & np.isfinite(tables["need"]["log_need"])]
    bounds = lemma_bounds(chosen).groupby("architecture")["bound_decades"].median()
    for architecture, rows in by_architecture(chosen, style):
        if len(rows):
            label = f"{style.labels[architecture]}: {bounds[architecture]:.1f} decades"
            rows = rows.assign(alignment=rows["signal"] / rows["envelope"])
            seed_band(alignment, rows, "lag", "alignment", architecture, style, label=label)
    if chosen.empty:
        note(alignment, "N̂ = ∞ at every lag")
    else:
        plain_log(alignment, "y")
        alignment.legend(loc="lower center", bbox_to_anchor=(0.5, 1.1))
    alignment.set(xlabel="lag ℓ (steps)", ylabel="alignment m̄(ℓ) = Δ̂/f̂")
    return figure
