"""Networks that learned to copy over one delay, put to longer ones: Table 1 of Kerg et al. 2020 as a picture."""

from matplotlib.figure import Figure

from learnability.report.style import GREY, PAPER, Style, Tables, bunches, heading, headline, legend


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `copy_transfer`, of `studies.attention.trained_tables.tabulate`."""
    table = tables["copy_transfer"]
    panels = bunches(style.present(table))
    figure, axes = style.panels(len(panels), height_mm=48)
    for ax, names in zip(axes, panels, strict=True):
        for name in names:
            rows = table[table["architecture"] == name]
            ax.plot(rows["delay"], rows["paper"], **style.line(name) | {"color": GREY, "label": "_"})
            ax.plot(rows["delay"], rows["measured"], **style.line(name))
        heading(ax, "trained at the first delay", ncols=2)
        ax.set(xlabel="delay T, steps", ylabel="share of symbols named", xscale="log", ylim=(-0.03, 1.03))
        ax.set_xticks(sorted(table["delay"].unique()), [f"{delay}" for delay in sorted(table["delay"].unique())])
        ax.minorticks_off()
    measured = table.dropna(subset="measured")
    longest = measured[measured["delay"] == measured["delay"].max()].set_index("architecture")["measured"]
    headline(figure, f"Symbols named at T = {measured['delay'].max()}: {style.told(longest, '{:.0%}')}")
    legend(figure, PAPER)
    return figure
