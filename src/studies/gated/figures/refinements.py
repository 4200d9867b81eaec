"""What cells learn, in the order in which gates are added to them."""

import pandas as pd
from matplotlib.figure import Figure

from learnability.report.panels import seed_band
from learnability.report.style import BAND, Style, Tables, bunches, heading, headline, legend
from studies.gated.exhibits.refinements import OF_THE_LSTM, STEPS


def draw(tables: Tables, style: Style) -> Figure:
    """Draw from `refinements_curves`, `refinements_ends` and `refinements_steps`."""
    curves, ends, steps = (tables[f"refinements_{kind}"] for kind in ("curves", "ends", "steps"))
    drawn = style.present(ends)
    panels = bunches(drawn)
    figure, axes = style.panels(len(panels) + 1, height_mm=44)
    for ax, names in zip(axes, panels, strict=False):
        for name in names:
            seed_band(ax, curves[curves["architecture"] == name], "updates", "validation_accuracy", name, style)
        heading(ax, "symbols named in training", ncols=2)
        ax.set(xlabel="updates", ylabel="share of the symbols", ylim=(-0.05, 1.05))
    last = axes[-1]
    for place, name in enumerate(drawn):
        values = ends.loc[ends["architecture"] == name, "accuracy"]
        last.plot(values, [place] * len(values), "o", color="k", markersize=3, alpha=0.6, clip_on=False)
    heading(last, "at the lowest loss, by seed")
    labels = [style.labels[name] for name in drawn]
    last.set(xlabel="share of the symbols", xlim=(-0.05, 1.05), ylabel="cell", yticks=range(len(drawn)))
    last.set_yticklabels(labels)
    last.invert_yaxis()
    headline(figure, _told(steps))
    legend(figure, BAND)
    return figure


def _told(steps: pd.DataFrame) -> str:
    gained = steps.groupby("step")["accuracy_gained"].median()
    told = [f"{STEPS[name].words} {100 * gained[name]:+.0f}" for name in OF_THE_LSTM if name in gained]
    return f"Symbols named, in points, step by step to the LSTM: {', '.join(told) or 'nothing trained'}"
