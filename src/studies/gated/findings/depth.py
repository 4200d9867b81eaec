"""Whether higher layers see more of the past."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from studies.gated.exhibits.depth import END, START, TABLES


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.exhibits.depth`."""
    layers, _, losses, shares = (tables[name] for name in TABLES)
    numbers = layers.groupby(["moment", "layers", "layer"])[["context", "time_scale"]].median()
    depth = int(layers["layers"].max())
    context = {moment: numbers.loc[(moment, depth), "context"] for moment in (START, END)}
    scales = numbers.loc[(END, depth), "time_scale"]
    trained = numbers.loc[END]["context"].unstack()
    broadest = [f"layer {row.idxmax()} of {layers}" for layers, row in trained.iterrows() if layers > 1]
    loss = losses.groupby("architecture", sort=False)["validation_loss"].median().rename(labels)
    learned = shares.groupby("architecture", sort=False)["share"].mean().rename(labels)
    return Finding(
        "Do higher layers of a stacked LSTM see more of the past?",
        f"""
            What the {depth} layers take from the input lies {_steps(context[START])} steps back on average at
            initialisation, the lowest first, and {_steps(context[END])} after training.
        """,
        f"""
            After training the broadest context is that of {listed(broadest) if broadest else "the only layer"}. The
            layers' own recurrence, with what is below held, carries a gradient with time scales of {_steps(scales)}
            steps. Validation loss is {listed(f"{number(each)} for {name}" for name, each in loss.items())}, and of the
            lags {listed(f"{percent(share)} by {name}" for name, share in learned.items())} is learned.
        """,
        {},
        "The task: its lags are as long for every layer, and nothing in it is local but what the input is.",
        ("", "depth"),
        [("", name) for name in TABLES],
    )


def _steps(of_layers: "pd.Series[float]") -> str:
    return listed(number(each) for each in of_layers)
