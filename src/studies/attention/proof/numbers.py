"""Proposition 4's coefficient, Lemma 12's rest, and sums that are cut, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: `growth` of the coefficient over the order by λ, the `rest`, and sums that are `cut`."""
    coefficients, gaps, cut = tables["theory_coefficients"], tables["theory_gaps"], tables["theory_truncations"]
    lowest = cut[cut["eigenvalue"] == cut["eigenvalue"].min()]
    _, degree, whole = sorted(lowest["degree"].unique())
    sums = lowest.set_index(["degree", "lag"])["truncated"]
    return {
        "growth": coefficients.groupby("eigenvalue")["coefficient"].agg(lambda rows: rows.iloc[-1] / rows.iloc[0]),
        "highest": coefficients["power"].max(),
        "rest": gaps.set_index(["degree", "lag"])["rest"],
        "first": gaps["lag"].min(),
        "last": gaps["lag"].max(),
        "eigenvalue": lowest["eigenvalue"].iloc[0],
        "degree": degree,
        "size": abs(lowest.loc[lowest["degree"] == degree, "size"].iloc[0]),
        "cut": sums[degree] / sums[whole],
    }
