"""Measures of the statements that the paper proves: each reads a table of the theory, and takes the worst case.

`studies.attention.theory_tables` makes the tables. Exponents are powers of T with which a gradient goes.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from learnability.claims import Evidence, Found
from learnability.stats.fits import fit_exponential, fit_line, fit_power

FITTED_TO = 0.01
"""Distance by which a fitted exponent may miss its limit."""
RIM = 1e-9
"""Least distance from the unit circle of an eigenvalue inside of it."""


def worst_error(evidence: Evidence, at: str) -> Found:
    """Largest relative error of the gradient by the statement of column `at` (Prop. 1, Lemma 2, Corollary 1)."""
    paths = evidence.table("paths")
    return Found([(paths[at] / paths["total"]).max()])


def trend_with_depth(evidence: Evidence) -> Found:
    """Spearman's correlation of depth s ≥ 1 and ‖ξ̄(s)‖ at the longest lag, the largest over networks."""
    paths = evidence.table("paths")
    deep = paths[(paths["lag"] == paths["lag"].max()) & (paths["depth"] > 0)]
    correlations = [rows["depth"].rank().corr(rows["norm"].rank()) for _, rows in deep.groupby("network")]
    return Found([max(correlations)])


def failing_share(evidence: Evidence, at: str) -> Found:
    """Share of cases in which the statement `at` fails, in exact fractions."""
    rows = evidence.table("exact")
    row = rows[rows["statement"] == at].iloc[0]
    return Found([row["fail"] / row["cases"]], f"of {row['cases']} cases")


def error_as_printed(evidence: Evidence, at: int) -> Found:
    """Largest relative error of the parameters' gradients by Lemma `at`, as it is printed."""
    rows = evidence.table("parameters")
    return Found([rows.loc[rows["lemma"] == at, "error_as_printed"].max()])


def _of_sum(evidence: Evidence, kind: str) -> pd.DataFrame:
    """Rows with f = h + c, of which the paper's theory is."""
    table = evidence.table(kind)
    return table[table["mix"] == "sum"]


def inside(exponents: pd.DataFrame) -> pd.DataFrame:
    """Rows of `theory_exponents` of eigenvalues inside of the unit circle, each once: the grid crosses the axis."""
    rows = exponents[np.hypot(exponents["real"], exponents["imaginary"]) < 1 - RIM]
    return rows[~rows[["mix", "real", "imaginary"]].round(9).duplicated()]


def least_exponent(evidence: Evidence) -> Found:
    """Least exponent of |C_k| under uniform attention, over eigenvalues of modulus below 1."""
    table = inside(_of_sum(evidence, "exponents"))
    return Found([table["fitted"].min()], f"of {len(table)} eigenvalues")


def least_exponent_of_matrices(evidence: Evidence) -> Found:
    """Least exponent of the Frobenius norm of ds_T/dh_t, over normal matrices of spectral radius below 1."""
    table = _of_sum(evidence, "spectra")
    return Found([table["fitted"].min()], f"of {len(table)} matrices")


def least_direction(evidence: Evidence) -> Found:
    """Least exponent of the smallest singular value, over matrices whose norm falls no faster than 1/T."""
    table = _of_sum(evidence, "spectra")
    table = table[table["fitted"] >= -1 - FITTED_TO]
    return Found([table["fitted_least"].min()], f"of {len(table)} matrices")


def exponent_error(evidence: Evidence) -> Found:
    """Largest distance of a fitted exponent from that of c/T + c' T^{λ-1} (Prop. 4)."""
    table = inside(_of_sum(evidence, "exponents"))
    return Found([(table["fitted"] - np.maximum(-1, table["real"] - 1)).abs().max()], f"of {len(table)} eigenvalues")


def exponent_above_rate(evidence: Evidence) -> Found:
    """Least difference of a fitted exponent of the norm and -η (Eq. 267), over normal matrices."""
    table = _of_sum(evidence, "spectra").dropna(subset="by_paper")
    return Found([(table["fitted"] - table["by_paper"]).min()], f"of {len(table)} matrices")


def power_advantage(evidence: Evidence) -> Found:
    """R² of a power law less that of an exponential, through what arrives under uniform attention over T; the least."""
    lengths = evidence.table("lengths")
    advantages = [
        fit_power(*values).r_squared - fit_exponential(*values).r_squared
        for _, rows in lengths[lengths["attention"] == "uniform"].groupby("eigenvalue")
        for values in [(rows["length"].to_numpy(), rows["size"].to_numpy())]
    ]
    return Found([min(advantages)])


