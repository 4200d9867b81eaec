"""States, readouts and gradients of the identity recurrence, before training."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learnability.report.findings import number
from learnability.report.panels import label_point, plain_log
from learnability.report.style import DASHES, GREY, MARKERS, Style, Tables, conclude, heading
from studies.gated.identity.measure import IRRELEVANT

COLOURS = ("#029e73", "#d55e00", "#0173b2", "#949494")
LABELS = {"state": "h", "exposed": "tanh(h)", "rnn": "RNN"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `identity_states`, `identity_readouts` and `identity_gradients`; medians over seeds."""
    states, readouts, gradients = (tables[f"identity_{kind}"] for kind in ("states", "readouts", "gradients"))
    figure, (size, distractors, noise, norms) = style.panels(4, 2, height_mm=52)
    for place, irrelevant in enumerate(IRRELEVANT):
        rows = states[states["irrelevant"] == irrelevant].groupby("steps")["size"].median()
        size.plot(rows.index, rows, **_line(place, irrelevant))
        by_seed = states[states["irrelevant"] == irrelevant].pivot(index="seed", columns="steps", values="size")
        growth = (by_seed[rows.index[-1]] / by_seed[rows.index[-2]]).median()
        label_point(size, f"× {number(growth)}", (rows.index[-1], rows.iloc[-1]), color=COLOURS[place])
    heading(size, "state of the identity recurrence", ncols=3)
    size.set(xlabel="irrelevant steps", ylabel="norm ‖h‖")
    for ax, irrelevant in ((distractors, "distractors"), (noise, "noise")):
        of_it = readouts[readouts["irrelevant"] == irrelevant]
        for place, (reader, label) in enumerate(LABELS.items()):
            rows = of_it[of_it["reader"] == reader].groupby("steps")["accuracy"].median()
            ax.plot(rows.index, rows, **_line(place, label))
        ax.axhline(readouts["chance"].iloc[0], color=GREY, linewidth=0.7, linestyle="--", zorder=0)
        label_point(ax, "chance level", (0, readouts["chance"].iloc[0]), (1, -3), color="0.4")
        heading(ax, f"symbol recalled after {irrelevant} from", ncols=3)
        ax.set(xlabel="irrelevant steps", ylabel="share recalled", ylim=(-0.05, 1.05))
        ax.set_xscale("symlog", base=2, linthresh=1)
        ticks = np.sort(readouts["steps"].unique())[::2]
        ax.set_xticks(ticks, [f"{steps}" for steps in ticks])
        ax.set_xticks([], minor=True)
        ax.set_xlim(-0.3, 1.2 * readouts["steps"].max())
    plain_log(size, "x")
    size.set_xlim(right=3 * states["steps"].max())
    plain_log(size, "y")
    _gradients(norms, gradients)
    conclude(figure, "Gradients of the identity recurrence persist, and its state grows")
    return figure


def _line(place: int, label: str) -> dict[str, Any]:
    return {
        "color": COLOURS[place],
        "marker": MARKERS[place],
        "linestyle": DASHES[place],
        "markersize": 2.5,
        "label": label,
    }


def _gradients(ax: Axes, gradients: pd.DataFrame) -> None:
    """The identity recurrence, and RNNs of the smallest, the middle and the largest scale of U."""
    scales = np.sort(gradients.loc[gradients["scale"] > 0, "scale"].unique())
    curves = dict.fromkeys([0.0, scales[0], scales[len(scales) // 2], scales[-1]])
    for place, scale in enumerate(curves):
        rows = gradients[gradients["scale"] == scale].groupby("lag")["log_norm"].median()
        ax.plot(rows.index, rows, **_line(place, f"RNN, U × {scale:g}" if scale else "identity"))
    heading(ax, "gradients from h(T) to h(T - ℓ)", ncols=2)
    ax.set(xlabel="lag ℓ (steps)", ylabel="log₁₀ of the norm")
