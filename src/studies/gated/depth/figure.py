"""Lags that each layer of the deepest stack sees, and gradients that its own recurrence carries."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import label_point, plain_log
from learnability.report.style import BAND, GREY, Style, Tables, conclude, heading, legend
from studies.gated.curves import look, over_seeds

MOMENTS = {"start": "at the start", "trained": "after training"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables of `studies.gated.depth.measure`."""
    profiles, layers = tables["depth_profiles"], tables["depth_layers"]
    depth = int(layers["layers"].max())
    deepest = profiles[profiles["layers"] == depth]
    figure, axes = style.panels(4, 2, height_mm=52)
    panels = [("sensitivity", "start"), ("sensitivity", "trained"), ("transport", "trained")]
    words = {"sensitivity": "input", "transport": "own recurrence"}
    labels = {"sensitivity": "‖∂h(T)/∂x(T - ℓ)‖", "transport": "‖∂h(T)/∂s(T - ℓ)‖"}
    for ax, (quantity, moment) in zip(axes[[0, 1, 3]], panels, strict=True):
        _draw_layers(ax, deepest[deepest["moment"] == moment], quantity)
        ax.set(xlabel="lag ℓ (steps)", ylabel=labels[quantity])
        heading(ax, f"{words[quantity]}, {MOMENTS[moment]}", ncols=depth)
    axes[1].sharey(axes[0])
    _draw_losses(axes[2], tables["depth_losses"])
    conclude(figure, "Higher layers see further back, but stacks do not lower the loss")
    legend(figure, BAND)
    return figure


def _draw_losses(ax: Axes, losses: pd.DataFrame) -> None:
    """Loss of one layer over the loss of each stack, a mark for each seed with its number."""
    by_layers = losses.pivot(index="seed", columns="layers", values="test_loss")
    ratios = by_layers.rdiv(by_layers[1], axis=0).drop(columns=1)
    ax.axvline(1, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
    for place, layers in enumerate(ratios):
        ax.plot(ratios[layers], [place] * len(ratios), "ko", markersize=4)
        for ratio in ratios[layers]:
            label_point(ax, f"{ratio:.2f}", (ratio, place), (0, 5))
    ax.set_yticks(range(ratios.shape[1]), [f"{layers} layers" for layers in ratios])
    ax.set(xlabel="loss of one layer / loss of the stack", ylabel="stack", ylim=(-0.5, ratios.shape[1] - 0.2))
    ax.margins(x=0.15)
    heading(ax, "loss, a mark for each seed")


def _draw_layers(ax: Axes, rows: pd.DataFrame, quantity: str) -> None:
    """Median over seeds as a line for each layer, smallest to largest as a band."""
    names = sorted(rows["layer"].unique().tolist())
    for n, layer in enumerate(names):
        line = look(n, len(names), f"layer {layer}") | {"markevery": 1}
        over_seeds(ax, rows[rows["layer"] == layer], "lag", quantity, **line)
    plain_log(ax, "y")
