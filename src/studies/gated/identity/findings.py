"""Does an identity recurrence saturate?"""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, spread
from learnability.report.style import Tables
from studies.gated.identity.measure import IRRELEVANT


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From `identity_states`, `identity_readouts` and `identity_gradients`."""
    states, readouts, gradients = (tables[f"identity_{kind}"] for kind in ("states", "readouts", "gradients"))
    last = states["steps"].max()
    sizes = states.set_index(["irrelevant", "steps", "seed"])["size"].sort_index()
    growth = {kind: (sizes[kind, last] / sizes[kind, last // 2]).median() for kind in IRRELEVANT}
    slopes = states[states["steps"] == last].groupby("irrelevant")["slope"].median()
    grown = pd.Series(growth)
    told_of_growth = [f"{number(growth[kind])} ({kind})" for kind in IRRELEVANT]
    told = readouts[readouts["steps"] == last].groupby(["irrelevant", "reader"])["accuracy"].median()
    ends = gradients[gradients["lag"] == gradients["lag"].max()].groupby("scale")["log_norm"].median()
    carried = [f"{number(10**norm)} (U × {scale:g})" for scale, norm in ends.items() if scale]
    return Finding(
        "Do irrelevant inputs saturate an identity recurrence?",
        f"""
            {"No" if grown.min() > 1 else "Yes"}. Its state keeps growing, by a factor of {spread(grown)} when the
            irrelevant steps double.
        """,
        f"""
            From {last // 2} to {last} irrelevant steps the factor is {listed(told_of_growth)}. A state to which inputs
            are only added has no bound at which it could saturate. A readout of the state recalls
            {percent(told["distractors", "state"])} of the symbols behind distractors with inputs of their own, and
            {percent(told["noise", "state"])} behind noise in all inputs. Seen through tanh, as the memory of an LSTM
            is, the state may saturate: the slope 1 − tanh²(h) is then {_of(slopes)}, and a readout of tanh(h) recalls
            {percent(told["distractors", "exposed"])} behind distractors and {percent(told["noise", "exposed"])} behind
            noise. A readout of an RNN's state recalls {percent(told["distractors", "rnn"])} and
            {percent(told["noise", "rnn"])}; the chance level is {percent(readouts["chance"].iloc[0])}. Gradients over
            {gradients["lag"].max()} steps have norm {number(10 ** ends[0.0])} in the identity recurrence, and in RNNs
            {listed(carried)}.
        """,
        {},
        """
            the number of units, `gated.exhibits.identity.hidden_size`: with fewer units than inputs, distractors have
            no directions of their own and hide the symbol too.
        """,
        ("", "identity"),
        [("", "identity_readouts"), ("", "identity_states"), ("", "identity_gradients")],
    )


def _of(slopes: "pd.Series[float]") -> str:
    return listed(f"{number(slopes[kind])} ({kind})" for kind in IRRELEVANT)
