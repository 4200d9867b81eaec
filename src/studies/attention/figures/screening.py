"""Gradients that arrive at earlier steps, over ρ and over ν: Fig. 3 of Kerg et al. 2020."""

from matplotlib import colormaps
from matplotlib.figure import Figure

from learnability.report.style import DASHES, Style, Tables, heading, headline, note
from studies.attention.screening_tables import UNTRAINED, leverage, together
from studies.attention.trained_tables import VARIED

SIGNS = {"relevant": "ρ", "short_term": "ν"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from what `studies.attention.screening_tables.together` takes, and the table `screening`."""
    rows, table = together(tables), tables["screening"]
    groups = list(rows.groupby(["trained_on", "architecture"], sort=False))
    sizes = sorted(table["size"].unique())
    colours = [colormaps["viridis"](0.9 * place / max(1, len(sizes) - 1)) for place in range(len(sizes))]
    figure, axes = style.panels(max(1, len(groups)), len(VARIED), height_mm=40)
    for row, ((trained_on, name), own) in zip(axes.reshape(-1, len(VARIED)), groups, strict=False):
        when = "before training" if trained_on == UNTRAINED else f"after {trained_on}"
        for ax, varied in zip(row, VARIED, strict=True):
            chosen = own[own["varied"] == varied]
            for place, size in enumerate(sizes):
                middle = chosen[chosen["size"] == size].groupby("back")["log_norm"].median()
                ax.plot(middle, color=colours[place], ls=DASHES[place % len(DASHES)], label=f"{SIGNS[varied]} = {size}")
            fixed = ", ".join(f"{SIGNS[other]} = {chosen['other'].iloc[0]}" for other in VARIED if other != varied)
            heading(ax, f"{style.labels[str(name)]}, {when}, {fixed}", ncols=2)
            ax.set(xlabel="steps before the last", ylabel="log₁₀ ‖∂L/∂hₜ‖")
    moved = leverage(table[table["trained_on"] == UNTRAINED])
    told = " and ".join(f"{moved[varied].max():.1f} ({SIGNS[varied]})" for varied in VARIED if varied in moved)
    headline(
        figure,
        "Decades by which sizes of what is kept move gradients of the farthest quarter before training, at most: "
        f"{told or 'no such network'}",
    )
    if not groups:
        note(axes[0], "No network with screening was measured.")
    return figure
