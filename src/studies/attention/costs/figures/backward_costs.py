"""Memory and processor time of a gradient over the length of sequences."""

from dataclasses import replace

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, headline, legend

OF_COSTS = {"kept_mib": "kept for the gradient, MiB", "seconds": "processor time, s"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the table `backward_costs` of `studies.attention.before_training.tabulate`."""
    table = tables["backward_costs"]
    style = replace(style, architectures=style.present(table))
    bunches = style.bunches()
    figure, axes = style.panels(len(bunches) * len(OF_COSTS), len(bunches), height_mm=52, sharex=True, sharey="row")
    for row, names in zip(axes.reshape(len(OF_COSTS), -1).T, bunches, strict=True):
        for ax, (cost, label) in zip(row, OF_COSTS.items(), strict=True):
            for name in names:
                rows = table[table["architecture"] == name]
                ax.plot(rows["steps"], rows[cost], **style.line(name))
            ax.set(xlabel="steps T", ylabel=label, xscale="log", yscale="log")
            ax.set_xticks(rows["steps"], [f"{steps}" for steps in rows["steps"]])
            ax.minorticks_off()
    headline(figure, "Attention to every state costs memory that grows as T²")
    legend(figure, *style.handles())
    return figure
