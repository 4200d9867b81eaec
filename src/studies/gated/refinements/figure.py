"""Accuracy of cells in training, in the order in which gates are added to them."""

from matplotlib.figure import Figure

from learnability.report.findings import percent
from learnability.report.panels import label_point, seed_band
from learnability.report.style import BAND, Style, Tables, bunches, conclude, heading, legend


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `refinements_curves` and `refinements_ends`."""
    curves, ends = tables["refinements_curves"], tables["refinements_ends"]
    networks = style.present(ends)
    panels = bunches(networks)
    figure, axes = style.panels(len(panels) + 1, height_mm=60)
    for ax, names in zip(axes, panels, strict=False):
        for name in names:
            seed_band(ax, curves[curves["architecture"] == name], "updates", "validation_accuracy", name, style)
        heading(ax, "symbols named in training", ncols=2)
        ax.set(xlabel="updates", ylabel="share of the symbols", ylim=(-0.05, 1.05))
    last = axes[-1]
    for place, name in enumerate(networks):
        values = ends.loc[ends["architecture"] == name, "accuracy"]
        last.plot(values, [place] * len(values), "o", color="k", markersize=3, alpha=0.6, clip_on=False)
        label_point(last, percent(values.median()), (values.min(), place), (-5, 0))
    heading(last, "at the lowest loss, by seed, and median")
    labels = [style.labels[name] for name in networks]
    last.set(xlabel="share of the symbols", xlim=(-0.05, 1.05), ylabel="cell", yticks=range(len(networks)))
    last.set_yticklabels(labels)
    last.invert_yaxis()
    conclude(figure, "An input gate or a forget gate alone lets a cell recall nearly all symbols")
    legend(figure, BAND)
    return figure
