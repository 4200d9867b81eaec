"""Section 14: error on NARMA-10 against multiply-adds of training, at the fewest and the most units."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.findings import number
from learnability.report.panels import label_point, plain_log
from learnability.report.style import BAND, Style, Tables, conclude, heading, legend
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
    conclude(figure, "One ridge regression reaches its error with far less work than BPTT needs")
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
    _label_factor(ax, trainings, (work, middle), line["color"])
    plain_log(ax, "x")
    plain_log(ax, "y")
    ax.set(xlabel="multiply-adds of training", ylabel="error / variance, validation")


def _label_factor(ax: Axes, trainings: pd.DataFrame, at: tuple[Any, Any], colour: Any) -> None:
    """An arrow as long as the least work of any network to the error of its seed's reservoir, over the reservoir's."""
    work = trainings[trainings["chosen"]].pivot(index="seed", columns="model", values="reached_after")
    least = float(work[list(CELLS)].div(work[RESERVOIR], axis=0).to_numpy().min())
    if np.isfinite(least):
        arrow = {"arrowstyle": "->", "color": colour, "shrinkB": 0}
        ax.annotate("", (least * at[0], at[1]), at, arrowprops=arrow)
        label_point(ax, f"at least × {number(least)}", (least**0.5 * at[0], at[1]), (0, 3), color=colour)
