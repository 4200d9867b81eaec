"""Cases in which statements hold, and errors of gradients, by the lemma as its proof has it and as printed."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from learnability.report.findings import percent
from learnability.report.style import Style, Tables, conclude, heading, legend

HOLDS, FAILS = "#56b4e9", "#d55e00"
PROVED: dict[str, Any] = {"color": "k", "linestyle": "", "marker": "o", "markersize": 5}
PRINTED = PROVED | {"color": FAILS, "marker": "x", "markeredgewidth": 1.5}
LEGEND = (
    Patch(color=HOLDS, label="cases that hold"),
    Patch(color=FAILS, label="cases that fail"),
    Line2D([], [], **PROVED, label="by the proof"),
    Line2D([], [], **PRINTED, label="as printed"),
)


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `theory_exact` and `theory_parameters`."""
    style = style.larger()
    figure, (cases_ax, errors_ax) = style.panels(2, height_mm=72)
    exact = tables["theory_exact"]
    exact = exact.assign(fails=exact["fail"] > 0, kind=exact["statement"].str.partition(" ")[0])
    _draw_cases(cases_ax, exact.sort_values(["fails", "kind"], kind="stable"))
    heading(cases_ax, "in exact fractions")
    _draw_errors(errors_ax, tables["theory_parameters"].sort_values("lemma", kind="stable"))
    heading(errors_ax, "gradients of parameters")
    conclude(figure, "Statements that fail as printed hold once a slip is corrected")
    legend(figure, *LEGEND)
    return figure


def _draw_cases(ax: Axes, exact: pd.DataFrame) -> None:
    """A bar for each statement, and in words how many of its cases fail."""
    for place, row in enumerate(exact.to_dict("records")):
        ax.barh(place, row["cases"] - row["fail"], color=HOLDS)
        ax.barh(place, row["fail"], left=row["cases"] - row["fail"], color=FAILS)
        words = f"{row['fail']} of {row['cases']} fail" if row["fail"] else f"all {row['cases']} hold"
        is_short = row["cases"] < 0.5 * exact["cases"].max()
        ax.text(row["cases"] + 2 if is_short else 2, place, words, va="center")
    ax.set_yticks(range(len(exact)), [name.replace(" with ", "\nwith ") for name in exact["statement"]])
    ax.set(xlabel="cases", ylabel="statement", ylim=(len(exact) - 0.5, -0.5))


def _draw_errors(ax: Axes, gradients: pd.DataFrame) -> None:
    """A row for each parameter; marks of both versions only where these differ."""
    places = np.arange(len(gradients))
    differs = (gradients["error"] != gradients["error_as_printed"]).to_numpy()
    ax.plot(gradients["error"], places, **PROVED)
    errors = gradients.loc[differs, "error_as_printed"]
    ax.plot(errors, places[differs], **PRINTED)
    for error, place in zip(errors, places[differs], strict=True):
        ax.annotate(percent(error), (error, place), (-6, 0), textcoords="offset points", ha="right", va="center")
    names = [f"Lemma {row.lemma}: ${row.parameter}$" for row in gradients.itertuples()]
    ax.set_yticks(places, names)
    ax.set(xlabel="relative error", ylabel="parameter", xscale="log", xlim=(1e-17, 10))
    ax.set_ylim(len(gradients) - 0.5, -0.5)
