"""Appendix F: where rates rise with the lag, and the alignment that Lemma 5.2 takes for bounded."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from learnability.report.panels import by_architecture, plain_log, seed_band
from learnability.report.style import Style, Tables, note
from studies.learnability_window.figures.theory_panels import by_name


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `monotonicity`, `random` and `sample_complexity`."""
    figure, (trained, random, alignment) = style.panels(3, height_mm=56)
    monotonicity = tables["monotonicity"]
    for weights, line in (("initial", ":"), ("trained", "-")):
        of_weights = monotonicity[monotonicity["weights"] == weights]
        for architecture, rows in by_architecture(of_weights, style):
            label = style.labels[architecture] if line == "-" else None
            seed_band(trained, rows, "lag", "unit", architecture, style, linestyle=line, label=label)
    often = monotonicity.groupby(["weights", "architecture"])["envelope"].mean().max()
    trained.set_title(f"f rises in {often:.2%} at most")
    for cell, rows, colour in by_name(tables["random"], "cell"):
        for gate, each in rows.groupby("gate"):
            middling = gate == rows["gate"].max()
            label = f"{cell}: f {rows['envelope'].mean():.2%}" if middling else None
            means = each.groupby("lag")["unit"].mean()
            random.plot(means.index, means, "-" if middling else ":", color=colour, label=label)
    for ax, kind in ((trained, "trained"), (random, "random")):
        ax.set(xlabel="lag ℓ (steps)", ylabel=f"rates that rise, {kind}", ylim=(0, None))
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.1), ncols=2)
    chosen = tables["sample_complexity"][
        tables["sample_complexity"]["chosen"] & np.isfinite(tables["sample_complexity"]["log_sample_complexity"])
    ]
    for architecture, rows in by_architecture(chosen, style):
        if len(rows):
            rows = rows.assign(alignment=rows["signal"] / rows["envelope"])
            seed_band(alignment, rows, "lag", "alignment", architecture, style)
    if chosen.empty:
        note(alignment, "N̂ = ∞ at every lag")
    else:
        plain_log(alignment, "y")
    alignment.set(xlabel="lag ℓ (steps)", ylabel="alignment m̄(ℓ) = Δ̂/f̂")
    return figure
