"""Windows of all gates, by the number of sequences N, the reading and the transport that a reader chooses."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from learnability.report.pages.play import Play, draw_rows, menu, slider

TRANSPORTS = {"first_order": "first order", "exact": "exact"}


def play(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], colours: Mapping[str, str]) -> Play:
    """Play of `window`: Ĥ_N by the reading's criterion, of each seed the lower median over directions w."""
    windows = tables["window"]
    windows = windows[windows["chosen"] & (windows["control"] == "none") & (windows["optimizer"] == "adamw")]
    windows = windows.assign(network=windows["architecture"].map(lambda name: labels.get(name, name)))
    keys = ["reading", "transport", "network", "seed", "sample_size"]
    # of an even number the lower one of the two in the middle, so that the page has numbers of the table alone
    rows = windows.groupby(keys, sort=False)["horizon"].quantile(interpolation="lower").reset_index()
    sizes = sorted(rows["sample_size"].unique().tolist())
    choices = [
        slider("sample_size", "Sequences N", sizes, sizes[-2]),
        menu("reading", "Reading", {name: name.replace("_", " ") for name in rows["reading"].unique()}),
        menu("transport", "Gradients", TRANSPORTS),
    ]
    return Play(
        "Move the slider to measure with more sequences, and choose how the paper is read. A point is the median "
        "window of a network, a tick one seed; at 0 no lag is detected.",
        draw_rows(rows, alt.X("horizon:Q", title="window Ĥ(N) (steps)"), "network", choices),
    )
