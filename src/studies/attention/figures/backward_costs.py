"""Memory and processor time of a gradient over the length of sequences."""

from dataclasses import replace

from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, headline, legend

OF_COSTS = {"kept_mib": "kept for the gradient, MiB", "seconds": "processor time, s"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `backward_costs` and `backward_growth` of `studies.attention.before_training.tabulate`."""
    table, growth = tables["backward_costs"], tables["backward_growth"].set_index("architecture").rename(style.labels)
    style = replace(style, architectures=style.present(table))
    bunches = style.bunches()
    figure, axes = style.panels(len(bunches), len(OF_COSTS), height_mm=48)
    for row, names in zip(axes.reshape(len(bunches), -1), bunches, strict=True):
        for ax, (cost, label) in zip(row, OF_COSTS.items(), strict=True):
            for name in names:
                rows = table[table["architecture"] == name]
                ax.plot(rows["steps"], rows[cost], **style.line(name))
            ax.set(xlabel="steps T", ylabel=label, xscale="log", yscale="log")
            ax.set_xticks(rows["steps"], [f"{steps}" for steps in rows["steps"]])
            ax.minorticks_off()
    kept = growth["exponent_kept"]
    headline(
        figure,
        f"Memory grows as T to the {kept.min():.2f} ({kept.idxmin()}) up to {kept.max():.2f} ({kept.idxmax()})",
    )
    legend(figure, *style.handles(), ncols=3)
    return figure