def gap_of_bounds(evidence: Evidence) -> Found:
    """Largest difference of the bounds of Lemma 10 at the longest lag, over degrees (Remark 15)."""
    gaps = evidence.table("gaps")
    return Found([gaps.loc[gaps["lag"] == gaps["lag"].max(), "bounds"].abs().max()], f"lag {gaps['lag'].max():,}")


def rest_per_decade(evidence: Evidence) -> Found:
    """Largest |log₁₀| by which (t+k) times the rest of Lemma 12 changes over the last decade of lags, degrees ≥ 1."""
    gaps = evidence.table("gaps")
    rest = gaps[gaps["degree"] > 0].pivot(index="degree", columns="lag", values="rest")
    return Found([float(np.abs(np.log10(rest.iloc[:, -1] / rest.iloc[:, -2])).max())])


def _factor(ratio: "pd.Series[float]") -> Found:
    """The worst ratio, or its inverse where that is more."""
    return Found([np.maximum(ratio, 1 / ratio).max()])


def coefficient_over_constant(evidence: Evidence) -> Found:
    """Worst factor between the coefficient of (λ ln T)^q/q! and the constant that Eq. 261 has in its place."""
    table = evidence.table("coefficients")
    return _factor(table["coefficient"] / table["as_printed"])


def truncated_over_whole(evidence: Evidence) -> Found:
    """Worst factor, at the longest lag, between the sum cut where |λ|^s is small (below 10⁻³) and all of it."""
    table = evidence.table("truncations")
    table = table[table["lag"] == table["lag"].max()].set_index("eigenvalue")
    whole = table[table["degree"] == table["degree"].max()]["truncated"]
    cut = table[(table["degree"] < table["degree"].max()) & (table["size"] < 1e-3)]["truncated"]
    return _factor(cut / whole.reindex(cut.index))


def size_over_printed(evidence: Evidence) -> Found:
    """Least |C_T| of chains over κ^{-d}, λ positive."""
    chains = evidence.table("chains")
    chains = chains[(chains["real"] > 0) & (chains["imaginary"] == 0)]
    return Found([(chains["size"] / chains["printed"]).min()], f"of {len(chains)} chains")


def _least_line(evidence: Evidence, by: str, place: Callable[["pd.Series[float]"], "pd.Series[float]"]) -> Found:
    """Least R² of log |C_T| of chains over a place of the column `by`, all else alike."""
    columns = [name for name in ("layout", "real", "imaginary", "sparsity", "depth") if name != by]
    groups = evidence.table("chains").groupby(columns)
    return Found(
        [min(fit_line(place(rows[by]).to_numpy(), np.log(rows["size"].to_numpy())).r_squared for _, rows in groups)]
    )


def exponential_in_depth(evidence: Evidence) -> Found:
    """Least R² of log |C_T| over d."""
    return _least_line(evidence, "depth", lambda depth: depth)


def power_in_sparsity(evidence: Evidence) -> Found:
    """Least R² of log |C_T| over log κ."""
    return _least_line(evidence, "sparsity", np.log)


def kept_if_positive(evidence: Evidence) -> Found:
    """Least |C_T| at the longest T over that at the shortest, of attention with a bounded depth, λ positive."""
    lengths = evidence.table("lengths")
    is_bounded = lengths["attention"].str.startswith(("held", "cancelling"))
    groups = lengths[is_bounded & (lengths["eigenvalue"] > 0)].groupby(["attention", "eigenvalue"])["size"]
    return Found([(groups.last() / groups.first()).min()], f"T = {lengths['length'].max()}")


FUNCTIONS: dict[str, Callable[..., Found]] = {
    function.__name__: function
    for function in (
        *(worst_error, trend_with_depth, failing_share, error_as_printed),
        *(least_exponent, least_exponent_of_matrices, least_direction, exponent_error, exponent_above_rate),
        *(power_advantage, gap_of_bounds, rest_per_decade, coefficient_over_constant, truncated_over_whole),
        *(size_over_printed, power_in_sparsity, exponential_in_depth, kept_if_positive),
    )
}
