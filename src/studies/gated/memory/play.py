"""Recall of each lag, by the spectral radius and the strength of input that a reader chooses."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from learnability.report.pages.play import LEGEND, Play, draw_curves, slider

LEAST = 0.01
"""Recalled share; beyond the last lag of which some reservoir recalls as much, nothing is drawn."""


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Curves of r² over the lag, from `memory_curves`."""
    curves = tables["memory_curves"]
    curves = curves[curves["lag"] <= curves.loc[curves["recalled"] > LEAST, "lag"].max()]
    radii, scales = (sorted(curves[name].unique().tolist()) for name in ("radius", "input_scale"))
    choices = [
        slider("radius", "Spectral radius ρ", radii, radii[0]),
        slider("input_scale", "Input strength", scales, scales[0]),
    ]
    return Play(
        f"Move the sliders to choose a reservoir and see how far back it recalls its input. {LEGEND}",
        draw_curves(
            curves,
            alt.X("lag:Q", title="lag ℓ (steps)"),
            alt.Y("recalled:Q", title="recalled share r²"),
            choices,
            "radius",
        ),
    )
