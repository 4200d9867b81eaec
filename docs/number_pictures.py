"""Draw one picture for each number that a measurement gives, for docs/numbers.md.

OMP_NUM_THREADS=1 PYTHONPATH=src python docs/number_pictures.py
"""

from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from matplotlib.axes import Axes

from learnability import measure_model
from learnability.measurement.measured import Measured

FOLDER = Path(__file__).with_name("pictures")
BLUE, GREY = "#0173b2", "0.55"


def example() -> Measured:
    """An untrained RNN that is to sum its inputs of the last eight steps."""
    torch.manual_seed(0)
    rnn, head = torch.nn.RNN(1, 16, batch_first=True), torch.nn.Linear(16, 1)
    inputs = torch.randn(200, 40, 1)
    sums = inputs.cumsum(1)[..., 0]
    sums[:, 8:] -= sums[:, :-8].clone()
    return measure_model(rnn, inputs, sums, readout=head)


def gradient(ax: Axes, measurement: Measured) -> str:
    """Draw how much of a gradient crosses each lag, exactly and to first order."""
    table = measurement.exact
    for name, colour in (("exact", "k"), ("first_order", "#029e73")):
        ax.plot(table["lag"], table[name], color=colour, marker="o")
        end = table["lag"].iloc[-1], table[name].iloc[-1]
        ax.annotate(name.replace("_", " "), end, (6, 0), textcoords="offset points", color=colour)
    ax.set(xlabel="lag ℓ (steps)", ylabel="gradient that crosses", xscale="log", yscale="log")
    return "Beyond a few steps first order misses most of the gradient"


def noise_scale(ax: Axes, measurement: Measured) -> str:
    """Draw the noise scale at each lag with its interval."""
    _with_interval(ax, measurement, "noise_scale", "noise scale B (sequences)")
    return "A batch of B sequences has as much noise as signal of the lag"


def sample_complexity(ax: Axes, measurement: Measured) -> str:
    """Draw the sequences that each lag requires, and how many there are."""
    _with_interval(ax, measurement, "sample_complexity", "N̂(ℓ) (sequences)")
    sequences = measurement.window["sequences"].iloc[0]
    ax.axhline(sequences, color=GREY)
    ax.text(1, sequences, "N at hand", color="0.3", ha="right", va="bottom", transform=ax.get_yaxis_transform())
    return "Lags whose N̂ is below the line are detected"


def window(ax: Axes, measurement: Measured) -> str:
    """Draw the longest lag that is detected, for each number of sequences."""
    rows = measurement.window[measurement.window["chosen"] & (measurement.window["transport"] == "exact")]
    rows = rows[rows["noise"] == "total"].sort_values("sample_size")
    ax.fill_between(rows["sample_size"], rows["horizon_low"], rows["horizon_high"], color=BLUE, alpha=0.2, step="post")
    ax.step(rows["sample_size"], rows["horizon"], color=BLUE, where="post")
    ax.axvline(rows["sequences"].iloc[0], color=GREY)
    at = rows["sequences"].iloc[0], 0.95
    ax.annotate("N at hand", at, (4, 0), ax.get_xaxis_transform(), textcoords="offset points", color="0.3")
    ax.set(xlabel="sequences N", ylabel="window Ĥ (steps)", xscale="log")
    ax.set_ylim(bottom=0)
    ax.yaxis.get_major_locator().set_params(integer=True)
    return "With more sequences the window grows"


PICTURES: dict[str, Callable[[Axes, Measured], str]] = {
    picture.__name__: picture for picture in (gradient, noise_scale, sample_complexity, window)
}
"""Functions that draw a picture each and return its title."""


def _with_interval(ax: Axes, measurement: Measured, name: str, label: str) -> None:
    """Draw a number of sequences at each lag; ∞ is a mark at the upper edge, an interval that reaches ∞ an arrow."""
    table = measurement.to_dataframe()
    rows: pd.DataFrame = table[(table["transport"] == "exact") & (table["noise"] == "total")]
    finite = rows[np.isfinite(rows[name])]
    highs = finite[f"{name}_high"]
    top = 3 * max(finite[name].max(), highs[np.isfinite(highs)].max())
    ends = finite[name] - finite[f"{name}_low"], highs.clip(upper=top) - finite[name]
    ax.errorbar(finite["lag"], finite[name], [end.clip(lower=0) for end in ends], color=BLUE, marker="o", capsize=2)
    ax.plot(finite["lag"], highs.clip(upper=top).where(highs > top), "^", color=BLUE, fillstyle="none")
    beyond = rows["lag"][~np.isfinite(rows[name])]
    ax.plot(beyond, np.full(len(beyond), top), color=BLUE, marker="$∞$", markersize=9, linestyle="")
    ax.set(xlabel="lag ℓ (steps)", ylabel=label, xscale="log", yscale="log")


def draw(measurement: Measured, folder: Path) -> None:
    """Write every picture."""
    settings = {"font.size": 11, "axes.spines.top": False, "axes.spines.right": False}
    for name, picture in PICTURES.items():
        with plt.rc_context(settings):
            figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
            ax.set_title(picture(ax, measurement), loc="left", fontsize=12)
            if ax.get_xlabel().startswith("lag"):
                lags = measurement.exact["lag"]
                ax.set_xticks(lags, [str(lag) for lag in lags])
                ax.minorticks_off()
                ax.margins(x=0.2)
            figure.savefig(folder / f"{name}.png", dpi=120)
            plt.close(figure)


if __name__ == "__main__":
    draw(example(), FOLDER)
