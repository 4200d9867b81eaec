"""Whether higher layers see more of the past."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from studies.gated.exhibits.depth import END, START, TABLES


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.exhibits.depth`."""
    layers, _, losses, shares = (tables[name] for name in TABLES)
    medians = layers.groupby(["moment", "layers", "layer"], as_index=False)[["context", "time_scale"]].median()
    depth = int(layers["layers"].max())
    start, end = (medians[(medians["moment"] == moment) & (medians["layers"] == depth)] for moment in (START, END))
    stacks = medians[(medians["moment"] == END) & (medians["layers"] > 1)]
    broadest = [
        f"layer {row['layer']} of {row['layers']}"
        for row in stacks.loc[stacks.groupby("layers")["context"].idxmax()].to_dict("records")
    ]
    loss = losses.groupby("architecture", sort=False)["validation_loss"].median().rename(labels)
    learned = shares.groupby("architecture", sort=False)["share"].mean().rename(labels)
    return Finding(
        "Do higher layers of a stacked LSTM see more of the past?",
        f"""
            What the {depth} layers take from the input lies {_steps(start["context"])} steps back on average at
            initialisation, the lowest first, and {_steps(end["context"])} after training.
        """,
        f"""
            After training the broadest context is that of {listed(broadest) if broadest else "the only layer"}. The
            layers' own recurrence, with what is below held, carries a gradient with time scales of
            {_steps(end["time_scale"])} steps. Validation loss is
            {listed(f"{number(each)} for {name}" for name, each in loss.items())}, and of the lags
            {listed(f"{percent(share)} by {name}" for name, share in learned.items())} is learned.
        """,
        {},
        "The task: its lags are as long for every layer, and nothing in it is local but what the input is.",
        ("", "depth"),
        [("", name) for name in TABLES],
    )


def _steps(of_layers: "pd.Series[float]") -> str:
    return listed(number(each) for each in of_layers)
