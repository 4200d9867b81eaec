"""Charts of trials to play with: what is learned of each lag from N sequences, N chosen by a slider."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd

from learnability.report.pages.play import Choice, draw_curves, menu, slider
from studies.ground_truth.tables import last_look

SIZE = "sequences"
"""Column of N as a text, ∞ for sequences none of which is shown twice."""


def curves_of_sizes(trials: pd.DataFrame, labels: Mapping[str, str], grids: Sequence[str]) -> alt.LayerChart:
    """Learned share r/c over the lag after all updates; grey lines are other networks.

    A training that diverged counts as 0, as in `learned_share`.

    Args:
        trials: of these grids and others.
        labels: names of architectures.
        grids: that have tried the same N; with a menu, if there is more than one.
    """
    shares = last_look(trials)
    shares = shares[shares["grid"].isin(grids)].fillna({"share": 0.0})
    sizes = np.sort(shares["sample_size"].unique()).tolist()
    words = ["∞" if np.isinf(size) else f"{size:g}" for size in sizes]
    rows = shares.assign(**{SIZE: shares["sample_size"].map(dict(zip(sizes, words, strict=True)))})
    lags, names = sorted(rows["lag"].unique().tolist()), rows["architecture"].unique().tolist()
    choices: list[Choice] = [
        slider(SIZE, "Sequences N", words, words[0]),
        menu("architecture", "Network", {name: labels.get(name, name) for name in names}),
    ]
    if len(grids) > 1:
        choices.append(menu("grid", "Grid", {grid: grid.replace("_", " ") for grid in grids}))
    x = alt.X("lag:Q", title="lag ℓ (steps)", scale=alt.Scale(type="log", base=2), axis=alt.Axis(values=lags))
    return draw_curves(rows, x, alt.Y("share:Q", title="learned share r/c"), choices, "architecture")
