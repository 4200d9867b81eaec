"""Appendix I: quantile envelopes of one architecture under each optimiser, with the bound of its time scales."""

from matplotlib.figure import Figure

from learnability.report.panels import cut, plain_log
from learnability.report.style import Style, Tables, conclude, heading
from studies.learnability_window.paper import OPTIMIZERS
from studies.learnability_window.theory.optimizers import ENVELOPES, quantile_fits, spectrum_bounds

BANDS = {"5 %": ("95 %", 0.15), "25 %": ("75 %", 0.3)}
"""Lower quantile over units: the upper one, and how strong the band between them is."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `envelope` and `spectrum`, of the first architecture of the style."""
    name = style.architectures[0]
    envelope, spectrum = (tables[kind][tables[kind]["architecture"] == name] for kind in ("envelope", "spectrum"))
    fits, bounds = quantile_fits(envelope), spectrum_bounds(spectrum).set_index("optimizer")
    columns = {label: column for column, label in ENVELOPES.items()}
    optimizers = [str(optimizer) for optimizer in envelope["optimizer"].unique()]
    figure, axes = style.panels(len(optimizers), 2, height_mm=58)
    for ax, optimizer in zip(axes, optimizers, strict=True):
        medians = envelope[envelope["optimizer"] == optimizer].groupby("lag")[list(ENVELOPES)].median()
        fit = fits[fits["optimizer"] == optimizer].set_index("envelope")
        taus = fit["time_scale"]
        for label, colour in (("mean", "k"), ("50 %", style.colours[name])):
            text = f"{label}: τ {taus[label]:.3g}, R² {fit['exponential_r_squared'][label]:.3f}"
            dash = "-" if label == "mean" else "--"
            ax.plot(medians.index, medians[columns[label]], dash, color=colour, linewidth=0.9, label=text)
        for low, (high, strength) in BANDS.items():
            text = f"{low} to {high}: τ {taus[low]:.3g} to {taus[high]:.3g}"
            ends = (medians[columns[quantile]] for quantile in (low, high))
            colour = style.colours[name]
            ax.fill_between(medians.index, *ends, color=colour, alpha=strength, linewidth=0, label=text)
        plain_log(ax, "y")
        cut(ax)
        bound = bounds.loc[optimizer]
        words = "bounded" if bound["bounded"] else "not bounded by the grid"
        ax.set(xlabel="lag ℓ (steps)", ylabel="rate over units")
        heading(ax, f"{_in_words(optimizer)}: largest τ {bound['largest']:.3g}, {words}", ncols=1)
    conclude(figure, "The mean rate decays more slowly than the median unit's, under each optimiser")
    return figure


def _in_words(optimizer: str) -> str:
    """Name of an optimiser, with its learning rate where that is another."""
    for name in sorted(OPTIMIZERS, key=len, reverse=True):  # `sgd` begins `sgd_momentum`, too
        if optimizer.startswith(name):
            return f"{OPTIMIZERS[name]}{optimizer.removeprefix(name).replace('_', ', rate ')}"
    return optimizer.replace("_", " ")
