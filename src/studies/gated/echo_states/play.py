"""A change of the state over time, by the spectral radius and the strength of input that a reader chooses."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from learnability.report.pages.play import LEGEND, Play, draw_curves, slider

LEAST = 1e-9
"""Below it nothing is drawn."""


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Curves of ‖∂h(t)/∂h(t-k)‖ over k, from `echo_stretch`."""
    stretch = tables["echo_stretch"]
    stretch = stretch[stretch["stretch"] >= LEAST]
    radii, inputs = (stretch[name].drop_duplicates().tolist() for name in ("radius", "input"))
    choices = [
        slider("radius", "Spectral radius ρ", sorted(radii), min(radii)),
        slider("input", "Input", inputs, inputs[0]),
    ]
    return Play(
        f"Move the sliders to see which input makes a reservoir forget its states above a radius of 1. {LEGEND}",
        draw_curves(
            stretch,
            alt.X("lag:Q", title="steps k"),
            alt.Y("stretch:Q", title="‖∂h(t)/∂h(t-k)‖", scale=alt.Scale(type="log"), axis=alt.Axis(format="e")),
            choices,
            "radius",
        ),
    )
