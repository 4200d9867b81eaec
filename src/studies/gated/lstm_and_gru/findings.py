"""What a GRU saves, and who learns what."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from studies.gated.lstm_and_gru.measure import TABLES

IN_WORDS = {"sum": "the delayed sum", "few": "the delayed sum of few sequences", "denoise": "denoise"}


def answer(tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str]) -> Finding:
    """From the tables of `studies.gated.lstm_and_gru.measure`."""
    interpolation, costs, losses, shares, _ = (tables[name] for name in TABLES)
    lstm, same_units, same_parameters = costs.to_dict("records")
    medians = losses.pivot_table(["validation_loss", "accuracy"], "task", "architecture", "median", sort=False)
    loss = medians["validation_loss"]
    of_seeds = losses.pivot(index=["task", "seed"], columns="architecture", values="validation_loss")
    ratios = (of_seeds["gru"] / of_seeds["lstm"]).groupby("task").median().reindex(loss.index)
    won = {"lstm": ratios.index[ratios > 1].tolist(), "gru": ratios.index[ratios < 1].tolist()}
    wins = [f"the {labels[name]} on {listed(IN_WORDS[task] for task in tasks)}" for name, tasks in won.items() if tasks]
    ahead = max(won, key=lambda name: len(won[name]))
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
            {"Neither" if all(won.values()) else f"The {labels[ahead]}"}. At equal parameters the LSTM has the smaller
            loss on {len(won["lstm"])} of {len(ratios)} tasks, the GRU on {len(won["gru"])}.
        """,
        f"""
            The smaller loss belongs to {listed(wins) if wins else "neither"}. Validation losses of LSTM and GRU are
            {listed(values)}. They learn these shares of the lags: {listed(parts)}. With as many units a GRU has
            {percent(same_units["parameters"] / lstm["parameters"])} of the LSTM's parameters,
            {percent(_work(same_units) / _work(lstm))} of its multiply-adds and
            {percent(same_units["kept_bytes"] / lstm["kept_bytes"])} of the bytes that it keeps for the backward pass;
            with as many parameters {percent(_work(same_parameters) / _work(lstm))} and
            {percent(same_parameters["kept_bytes"] / lstm["kept_bytes"])}. Processor time is of one engine
            ({lstm["engine"]}) and one machine: {percent(same_units["time"])} of the LSTM's with as many units,
            {percent(same_parameters["time"])} with as many parameters. With the update gate closed a GRU moves by
            {number(closed["from_state"])} of the way to its candidate, and with it open it misses that by
            {number(opened["from_candidate"])}.
        """,
        {},
        "the learning rate and the length of training, which were chosen by the loss of the LSTM alone.",
        ("", "lstm_and_gru"),
        [("", name) for name in TABLES],
    )


def _work(costs: Mapping[Any, Any]) -> float:
    """Multiply-adds of a step of a sequence, forward and backward."""
    return float(costs["forward"] + costs["backward"])
