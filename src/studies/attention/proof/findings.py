"""Proposition 4's coefficient, Lemma 12's rest, and sums that are cut."""

from collections.abc import Mapping

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Proposition 4's coefficient, Lemma 12's rest, and sums that are cut."""
    coefficients, gaps, cut = tables["theory_coefficients"], tables["theory_gaps"], tables["theory_truncations"]
    growth = [
        f"{number(rows['coefficient'].iloc[-1] / rows['coefficient'].iloc[0])} times as large at q = "
        f"{rows['power'].max()} as at q = 0 for λ = {eigenvalue:g}"
        for eigenvalue, rows in coefficients.groupby("eigenvalue")
    ]
    rest = gaps.set_index(["degree", "lag"])["rest"]
    first, last = gaps["lag"].min(), gaps["lag"].max()
    lowest = cut[cut["eigenvalue"] == cut["eigenvalue"].min()]
    _, degree, whole = sorted(lowest["degree"].unique())
    sums = lowest.set_index(["degree", "lag"])["truncated"]
    size = lowest.loc[lowest["degree"] == degree, "size"].iloc[0]
    return Finding(
        "Where does the proof of Theorem 1 fail?",
        """
            In Proposition 4, which treats a coefficient as a constant although it depends exponentially on the order.
        """,
        f"""
            The coefficient of (λ ln T)^q/q! scales as (1−λ)^−(q+2). It is {listed(growth)}. With the coefficient kept,
            the proof gives the right power: T^λ becomes T^(λ/(1−λ)), and Ω(1/T) becomes Ω(T^−1.5). Two other steps
            fail as well. The upper and lower bounds of Lemma 10 do not meet (Remark 15): the quantity that Lemma 12
            puts between two constants grows from {number(rest[3, first])} at lag {first} to {number(rest[3, last])} at
            lag {number(last)} for sums of degree 3, and the lemma is right at degree 2 alone. The sum may not be cut
            at a degree at which the power of λ is small: at λ = {lowest["eigenvalue"].iloc[0]:g} and degree {degree},
            where the power of λ is {number(abs(size))}, the cut sum is
            {number(sums[degree, last] / sums[whole, last])} times the whole at lag {number(last)}.
        """,
        {},
        f"""
            the lag. At lag {first} the sum that is cut at degree {degree} still equals the whole, to a relative
            {number(abs(sums[degree, first] / sums[whole, first] - 1))}.
        """,
        ("", "theory_sums"),
    )
