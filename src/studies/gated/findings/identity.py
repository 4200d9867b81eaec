"""Does an identity recurrence saturate?"""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent
from learnability.report.style import Tables
from studies.gated.exhibits.identity import IRRELEVANT


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From `identity_states`, `identity_readouts` and `identity_gradients`."""
    states, readouts, gradients = (tables[f"identity_{kind}"] for kind in ("states", "readouts", "gradients"))
    last = states["steps"].max()
    sizes = states.set_index(["irrelevant", "steps", "seed"])["size"].sort_index()
    growth = {kind: (sizes[kind, last] / sizes[kind, last // 2]).median() for kind in IRRELEVANT}
    slopes = states[states["steps"] == last].groupby("irrelevant")["slope"].median()
    grown = [f"{number(growth[kind])} times ({kind})" for kind in IRRELEVANT]
    told = readouts[readouts["steps"] == last].groupby(["irrelevant", "reader"])["accuracy"].median()
    ends = gradients[gradients["lag"] == gradients["lag"].max()].groupby("scale")["log_norm"].median()
    carried = [f"{number(10**norm)} (U × {scale:g})" for scale, norm in ends.items() if scale]
    return Finding(
        "Do irrelevant inputs saturate an identity recurrence?",
        f"""
            From {last // 2} to {last} irrelevant steps its state grows {listed(grown)}; a readout of it tells
            {percent(told["distractors", "state"])} of the symbols behind distractors with inputs of their own and
            {percent(told["noise", "state"])} behind noise in all inputs.
        """,
        f"""
            A state that is only added to has no bound at which it could saturate. Seen through tanh, as an LSTM's
            memory is, it may: the slope 1 - tanh²(h) is then {_of(slopes)}, and a readout of tanh(h) tells
            {percent(told["distractors", "exposed"])} of the symbols behind distractors,
            {percent(told["noise", "exposed"])} behind noise. From an RNN's state it is
            {percent(told["distractors", "rnn"])} and {percent(told["noise", "rnn"])}; a guess tells
            {percent(readouts["chance"].iloc[0])}. Gradients over {gradients["lag"].max()} steps have norm
            {number(10 ** ends[0.0])} in the identity recurrence, and in RNNs {listed(carried)}.
        """,
        {},
        """
            The units, `gated.exhibits.identity.hidden_size`: with fewer of them than inputs, distractors have no
            directions of their own, and hide the symbol too.
        """,
        ("", "identity"),
        [("", "identity_readouts"), ("", "identity_states"), ("", "identity_gradients")],
    )


def _of(slopes: "pd.Series[float]") -> str:
    return listed(f"{number(slopes[kind])} ({kind})" for kind in IRRELEVANT)
