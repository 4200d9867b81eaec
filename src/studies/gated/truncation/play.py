"""Learned share of each lag, by the window K that a reader chooses."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from learnability.report.pages.play import LEGEND, Play, draw_curves, menu, slider


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Learned share r/c over the lag, from `truncation_shares`, with a rule where gradients end."""
    shares = tables["truncation_shares"]
    windows = sorted(shares["window"].unique().tolist())
    window = slider("window", "Window K (steps)", windows, windows[0])
    architectures = shares["architecture"].unique().tolist()
    network = menu("architecture", "Network", {name: labels.get(name, name) for name in architectures})
    ends = (
        alt.Chart(alt.InlineData(values=[{"window": steps} for steps in windows if steps <= shares["lag"].max()]))
        .transform_filter(window.test)
        .mark_rule(color="#888", strokeDash=[4, 3])
        .encode(x="window:Q")
    )
    return Play(
        f"Move the slider to choose after how many steps gradients are cut, at the dashed rule. {LEGEND}",
        draw_curves(
            shares,
            alt.X("lag:Q", title="lag ℓ (steps)"),
            alt.Y("share:Q", title="learned share"),
            [window, network],
            "window",
            [ends],
        ),
    )
