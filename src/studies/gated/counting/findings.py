"""Section 10: whether an LSTM counts where a GRU does not, at equal numbers of parameters."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, number, percent, spread
from learnability.report.style import Tables
from studies.gated.counting.measure import CELLS, LIMIT, TABLES

MORE = 0.05
"""Difference of shares that counts, as in the claims."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From the n that each network tells right."""
    runs, right = (tables[name] for name in TABLES)
    chosen = runs[runs["chosen"]].set_index("architecture")
    longest = int(runs["trained_up_to"].iloc[0])
    beyond = right[(right["n"] > longest) & (right["n"] <= LIMIT * longest)]
    shares = beyond.groupby(["architecture", "seed"])["right"].mean()
    gain = (shares["lstm"] - shares["gru"]).to_numpy()
    agree = float((gain >= MORE).mean())
    verdict = "Yes" if agree >= 0.8 else "In part" if agree > 0 else "No"
    medians = shares.groupby("architecture").median()
    told = [
        f"{spread(rows['right_up_to'])} ({labels[name]}, {rows['parameters'].iloc[0]} parameters)"
        for name, rows in ((name, chosen.loc[[name]]) for name in CELLS)
    ]
    learned = [f"{percent(chosen.loc[[name], 'trained_right'].median())} ({labels[name]})" for name in CELLS]
    at_edge = int(chosen["rate"].isin([runs["rate"].min(), runs["rate"].max()]).sum())
    return Finding(
        "Does an LSTM count, where a GRU of as many parameters does not?",
        f"""
            {verdict}. Beyond the trained lengths the LSTM is right for {percent(medians["lstm"])} of n, the GRU for
            {percent(medians["gru"])}.
        """,
        f"""
            Networks are trained on every n from 1 to {longest} and say at each b whether the b's end there; an n is
            right if all its b's are. Shares are medians over {chosen.groupby("architecture").size().iloc[0]} seeds, of
            n from {longest + 1} to {LIMIT * longest:.0f}. Without a gap they are right up to n of {listed(told)},
            smallest to largest seed. Of the n that were trained on they tell
            {listed(learned)} right. The LSTM is ahead of the GRU by 5 points or more in {percent(agree)} of the seeds.
            The RNN is right for {percent(medians["rnn"])} of the longer n. A count needs a state without bound: the
            memory c of an LSTM has none, and the state of a GRU and of an RNN lies between -1 and 1. Within a bound a
            network may still count as far as its digits go.
            Each network is taken at the best of {number(runs["rate"].nunique())} learning rates, by its loss on the n
            that it is trained on; {at_edge} of {len(chosen)} best rates are the smallest or the largest that was tried.
        """,
        {},
        """
            `gated.exhibits.counting.epochs`: networks that are trained longer may count further. And `longest_trained`:
            a short range can be learned without counting.
        """,
        ("", "counting"),
        tuple(("", name) for name in TABLES),
    )
