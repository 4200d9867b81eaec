"""Is the path through the memory close to the identity?"""

from collections.abc import Mapping
from typing import SupportsFloat

import pandas as pd

from learnability.report.findings import Finding, number, percent
from learnability.report.style import Tables
from studies.gated.carousel.measure import TRAINED

CLOSE = 0.1
"""Distance of a norm from 1 within which a path counts as close to the identity."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From `carousel_paths`."""
    paths = tables["carousel_paths"]
    lstm = paths[paths["architecture"] == "lstm"]
    cases = {"start": lstm[lstm["bias"] == lstm["bias"].max()], TRAINED: lstm[lstm["when"] == TRAINED]}
    ends = {when: rows.groupby("lag").median(numeric_only=True) for when, rows in cases.items() if len(rows)}
    told, distances = "No LSTM was trained.", ""
    if "start" in ends:
        start = ends["start"]
        one, longest = start.index.min(), start.index.max()
        close = [abs(start[path][longest] - 1) < CLOSE for path in ("direct", "exact")]
        verdict = "Yes" if all(close) else "Only the direct path is" if close[0] else "No"
        told = f"""
            {verdict}. It passes {number(start["direct"][longest])} of a gradient over the longest lag, all paths
            together {number(start["exact"][longest])}.
        """
        distances = f"""
            The forget bias is {lstm["bias"].max():g} and the longest lag {_steps(longest)}. Over {_steps(one)} the
            direct path, of forget gates alone, is {number(start["direct_from_identity"][one])} from the identity, and
            all paths together {number(start["exact_from_identity"][one])}.
        """
    return Finding(
        "Is the path through an LSTM's memory close to the identity?",
        told,
        f"""
            {distances} {_of_shares(ends)} {_of_rnn(paths, labels)} The indirect paths lead through h, which g and the
            gates read. Before training gates are constant, so the indirect paths lead through g, whose matrix is
            orthogonal.
        """,
        {},
        """
            the input gate, `gated.exhibits.carousel.input_bias`: if it is nearly shut, nearly nothing reaches c through
            g, and before training the forget gates leave out as little.
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
