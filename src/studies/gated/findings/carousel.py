"""Is the path through the memory close to the identity?"""

from collections.abc import Mapping
from typing import SupportsFloat

import pandas as pd

from learnability.report.findings import Finding, number, percent
from learnability.report.style import Tables
from studies.gated.exhibits.carousel import TRAINED


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From `carousel_paths`."""
    paths = tables["carousel_paths"]
    lstm = paths[paths["architecture"] == "lstm"]
    cases = {"start": lstm[lstm["bias"] == lstm["bias"].max()], TRAINED: lstm[lstm["when"] == TRAINED]}
    ends = {when: rows.groupby("lag").median(numeric_only=True) for when, rows in cases.items() if len(rows)}
    told = "No LSTM was trained."
    if "start" in ends:
        start = ends["start"]
        one, longest = start.index.min(), start.index.max()
        told = f"""
            With a forget bias of {lstm["bias"].max():g} its forget gates are
            {number(start["direct_from_identity"][one])} from I over {_steps(one)} and pass
            {number(start["direct"][longest])} over {_steps(longest)}; along all paths it is
            {number(start["exact_from_identity"][one])} and {number(start["exact"][longest])}.
        """
    return Finding(
        "Is the path through an LSTM's memory close to the identity?",
        told,
        f"""
            {_of_shares(ends)} {_of_rnn(paths, labels)} The indirect paths are those through h, which g and the gates
            read. Before training gates are constant, so that what is left out goes through g, whose matrix is
            orthogonal.
        """,
        {},
        """
            An input gate that is shut, `gated.exhibits.carousel.input_bias`: where next to nothing is written, next to
            nothing reaches c through g, and before training forget gates leave out as little.
        """,
        ("", "carousel"),
        [("", "carousel_paths")],
    )


def _steps(lag: SupportsFloat) -> str:
    return "one step" if float(lag) == 1 else f"{float(lag):.0f} steps"


def _of_shares(ends: Mapping[str, pd.DataFrame]) -> str:
    """What forget gates leave out."""
    told = [
        f"{percent(rows['left_out'][rows.index.min()])} over {_steps(rows.index.min())} and"
        f" {percent(rows['left_out'][rows.index.max()])} over {_steps(rows.index.max())}"
        f" {'after training' if when == TRAINED else 'before training'}"
        for when, rows in ends.items()
    ]
    return f"Forget gates alone leave out, of the norm of the whole, {'; '.join(told)}." if told else ""


def _of_rnn(paths: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """What arrives in the RNN."""
    end = paths[(paths["architecture"] == "rnn") & (paths["lag"] == paths["lag"].max())]
    if end.empty:
        return ""
    arrives = end.groupby("when")["exact"].median()
    told = f"{number(arrives['start'])} before training and {number(arrives[TRAINED])} after"
    return f"The norm of ∂h_T/∂h_t is {told} in the {labels['rnn']}, over {_steps(paths['lag'].max())}."
