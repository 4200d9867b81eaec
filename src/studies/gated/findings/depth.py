"""Whether stacks learn more than one layer of as many parameters, and higher layers see more of the past."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from studies.gated.exhibits.depth import END, START, TABLES

BETTER = 1.1
"""Ratio of losses from which one is smaller, as in the claims."""


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.exhibits.depth`."""
    layers, _, losses, shares, rates = (tables[name] for name in TABLES)
    medians = layers.groupby(["moment", "layers", "layer"], as_index=False)[["context", "time_scale"]].median()
    depth = int(layers["layers"].max())
    start, end = (medians[(medians["moment"] == moment) & (medians["layers"] == depth)] for moment in (START, END))
    stacks = medians[(medians["moment"] == END) & (medians["layers"] > 1)]
    broadest = [
        f"layer {row['layer']} of {row['layers']}"
        for row in stacks.loc[stacks.groupby("layers")["context"].idxmax()].to_dict("records")
    ]
    learned = shares.groupby("architecture", sort=False)["share"].mean().rename(labels)
    by_layers = losses.groupby("layers")
    single = by_layers.get_group(1).set_index("seed")["test_loss"]
    ratios = by_layers.apply(lambda rows: (single / rows.set_index("seed")["test_loss"]).median())
    return Finding(
        "Are stacked LSTMs more expressive, and do higher layers see more of the past?",
        f"{_more_expressive(ratios)}",
        f"""
            Losses are on sequences that neither training nor the choice of the rate has seen, of
            {_numbers(losses["parameters"])} parameters, each stack at the best of its rates:
            {listed(_rates(rates, labels))}. What the {depth} layers take from the input lies
            {_steps(start["context"])} steps back on average at initialisation, the lowest first, and
            {_steps(end["context"])} after training. After training the broadest context is that of
            {listed(broadest) if broadest else "the only layer"}. The layers' recurrence, with the
            layers below held, carries a gradient with time scales of {_steps(end["time_scale"])} steps. Of the lags
            {listed(f"{percent(share)} by {name}" for name, share in learned.items())} is learned.
        """,
        {},
        """
            The length of training and the grid of learning rates: the table `depth_rates` has them, and says where the
            best rate is at an edge. The lags of the task are as long for every layer.
        """,
        ("", "depth"),
        [("", name) for name in TABLES],
    )


def _more_expressive(ratios: "pd.Series[float]") -> str:
    """The loss of one layer over that of stacks of as many parameters."""
    stacks = ratios.drop(1)
    if stacks.empty:
        return "No stack was trained."
    better = int((stacks >= BETTER).sum())
    verdict = "Yes" if better == len(stacks) else "In part" if better else "No"
    told = listed(f"{number(ratio)} times that of {layers}" for layers, ratio in stacks.items())
    return f"{verdict}: with as many parameters, the loss of one layer is {told} layers."


def _rates(rates: pd.DataFrame, labels: Mapping[str, str]) -> list[str]:
    chosen = rates[rates["chosen"]]
    return [f"{row['rate']:g} for {labels[row['architecture']]}" for row in chosen.to_dict("records")]


def _numbers(values: "pd.Series[int]") -> str:
    return f"{values.min():,} to {values.max():,}"


def _steps(of_layers: "pd.Series[float]") -> str:
    return listed(number(each) for each in of_layers)
