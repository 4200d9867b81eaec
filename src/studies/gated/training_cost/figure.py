"""Section 14: error on NARMA-10 against multiply-adds of training, at the fewest and the most units."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.panels import plain_log
from learnability.report.style import BAND, Style, Tables, heading, headline, legend
from studies.gated.curves import look, over_seeds
from studies.gated.training_cost.measure import CELLS, RESERVOIR

LABELS = {RESERVOIR: "reservoir, ridge", "rnn": "RNN, BPTT", "gru": "GRU, BPTT"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `cost_trainings` and `cost_curves`."""
    trainings, curves = tables["cost_trainings"], tables["cost_curves"]
    sizes = sorted(trainings["units"].unique())
    ends = [sizes[0], sizes[-1]]
    figure, axes = style.panels(len(ends), height_mm=82)
    for ax, units in zip(axes, ends, strict=True):
        _panel(ax, trainings[trainings["units"] == units], curves[curves["units"] == units])
        heading(ax, f"{units} units", ncols=3)
    errors = [curves.loc[curves["epoch"] > 0, "error"], trainings["error"]]
    finite = pd.concat(errors).replace(np.inf, np.nan)
    for ax in axes:
        ax.set_ylim(0.8 * finite.min(), min(1.3 * finite.max(), 2))
    headline(figure, "One ridge regression reaches its error with far less work than BPTT needs")
    legend(figure, BAND)
    return figure


def _panel(ax: Axes, trainings: pd.DataFrame, curves: pd.DataFrame) -> None:
    ridge = trainings[trainings["model"] == RESERVOIR]
    line = look(0, 3, LABELS[RESERVOIR])
    middle, low, high = (float(value) for value in ridge["error"].quantile([0.5, 0, 1]))
    work = float(ridge["multiply_adds"].median())
    ax.errorbar(work, middle, [[middle - low], [high - middle]], **line | {"markersize": 5, "linestyle": ""})
    ax.axhline(middle, color=line["color"], linewidth=0.6, linestyle=":")
    for place, name in enumerate(CELLS, 1):
        rows = curves[(curves["model"] == name) & (curves["epoch"] > 0)]
        over_seeds(ax, rows, "multiply_adds", "error", **look(place, 3, LABELS[name]))
    plain_log(ax, "x")
    plain_log(ax, "y")
    ax.set(xlabel="multiply-adds of training", ylabel="error / variance, validation")
