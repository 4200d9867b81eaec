"""Appendix I: quantile envelopes of one architecture under each optimiser, with the bound of its time scales."""

from matplotlib.figure import Figure

from learnability.report.panels import DEEPEST, plain_log
from learnability.report.style import Style, Tables
from studies.learnability_window.theory.optimizers import ENVELOPES, quantile_fits, spectrum_bounds

LINES = {"mean": "-", "5 %": ":", "25 %": "-.", "50 %": "--", "75 %": "-.", "95 %": ":"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `envelope` and `spectrum`, of the first architecture of the style."""
    name = style.architectures[0]
    envelope, spectrum = (tables[kind][tables[kind]["architecture"] == name] for kind in ("envelope", "spectrum"))
    fits, bounds = quantile_fits(envelope), spectrum_bounds(spectrum)
    figure, axes = style.panels(envelope["optimizer"].nunique(), height_mm=62)
    for ax, (group, rows) in zip(axes, envelope.groupby("optimizer", sort=False), strict=True):
        optimizer = str(group)
        medians = rows.groupby("lag")[list(ENVELOPES)].median()
        for column, label in ENVELOPES.items():
            seen = medians[column][medians[column] > DEEPEST]
            fit = fits[(fits["optimizer"] == optimizer) & (fits["envelope"] == label)].iloc[0]
            text = f"{label}: τ {fit['time_scale']:.3g}, R² {fit['exponential_r_squared']:.3f}"
            colour = "k" if label == "mean" else style.colours[name]
            ax.plot(seen.index, seen, LINES[label], color=colour, linewidth=0.9, label=text)
        plain_log(ax, "y")
        bound = bounds[bounds["optimizer"] == optimizer].iloc[0]
        words = "bounded" if bound["bounded"] else "not bounded by the grid"
        ax.text(0.98, 0.9, f"largest τ {bound['largest']:.3g}: {words}", ha="right", transform=ax.transAxes)
        ax.set_title(f"{style.labels[name]}, {optimizer.replace('_', ' ')}")
        ax.set(xlabel="lag ℓ (steps)", ylabel="rate over units")
        ax.legend(loc="lower center", bbox_to_anchor=(0.45, 1.1), ncols=2, handlelength=1.6, columnspacing=1)
    return figure
