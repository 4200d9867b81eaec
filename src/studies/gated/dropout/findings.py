"""How noisy dropout makes a recurrence, and whether that helps."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.dropout.measure`."""
    names = ("losses", "noise", "shares", "curves")
    losses, noise, shares, _ = (tables[f"dropout_{name}"] for name in names)
    of_networks = losses.groupby("architecture", sort=False).median(numeric_only=True).rename(labels)
    (plain,) = of_networks.index[of_networks["rate"] == 0]
    dropped = of_networks.drop(plain).sort_values("validation_loss", kind="stable")
    best, rate = dropped.index[0], dropped["rate"].iloc[0]
    without = of_networks.loc[plain, "validation_loss"]
    stopped = of_networks["least_validation_loss"]
    helps = (
        "Yes, both. With early stopping the best mask lowers the validation loss from"
        if stopped.drop(plain).min() < stopped[plain]
        else "It adds noise and does not help. With early stopping the best mask takes the validation loss from"
    )
    learned = shares.groupby("architecture", sort=False)["share"].mean().rename(labels)
    return Finding(
        "Does dropout make a recurrence noisy, and does it help?",
        f"""
            {helps} {number(stopped[plain])} to {number(stopped.drop(plain).min())}.
        """,
        f"""
            At the end of training the validation loss is {number(without)} without dropout, where the training loss is
            {number(of_networks.loc[plain, "training_loss"])}, and at a rate of {number(rate)}
            {listed(f"{number(row['validation_loss'])} for {name}" for name, row in dropped.iterrows())}.
            {_noise_of_steps(noise)} With the weights of the network that was trained without dropout,
            {_noisiest(noise, labels)} The least validation loss during training, which early stopping would reach, is
            {listed(f"{number(loss)} for {name}" for name, loss in stopped.items())}. The
            learned share of the lags is {listed(f"{percent(share)} for {name}" for name, share in learned.items())}. If
            the recurrence of one unit is cut, the loss of {plain} rises up to
            {number(of_networks.loc[plain, "largest_reliance"])}-fold, that of {best} up to
            {number(of_networks.loc[best, "largest_reliance"])}-fold.
        """,
        {},
        "the number of training sequences: with enough of them there is nothing to overfit.",
        ("", "dropout"),
        [("", f"dropout_{name}") for name in names],
    )


def _noise_of_steps(noise: pd.DataFrame) -> str:
    """Of a mask per step over that of a mask per sequence, with the same weights."""
    same = noise[noise["weights"] != "own"].set_index(["kind", "seed"])[["state", "gradient"]]
    ratios = pd.DataFrame(same.loc["dropout"] / same.loc["variational_dropout"]).median()
    state, gradient = (number(ratios[name]) for name in ("state", "gradient"))
    return f"""With the same weights the last state is {state} times and the gradient {gradient} times as noisy with
        a mask per step as with a mask per sequence."""


def _noisiest(noise: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """Which masks make what noisiest, with the same weights for all."""
    quantities = {"state": "the last state", "change": "its change in a step", "gradient": "the gradient"}
    same = noise[noise["weights"] != "own"].groupby("architecture", sort=False)[[*quantities]].median().rename(labels)
    told = []
    for quantity, words in quantities.items():
        order = same[quantity].sort_values(ascending=False, kind="stable")
        most, least = (f"{order.index[place]} ({number(order.iloc[place])})" for place in (0, -1))
        told.append(f"{words} is noisiest with {most} and least with {least}")
    return f"{listed(told)}, in parts of its mean size."
