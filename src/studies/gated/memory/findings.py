"""Sections 14 and 15: at which spectral radius memory is longest, and what a random projection is good for."""

from collections.abc import Mapping

import pandas as pd

from learnability.report.findings import Finding, number, percent, spread
from learnability.report.style import Tables
from studies.gated.memory.measure import ANYWHERE, INPUTS, RESERVOIR, TABLES, ZERO


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From memory curves, NARMA-10 and the readouts."""
    totals = tables["memory_totals"]
    scales = sorted(totals["input_scale"].unique())
    weak, strong = (_best(totals[totals["input_scale"] == scale]) for scale in (scales[0], scales[-1]))
    narma = tables["memory_narma"]
    of_inputs = narma.loc[narma["reads"] == INPUTS, "error"].median()
    by_radius = narma[narma["reads"] == RESERVOIR].groupby("radius")["error"].median()
    helps = "helps" if by_radius.min() < of_inputs else "does not help"
    return Finding(
        "At which spectral radius does a reservoir remember longest, and does it help to project at random?",
        f"""
            At {weak["radius"]:.3g} with weak and at {strong["radius"]:.3g} with strong input; a random projection
            {helps} on NARMA-10.
        """,
        f"""
            The memory capacity is {weak["capacity"]:.3g} steps with weak input and {strong["capacity"]:.3g} with strong
            input, of at most {weak["units"]:.0f}. The error on NARMA-10 is {number(by_radius.min())} of the variance at
            the best radius, {by_radius.idxmin():.3g}, and {number(of_inputs)} for a readout of as many last inputs.
            {_products(tables["memory_products"])} {_suffixes(tables)} {_practice(tables)}
        """,
        {},
        """
            `gated.exhibits.memory.capacity.input_scales`: how far the input saturates units decides how much is
            recalled, and at which radius most; and the bias, without which a reservoir has no even function of its
            inputs.
        """,
        ("", "memory"),
        tuple(("", name) for name in TABLES),
    )


def _best(totals: pd.DataFrame) -> "pd.Series[float]":
    """The radius of the largest median capacity."""
    medians = totals.groupby("radius")[["capacity", "units"]].median().reset_index()
    return medians.iloc[int(medians["capacity"].argmax())]


def _products(table: pd.DataFrame) -> str:
    explained = table.groupby("reads")["explained"].median()
    without, with_bias = explained[f"{RESERVOIR}, no bias"], explained[f"{RESERVOIR}, bias"]
    return f"""
        The reservoir as the notes write it, without a bias, is an odd function of its inputs: of the product of the
        last two, of mean 0, a readout explains {percent(without)}; with a bias {percent(with_bias)}, and one of as
        many last inputs {percent(explained[INPUTS])}.
    """


def _suffixes(tables: Tables) -> str:
    """Whether the nearest state has seen the same last symbols, least radius first."""
    shares = tables["memory_neighbours"].groupby("radius")["share"].median()
    small, large = shares.index[0], shares.index[-1]
    return f"""
        States are ordered by what was seen last: none has a longer suffix in common than the nearest one for
        {percent(shares[small])} of them at radius {small:.3g}, and for {percent(shares[large])} at {large:.3g}.
    """


def _practice(tables: Tables) -> str:
    """What inverting in place of solving does, and what washout does."""
    readouts = tables["memory_readouts"]
    least = readouts[readouts["penalty"] == readouts["penalty"].min()]
    ratio = least["error_inverted"] / least["error_solved"]
    washout = tables["memory_washout"]
    gain = {}
    for start, rows in washout.groupby("start"):
        errors = rows.pivot(index="seed", columns="washout", values="error")
        gain[start] = f"{(errors.iloc[:, 0] / errors.iloc[:, -1]).median():.2f}"
    return f"""
        At λ = {number(readouts["penalty"].min())} a readout by an inverse, as it is printed, has {spread(ratio)} times
        the error of the one that is solved for, and weights that differ by up to {number(least["difference"].max())} of
        their size. Without washout the error is {gain[ZERO]} times that with the longest one where states start at 0,
        {gain[ANYWHERE]} times where they start anywhere.
    """
