"""The half-life of the leak rate that a reader chooses."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from learnability.report.pages.play import Play, slider, with_controls


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Chart to play with, from `leak_steps`."""
    table = tables["leak_steps"]
    leaks = table["leak"].tolist()
    leak = slider("leak", "Leak rate", leaks, leaks[0])
    rows = alt.InlineData(values=table.to_dict("records"))
    bar = alt.Chart(rows).transform_filter(leak.test).mark_bar().encode(x=alt.X("steps:Q", title="half-life (steps)"))
    return Play("Move the slider to leak more.", with_controls(bar, [leak]))
