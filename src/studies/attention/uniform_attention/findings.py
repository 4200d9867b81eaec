"""Theorem 1: predicted and fitted powers of T."""

from collections.abc import Mapping

import numpy as np

from learnability.report.findings import Finding, listed, number
from learnability.report.style import Tables

NAMED = (-0.9, -0.5, 0.5, 0.7)
"""Eigenvalues of which the page has a number."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Theorem 1: predicted and fitted powers of T."""
    table = tables["theory_exponents"]
    inside = table[np.hypot(table["real"], table["imaginary"]) < 1 - 1e-9]
    inside = inside[~inside[["mix", "real", "imaginary"]].round(9).duplicated()]  # circle and axis cross
    of_sum = inside[inside["mix"] == "sum"]
    faster, growing = of_sum[~of_sum["holds"]], of_sum[of_sum["grows"]]
    errors = inside["error"].abs()
    *_, worst = inside.sort_values("error", key=abs).to_dict("records")
    real = of_sum[(of_sum["imaginary"].abs() < 1e-9) & of_sum["real"].isin(NAMED)].drop_duplicates("real")
    told = [
        f"{row['fitted']:.3f} ({row['predicted']:.3f}) at λ = {row['real']:g}"
        for row in real.sort_values("real").to_dict("records")
    ]
    negative, mixed = (
        tables["theory_spectra"].query("mix == 'sum' and spectrum == @name").to_dict("records")[0]
        for name in ("negative", "one of four in the disc")
    )
    networks = tables["theory_networks"].query("gain > 0")
    departing = (networks["fitted"] - networks["by_recursion"]).abs().max()
    verdict = "Not for every V. For eigenvalues outside a disc it falls faster, but" if len(faster) else "Yes, and"
    return Finding(
        "Does uniform attention keep the gradient from falling faster than 1/T, as Theorem 1 says?",
        f"""
            {verdict} never faster than T^−1.5.
        """,
        f"""
            The paper's conclusion stands: the gradient falls polynomially, where a recurrence alone falls
            exponentially. The power of T is Re(1/(1−λ)) − 2, and Re(1/(1−λ)) > ½ in the unit disc, so Ω(T^−1.5) holds
            for every normal V with |λ| < 1. The theorem's Ω(1/T) holds if some eigenvalue of V lies in the disc
            |λ − ½| ≤ ½, which covers a quarter of the unit disc. Of {len(of_sum)} eigenvalues that were tried
            {len(faster)} fall faster, the steepest as T^{faster["fitted"].min():.2f}. The fitted power (and in
            brackets the predicted one) is {listed(told)}. The largest difference is {number(errors.max())}, where the
            power is {number(worst["predicted"])}; in 95 % of cases it is below {number(errors.quantile(0.95))}. Where
            |λ − ¾| < ¼ the gradient grows with T, as for {len(growing)} of the tried eigenvalues. A matrix with four
            negative eigenvalues has the power {negative["fitted"]:.2f}; the paper predicts {negative["by_paper"]:.2f}
            or more. One eigenvalue in the disc is enough for the norm ({mixed["fitted"]:.2f}), but a loss whose
            gradient lies along another eigenvector alone falls with the power {mixed["fitted_least"]:.2f}. Where an
            alignment function makes attention depart from uniform, which the theorem does not cover, the power changes
            by up to {departing:.2f}.
        """,
        {},
        """
            how the earlier time t grows with T (if it is a fixed share of T, the theorem holds at every λ), and how
            state and context are mixed (with their mean in place of their sum, as in the authors' code, the disc is
            |λ − 1| ≤ 1).
        """,
        ("", "theory_exponents"),
    )
