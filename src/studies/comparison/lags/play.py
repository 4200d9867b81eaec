"""Learned share of each lag, before and after training, of the cell that a reader chooses."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from learnability.report.pages.play import Play, draw_curves, menu

TIMES = {"share_end": "after training", "share_start": "before training"}


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Play of `lags`: the learned share r/c over the lag."""
    lags = tables["lags"]
    rows = pd.concat(
        [lags[["architecture", "lag"]].assign(when=when, share=lags[column]) for column, when in TIMES.items()],
        ignore_index=True,
    )
    rows["cell"] = rows["architecture"].map(lambda name: labels.get(name, name))
    best = rows[rows["lag"] == rows["lag"].max()].sort_values("share", ascending=False, kind="stable")["cell"]
    choices = [
        menu("cell", "Cell", {name: name for name in best.unique()}),
        menu("when", "Gradients", {name: name for name in TIMES.values()}),
    ]
    x = alt.X("lag:Q", title="lag ℓ (steps)", axis=alt.Axis(values=sorted(rows["lag"].unique().tolist())))
    return Play(
        "Choose a cell to see how much of each lag it learns; cells are in the order of the longest lag. Blue is the "
        "cell that is chosen, medians over seeds; grey lines are other cells, named where a pointer stands.",
        draw_curves(rows, x, alt.Y("share:Q", title="learned share r/c"), choices, "cell"),
    )
