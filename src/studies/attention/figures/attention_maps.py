"""What a network with full attention attends to, on copy and on denoise: Fig. 1 of Kerg et al. 2020."""

import numpy as np
from matplotlib.figure import Figure

from learnability.report.style import Style, Tables, heading, headline
from studies.attention.trained_tables import in_words

MODELS = ("mem_rnn", "rel_rnn")
"""Full attention, as in the paper, and screening beside it."""


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `attention`, of `studies.attention.trained.measure_attention`, of the first seed."""
    table = tables["attention"].astype({"step": int, "attended": int, "weight": float})  # may be of empty ones alone
    shown = table[table["architecture"].isin(MODELS) & (table["seed"] == table["seed"].min())]
    maps = [
        (f"{style.labels[name]}, {in_words(str(experiment))}", rows)
        for name in MODELS
        for experiment, rows in shown[shown["architecture"] == name].groupby("experiment", sort=False)
    ]
    figure, axes = style.panels(-(-len(maps) // 2), 2, height_mm=42)
    shares = {}
    for ax, (title, rows) in zip(axes, maps, strict=False):
        steps = int(rows["step"].max())
        weights = np.zeros((steps, steps))
        weights[rows["step"] - 1, rows["attended"] - 1] = rows["weight"]
        picture = ax.imshow(weights, cmap="Greys", vmin=0, vmax=0.5, origin="upper", interpolation="nearest")
        heading(ax, title)
        ax.set(xlabel="step attended to", ylabel="step")
        shares[title] = weights[-10:].max(1).mean()
    for ax in axes[len(maps) :]:
        ax.set_axis_off()
    if maps:
        figure.colorbar(picture, ax=list(axes), location="bottom", shrink=0.6, label="weight")
    told = "; ".join(f"{title}: {share:.2f}" for title, share in shares.items())
    headline(figure, f"Mean of the largest weight at the ten answers: {told or 'no such network'}")
    return figure
