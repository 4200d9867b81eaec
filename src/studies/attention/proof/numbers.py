"""Proposition 4's coefficient, Lemma 12's rest, and sums that are cut, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: growth of the coefficient by λ, rests by degree and lag, and the sum cut and whole."""
    gaps, cut = tables["theory_gaps"], tables["theory_truncations"]
    coefficients = tables["theory_coefficients"].groupby("eigenvalue")
    lowest = cut[cut["eigenvalue"] == cut["eigenvalue"].min()]
    _, degree, whole = sorted(lowest["degree"].unique())
    sums = lowest.pivot(index="lag", columns="degree", values="truncated")
    return {
        "growth": coefficients["coefficient"].last() / coefficients["coefficient"].first(),
        "order": coefficients["power"].last().max(),
        "rest": gaps.pivot(index="degree", columns="lag", values="rest"),
        "first": gaps["lag"].min(),
        "last": gaps["lag"].max(),
        "eigenvalue": lowest["eigenvalue"].iloc[0],
        "degree": degree,
        "size": lowest.loc[lowest["degree"] == degree, "size"].abs().iloc[0],
        "excess": sums[degree] / sums[whole],
    }
