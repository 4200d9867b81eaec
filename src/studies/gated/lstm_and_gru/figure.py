"""Distances of a GRU's state over its update gate, and learning curves of LSTM and GRU of as many parameters."""

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from learnability.report.panels import plain_log, seed_band
from learnability.report.style import BAND, DASHES, INTERVAL, Style, Tables, conclude, heading, legend

IN_WORDS = {"sum": "delayed sum", "few": "delayed sum, few sequences", "denoise": "denoise"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables of `studies.gated.lstm_and_gru.measure`."""
    interpolation, losses, shares, curves = (
        tables[name] for name in ("gru_interpolation", "lstm_gru_losses", "lstm_gru_shares", "lstm_gru_curves")
    )
    style = replace(style, architectures=style.present(losses))
    tasks = losses["task"].unique().tolist()
    figure, (first, *axes, last) = style.panels(2 + len(tasks), height_mm=50)
    distances = (
        interpolation[np.abs(interpolation["bias"]) < 10].groupby("gate")[["from_state", "from_candidate"]].median()
    )
    for column, words, dash in zip(distances, ("state before", "candidate"), DASHES, strict=False):
        first.plot(distances[column], color="k", linestyle=dash, label=words)
    first.set(xlabel="update gate z", ylabel="distance of hₜ")
    heading(first, "GRU: distance from", ncols=2)
    by_seed = losses.pivot(index=["task", "seed"], columns="architecture", values="validation_loss")
    for ax, task in zip(axes, tasks, strict=True):
        for name in style.architectures:
            rows = curves[(curves["task"] == task) & (curves["architecture"] == name)]
            seed_band(ax, rows, "epoch", "validation_loss", name, style)
        ax.set(xlabel="epoch", ylabel="validation loss")
        plain_log(ax, "y")
        ratio = (by_seed["gru"] / by_seed["lstm"])[task].median()
        ax.text(1, 0.97, f"GRU / LSTM,\nlast loss: {ratio:.2f}", ha="right", va="top", transform=ax.transAxes)
        heading(ax, IN_WORDS[task])
    first_task = shares[shares["task"] == shares["task"].iloc[0]]
    for name in style.architectures:
        seed_band(last, first_task[first_task["architecture"] == name], "lag", "share", name, style)
    last.set(xlabel="lag ℓ (steps)", ylabel="learned share", xticks=sorted(first_task["lag"].unique()))
    heading(last, IN_WORDS[first_task["task"].iloc[0]])
    conclude(figure, "On denoise the GRU is mostly ahead of an LSTM of as many parameters; elsewhere neither is")
    legend(figure, *style.handles(), BAND, INTERVAL)
    return figure
