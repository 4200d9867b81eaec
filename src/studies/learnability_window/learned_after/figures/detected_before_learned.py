"""Lags that are detected before they are learned, after, or never learned, and how many are ever half learned."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from learnability.report.panels import label_bar
from learnability.report.style import Style, Tables, conclude, heading, legend
from learnability.windows.opening import in_order
from studies.learnability_window.groups import ROLES
from studies.learnability_window.opening import SHARES, SIZES, first_epochs

OPTIMIZERS = {"adamw": "AdamW", "sgd_momentum": "SGD, momentum", "sgd": "SGD"}
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
    figure, axes = style.panels(len(sizes) + 1, len(sizes) + 1, height_mm=62)
    for ax, size in zip(axes, sizes, strict=False):
        epochs = first_epochs(windows, responses, size).query("noise == 'total'")
        for place, least in enumerate(SHARES):
            counts = in_order(epochs["detected"], epochs[f"learned_{least}"])
            counts["neither"] = len(epochs) - counts["learned"] - counts["detected, not learned"]
            edge = 0
            for name, shade in SHADES.items():
                ax.barh(place, counts[name], left=edge, color=shade)
                if counts[name] > 0.08 * len(epochs):
                    label_bar(ax, f"{counts[name]}", (edge + counts[name] / 2, place), shade)
                edge += counts[name]
        ax.set_yticks(range(len(SHARES)), [f"{share:g}" for share in SHARES])
        ax.set(xlabel="lags of all networks", ylabel="learned: r/c at least")
        ax.invert_yaxis()
        heading(ax, f"detected with {size} sequences")
    _by_start(axes[-1], first_epochs(windows, responses).query("noise == 'total'"), style)
    conclude(figure, "Nearly every lag is detected, fewer are half learned")
    shades = [
        Patch(color=shade, label=f"{name} learned" if name == "detected before" else name)
        for name, shade in SHADES.items()
    ]
    legend(figure, *shades)
    return figure


def _by_start(ax: Axes, epochs: pd.DataFrame, style: Style) -> None:
    """Lags that are ever half learned: of the three gates from their first starts by optimiser, and of others."""
    ordinary = {style.roles.get(name, ""): name for name in reversed(style.architectures)}
    gates = {ordinary[role] for role in ROLES if role in ordinary}
    others = {role for role in ordinary if role not in ROLES}
    optimizers = epochs["optimizer"].str.split("_0").str[0]
    groups = np.select(
        [epochs["architecture"].isin(gates), epochs["architecture"].isin(others)],
        [optimizers.map(OPTIMIZERS).fillna(optimizers), "LSTM and GRU"],
        "slower starts",
    )
    shares = (epochs[f"learned_{SHARES[-1]}"] < np.inf).groupby(groups, sort=False).agg(["sum", "size"])
    shares = shares.reindex(
        [name for name in (*OPTIMIZERS.values(), "LSTM and GRU", "slower starts") if name in shares.index]
    )
    learned, lags = shares["sum"].to_numpy(), shares["size"].to_numpy()
    ax.barh(range(len(shares)), learned / lags, color=SHADES["detected before"])
    for place, (count, size) in enumerate(zip(learned, lags, strict=True)):
        ax.text(count / size + 0.02, place, f"{count} of {size}", va="center", fontsize=7)
    ax.set_yticks(range(len(shares)), shares.index)
    ax.invert_yaxis()
    ax.set(xlabel="share of lags", ylabel="optimiser; other networks", xlim=(0, 1.15))
    heading(ax, f"ever learned to {SHARES[-1]:g}")
