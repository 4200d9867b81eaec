"""What a GRU saves, and who learns what."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from studies.gated.exhibits.lstm_and_gru import TABLES

IN_WORDS = {"sum": "the delayed sum", "few": "the delayed sum of few sequences", "denoise": "denoise"}


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.exhibits.lstm_and_gru`."""
    interpolation, costs, losses, shares, _ = (tables[name] for name in TABLES)
    lstm, same_units, same_parameters = costs.to_dict("records")
    medians = losses.pivot_table(["validation_loss", "accuracy"], "task", "architecture", "median", sort=False)
    loss = medians["validation_loss"]
    best = loss.to_numpy().min(1)
    won = {name: loss.index[loss[name] == best].tolist() for name in loss}
    told = [
        f"{labels[name]} has the smaller loss on {listed(IN_WORDS[task] for task in tasks) if tasks else 'none'}"
        for name, tasks in won.items()
    ]
    values = [
        f"{number(loss['lstm'][task])} and {number(loss['gru'][task])} on {IN_WORDS[str(task)]}" for task in loss.index
    ]
    learned = shares.groupby(["task", "architecture"], sort=False)["share"].mean().unstack()
    parts = [
        f"{percent(row['lstm'])} and {percent(row['gru'])} on {IN_WORDS[str(task)]}" for task, row in learned.iterrows()
    ]
    closed, opened = (
        interpolation.iloc[interpolation["bias"].argmin()],
        interpolation.iloc[interpolation["bias"].argmax()],
    )
    return Finding(
        "Which is better, an LSTM or a GRU?",
        f"""
            Of as many parameters, {listed(told)}. Of as many units a GRU has
            {percent(same_units["parameters"] / lstm["parameters"])} of the LSTM's parameters and takes
            {percent(same_units["time"])} of its time; of as many parameters {percent(same_parameters["time"])}.
        """,
        f"""
            Validation losses of LSTM and GRU are {listed(values)}. Of the lags they learn
            {listed(parts)}. For the backward pass the LSTM keeps {number(lstm["kept_mib"])} MiB, the GRU
            {number(same_units["kept_mib"])} MiB with as many units. With the update gate closed a GRU moves by
            {number(closed["from_state"])} of the way to its candidate, and with it open it misses that by
            {number(opened["from_candidate"])}.
        """,
        {},
        "The learning rate and the length of training, which were chosen by the loss of the LSTM alone.",
        ("", "lstm_and_gru"),
        [("", name) for name in TABLES],
    )
