"""Lags that are detected before they are learned, after, or never learned: a bar for each share that counts."""

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from learnability.report.style import Style, Tables, heading, headline, legend
from learnability.windows.opening import in_order
from studies.learnability_window.opening import SHARES, SIZES, first_epochs

SHADES = {
    "detected before": "#0173b2",
    "same": "#56b4e9",
    "after": "#d55e00",
    "detected, not learned": "0.7",
    "neither": "0.9",
}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `training_windows` and `training_responses` of all networks: a panel for each number of sequences."""
    windows, responses = tables["training_windows"], tables["training_responses"]
    sequences = int(windows["sequences"].max())
    sizes = [sequences, *(size for size in SIZES[:1] if size < sequences)]
    figure, axes = style.panels(len(sizes), height_mm=56, sharex=True, sharey=True)
    axes[0].invert_yaxis()
    for ax, size in zip(axes, sizes, strict=True):
        epochs = first_epochs(windows, responses, size).query("noise == 'total'")
        for place, least in enumerate(SHARES):
            counts = in_order(epochs["detected"], epochs[f"learned_{least}"])
            counts["neither"] = len(epochs) - counts["learned"] - counts["detected, not learned"]
            edge = 0
            for name, shade in SHADES.items():
                ax.barh(place, counts[name], left=edge, color=shade)
                if counts[name] > 0.04 * len(epochs):
                    ax.text(edge + counts[name] / 2, place, f"{counts[name]}", ha="center", va="center", fontsize=7)
                edge += counts[name]
        ax.set_yticks(range(len(SHARES)), [f"{share:g}" for share in SHARES])
        ax.set(xlabel="lags of all networks", ylabel="learned: r/c at least")
        heading(ax, f"detected with {size} sequences")
    epochs = first_epochs(windows, responses).query("noise == 'total'")
    headline(figure, "Nearly every lag is detected, few are half learned")
    shades = [
        Patch(color=shade, label=f"{name} learned" if name == "detected before" else name)
        for name, shade in SHADES.items()
    ]
    legend(figure, *shades)
    return figure
