"""Losses, responses and resonances with a common divisor and without."""

import pandas as pd

from learnability.report.findings import Finding, in_words, listed, number, spread
from studies.learnability_window.evidence import Evidence

HALTED = 0.999
"""Ratio of the loss at the end of training to that at half of it. A network with more learns no more."""


def answer(evidence: Evidence) -> Finding | None:
    """How much easier a common divisor makes the task; nothing where both tasks have the same."""
    table = evidence.adamw("", "common_divisor")
    last, most, least = table["epoch"].max(), table["divisor"].max(), table["divisor"].min()
    if most == least:
        return None
    ends = [table[(table["epoch"] == last) & (table["divisor"] == each)] for each in (most, least)]
    names = listed(ends[0].index)
    shares = [name for name in map(str, table) if name.startswith("share ")]
    losses, resonant, detected = ([end[name] for end in ends] for name in ("validation_loss", "resonances", "detected"))
    return Finding(
        "How much easier does a common divisor make the task?",
        f"""
            {"Without a common divisor" if least == 1 else f"With the divisor {least}"} the loss is
            {spread(losses[1] / losses[0])} times as large ({in_words(len(ends[0]))} gates,
            {in_words(int(ends[0]["seeds"].min()))} seeds, {last} epochs).
        """,
        f"""
            The paper's lags have the common divisor {most}; the other task has lags close to them
            {"without one" if least == 1 else f"of divisor {least}"}. Networks are {names}, {spread(ends[0]["seeds"])}
            seeds of each on either task, at equal epochs. At epoch {last} the loss is {spread(losses[0])} with the
            divisor and {spread(losses[1])} without. At that epoch {spread(resonant[0])} resonances last with the
            divisor and {spread(resonant[1])} without; {spread(ends[0]["at harmonics"])} and
            {spread(ends[1]["at harmonics"])} harmonics of {most} steps have one. Of the measured lags
            {spread(detected[0])} are detected with the divisor and {spread(detected[1])} without.
        """,
        {
            **{
                f"loss, divisor {each}": end["validation_loss"].map(number)
                for each, end in zip((most, least), ends, strict=True)
            },
            **{
                f"share of the {place}. lag, divisor {each}": end[name].map(number)
                for place, name in enumerate(shares, 1)
                for each, end in zip((most, least), ends, strict=True)
            },
        },
        f"""
            `training.epochs`: {_halted(table)}. A search at the quick size would say nothing, for a common divisor does
            not help there yet, after 30 epochs.
        """,
        ("", "common_divisor"),
    )


def _halted(table: pd.DataFrame) -> str:
    """The sentence on losses that no longer fall in the second half of training."""
    last = table["epoch"].max()
    half = table.loc[table["epoch"] <= last / 2, "epoch"].max()
    middle, end = (
        table[table["epoch"] == epoch].set_index("divisor", append=True)["validation_loss"] for epoch in (half, last)
    )
    told = [f"that of {name} {_with_divisor(divisor)}" for name, divisor in end.index[end > HALTED * middle]]
    return f"all losses still fall but {listed(told)}" if told else "all losses still fall"


def _with_divisor(divisor: int) -> str:
    return "without a divisor" if divisor == 1 else f"with the divisor {divisor}"
