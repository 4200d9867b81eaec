"""Section 13: products of Jacobians and exponents over the spectral radius, and three reservoirs it is wrong about."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from learnability.report.panels import plain_log
from learnability.report.style import BAND, GREY, MOST_CURVES, Style, Tables, heading, headline, legend
from studies.gated.curves import look, over_seeds, pick_evenly
from studies.gated.echo_states.measure import ABOVE, AT, BELOW, NONE, STRONG, WEAK

LEAST = 1e-9
"""Products and distances below it are not drawn."""
SHORT = {BELOW: "{:.2g}, no input", AT: "{:.2g}, no input", ABOVE: "{:.2g}, strong input"}


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `echo_stretch`, `echo_exponents` and `echo_counterexamples`."""
    figure, axes = style.panels(3, height_mm=64)
    _products(axes[0], tables["echo_stretch"])
    _exponents(axes[1], tables["echo_exponents"])
    _counterexamples(axes[2], tables["echo_counterexamples"])
    exponents = tables["echo_exponents"]
    forgetting = exponents[(exponents["input"] == STRONG) & exponents["echo_states"]]["radius"].max()
    message = (
        "With strong input, reservoirs of spectral radius above 1 forget where they started"
        if forgetting > 1
        else "No reservoir of spectral radius above 1 forgets where it started"
    )
    headline(figure, message)
    linear = Line2D([], [], color=GREY, linewidth=1.5, label="linear: ‖Wᵏ‖, log ρ")
    legend(figure, linear, BAND)
    return figure


def _products(ax: Axes, table: pd.DataFrame) -> None:
    table = table[table["input"] == WEAK]
    radii = pick_evenly(sorted(table["radius"].unique()), MOST_CURVES)
    for place, radius in enumerate(radii):
        rows = table[table["radius"] == radius]
        linear = rows.groupby("lag")["linear"].median()
        ax.plot(linear.index, linear, color=GREY, linewidth=1.5, zorder=1)
        over_seeds(ax, rows, "lag", "stretch", **look(place, len(radii), f"{radius:.3g}"))
    plain_log(ax, "y")
    ax.set(xlabel="steps k", ylabel="‖∂h(t)/∂h(t-k)‖", ylim=(LEAST, 30 * max(1, table["stretch"].max())))
    heading(ax, "weak input, by spectral radius ρ", ncols=4)


def _exponents(ax: Axes, table: pd.DataFrame) -> None:
    radii = np.linspace(table["radius"].min(), table["radius"].max(), 100)
    ax.plot(radii, np.log(radii), color=GREY, linewidth=1.5, zorder=1)
    ax.axhline(0, color="k", linewidth=0.5)
    ax.axvline(1, color="k", linewidth=0.5)
    for place, name in enumerate((NONE, WEAK, STRONG)):
        rows = table[table["input"] == name]
        line = look(place, 3, name)
        over_seeds(ax, rows, "radius", "exponent", **line | {"marker": "", "label": None})
        always = rows.groupby("radius")["echo_states"].all()
        middle = rows.groupby("radius")["exponent"].median()
        for forgets, face in ((True, line["color"]), (False, "w")):
            ax.plot(
                middle[always == forgets],
                **line | {"linestyle": "", "markerfacecolor": face, "label": None, "markersize": 4},
            )
        ax.plot([], [], **line)
    ax.set(xlabel="spectral radius ρ", ylabel="largest exponent (nats/step)")
    heading(ax, "input; filled: echo states of all seeds", ncols=3)


def _counterexamples(ax: Axes, table: pd.DataFrame) -> None:
    for place, case in enumerate((BELOW, AT, ABOVE)):
        rows = table[table["case"] == case]
        line = look(place, 3, SHORT[case].format(rows["spectral_radius"].iloc[0]))
        over_seeds(ax, rows, "step", "distance", **line)
        products = rows.groupby("step")["stretch"].median()
        ax.plot(products.index, products, color=line["color"], linewidth=0.6, linestyle=":")
    plain_log(ax, "y")
    ax.set(xlabel="steps", ylabel="distance of states", ylim=(LEAST, None))
    heading(ax, "spectral radius; dotted: products of Jacobians", ncols=2)
