"""Whether stacks learn more than one layer of as many parameters, and higher layers see more of the past."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, spread
from studies.gated.depth.measure import END, START, TABLES

BETTER = 1.1
"""Ratio of losses from which one is smaller, as in the claims."""


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.depth.measure`."""
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
    by_layers = losses.pivot(index="seed", columns="layers", values="test_loss")
    of_seeds = by_layers.rdiv(by_layers[1], axis=0)
    ratios = of_seeds.median()
    told = [
        f"{number(values.median())} times that of {name} ({spread(values)} over seeds)"
        for name, values in of_seeds.drop(columns=1).items()
    ]
    return Finding(
        "Are stacked LSTMs more expressive, and do higher layers see more of the past?",
        f"{_more_expressive(ratios)} {_further(end['context'])}".strip(),
        f"""
            {f"The loss of one layer is {listed(told)} layers." if told else ""} Losses are on sequences that neither
            training nor the choice of the rate has seen, of networks with {_numbers(losses["parameters"])} parameters,
            each at the best of its rates: {listed(_rates(rates, labels))}. The inputs that the {depth} layers respond
            to lie {_steps(start["context"])} steps back on average at initialisation, the lowest layer first, and
            {_steps(end["context"])} after training. After training the broadest context is that of
            {listed(broadest) if broadest else "the only layer"}. The recurrence of each layer, with the layers below
            held fixed, carries a gradient with time scales of {_steps(end["time_scale"])} steps. The learned share of
            the lags is {listed(f"{percent(share)} for {name}" for name, share in learned.items())}.
        """,
        {},
        """
            the length of training, and the grid of learning rates, which `depth_rates` has. The lags of the task are
            the same for every layer.
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
    return f"{verdict}: one layer has {spread(stacks)} times the loss of stacks of its size."


def _further(context: "pd.Series[float]") -> str:
    """Whether inputs that the layers of a stack respond to lie the further back the higher the layer."""
    if len(context) < 2:
        return ""
    return "Higher layers see further." if context.is_monotonic_increasing else "Higher layers do not see further."


def _rates(rates: pd.DataFrame, labels: Mapping[str, str]) -> list[str]:
    chosen = rates[rates["chosen"]]
    return [f"{row['rate']:g} for {labels[row['architecture']]}" for row in chosen.to_dict("records")]


def _numbers(values: "pd.Series[int]") -> str:
    return f"{values.min():,} to {values.max():,}"


def _steps(of_layers: "pd.Series[float]") -> str:
    return listed(number(each) for each in of_layers)
