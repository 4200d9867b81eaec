"""Growth of N₅₀ and of candidates with the lag."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables
from studies.ground_truth.answers import TEXT, words

GROWING = ("noise_scale, start", "gradient_step, start", "own_gradient_total, start", TEXT)
"""Candidates whose growth with the lag the page names."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """How N₅₀ grows with the lag, beside the candidates."""
    table = tables["growth"]
    laws = ["logarithm", "power", "exponential"]
    n50 = table[table["quantity"] == "n50"].to_dict("records")
    bounds = listed(f"{_growth(row)} ({row['grid']})" for row in n50)
    censored = listed(f"{row['censored']} of {row['architectures']} ({row['grid']})" for row in n50)
    fits = listed(f"{_laws(row, laws)} ({row['grid']})" for row in n50)
    first = table[table["quantity"].isin(GROWING) & (table["grid"] == n50[0]["grid"])].to_dict("records")
    others = [f"{words(row['quantity'].partition(',')[0])} {_growth(row)} ({_laws(row, laws)})" for row in first]
    infinite = [
        f"{words(row['quantity'].partition(',')[0])} in {row['infinite']}" for row in first if row["infinite"] > 0
    ]
    return Finding(
        "How does N₅₀ grow with the lag?",
        f"From the shortest to the longest lag, in the median architecture: {bounds}.",
        f"""
            N₅₀ beyond the N that were tried gives a bound of the growth alone: in {censored} architectures. R² of a
            power of the lag's logarithm, of a power of the lag and of an exponential, within architectures and on N₅₀
            inside the grid of N, is {fits}. In the grid {n50[0]["grid"]}, at initialisation, the candidates grow:
            {listed(others)}.{f" At the longest lag {listed(infinite)} architectures are infinite." if infinite else ""}
        """,
        {},
        "the range of lags, three within a factor of four, and the smallest N, which is enough for many architectures.",
        ("", "contest"),
    )


def _growth(row: Mapping[Any, Any]) -> str:
    """A ratio, or its bounds."""
    low, high = (number(10 ** row[f"decades_{end}"]) for end in ("low", "high"))
    if row["decades_low"] == row["decades_high"]:
        return f"{low}-fold"
    return f"at least {low}-fold" if np.isinf(row["decades_high"]) else f"{low}- to {high}-fold"


def _laws(row: Mapping[Any, Any], laws: Iterable[str]) -> str:
    return ", ".join(f"{law} {row[law]:.2f}" for law in laws)
