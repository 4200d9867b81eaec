"""Through training: when a lag is detected in the gradient, when it is learned, and the loss; of one architecture."""

from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import epoch_axis, plain_log, seed_band
from learnability.report.style import (
    BAND,
    GREY,
    INTERVAL,
    MARKERS,
    MOST_CURVES,
    Style,
    Tables,
    conclude,
    heading,
    legend,
)

EDGES = 0.01, 1e8
"""N̂ beyond them lie on the edges, with open marks."""
OPEN: dict[str, Any] = {"linestyle": "", "markerfacecolor": "w", "markersize": 3.5, "zorder": 3}
BEYOND = Line2D([], [], **OPEN | {"color": "k", "marker": "o", "label": "beyond the edge"})


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from the tables `training_windows`, `training_responses` and `curve`, lags of the task as colours."""
    windows, responses, (architecture,) = tables["training_windows"], tables["training_responses"], style.architectures
    total = windows[(windows["control"] == "none") & (windows["noise"] == "total")]
    task_responses = responses[responses["coefficient"] != 0]
    measured_lags = np.sort(task_responses.loc[task_responses["lag"].isin(total["lag"]), "lag"].unique())
    lags = measured_lags[np.unique(np.linspace(0, len(measured_lags) - 1, MOST_CURVES).round().astype(int))]
    ends = {
        f"needed{end}": np.exp(total[f"log_sample_complexity{end}"].clip(*np.log(EDGES)))
        for end in ("", "_low", "_high")
    }
    needs, shares = (
        total.assign(**ends),
        task_responses.assign(share=task_responses["response"] / task_responses["coefficient"]),
    )
    lines: dict[int, dict[str, Any]] = {
        lag: {"color": colormaps["viridis"](place / MOST_CURVES), "marker": MARKERS[place], "label": f"lag {lag}"}
        | {"linestyle": "-", "markevery": 1, "markersize": 2.5}
        for place, lag in enumerate(lags)
    }
    figure, (need, share, loss) = style.panels(3, height_mm=56)
    is_beyond = False
    for lag, line in lines.items():
        of_lag = needs[needs["lag"] == lag]
        seed_band(need, of_lag, "epoch", "needed", architecture, style, **line)
        medians = of_lag.groupby(["seed", "epoch"])["needed"].median().groupby("epoch").median()
        beyond = medians[~medians.between(*EDGES, inclusive="neither")]
        need.plot(beyond.index, beyond, **line | OPEN)
        is_beyond = is_beyond or len(beyond) > 0
        seed_band(share, shares[shares["lag"] == lag], "epoch", "share", architecture, style, **line)
    plain: dict[str, Any] = {"marker": "", "linestyle": "-", "color": "k"}
    seed_band(loss, tables["curve"], "epoch", "validation_loss", architecture, style, **plain)
    sequences = total["sequences"].max()
    for ax, at in ((need, sequences), (share, 0.5)):
        ax.axhline(at, color=GREY, linewidth=0.7, linestyle="--", zorder=0)
    heading(need, f"to detect a lag; dashed: the {sequences} measured")
    heading(share, "learned share of the coefficient; dashed: ½")
    heading(loss, "validation loss")
    plain_log(need, "y")
    need.set(ylabel="sample complexity N̂(ℓ)", ylim=(EDGES[0] / 2, 2 * EDGES[1]))
    share.set(ylabel="r/c", ylim=(-0.1, 1.2))
    loss.set(ylabel="squared error")
    for ax in (need, share, loss):
        epoch_axis(ax, int(total["epoch"].max()))
    conclude(figure, "Every lag is detected before it is half learned, if it ever is")
    legend(figure, *(Line2D([], [], **line) for line in lines.values()), *[BEYOND] * is_beyond, BAND, INTERVAL)
    return figure
