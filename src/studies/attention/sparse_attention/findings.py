"""Theorem 2: what arrives over T, its law in depth and sparsity, and the eigenvalue that it requires."""

from collections.abc import Mapping

import numpy as np

from learnability.report.findings import Finding, listed, number, percent
from learnability.report.style import Tables

KEPT = 0.9
"""Share of what arrives at the shortest T from which it counts as kept at the longest."""


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Theorem 2: what arrives over T, its law in depth and sparsity, and the eigenvalue that it requires."""
    chains, lengths = tables["theory_chains"], tables["theory_lengths"]
    visited = chains[chains["layout"] == "visited"]
    share = visited["size"] / visited["printed"]
    least = share.min()
    worst, *_ = visited[share == least].to_dict("records")
    differing = number((visited["size"] / visited["bound"] - 1).abs().max())
    positive = chains[(chains["real"] > 0) & (chains["imaginary"] == 0)]
    hold = (positive["size"] >= positive["bound"] * (1 - 1e-6)).sum()
    cancelling = lengths[lengths["attention"].str.startswith("cancelling")]
    bounded = lengths[lengths["attention"].str.startswith(("held", "cancelling")) & (lengths["eigenvalue"] > 0)]
    kept = bounded.groupby(["attention", "eigenvalue"])["size"].agg(lambda size: size.iloc[-1] / size.iloc[0]).min()
    ends = cancelling[cancelling["length"] == cancelling["length"].max()].set_index("eigenvalue")["size"]
    by_chance = lengths[lengths["attention"].str.startswith("random")].set_index(["eigenvalue", "length"])["size"]
    short, long = lengths["length"].min(), lengths["length"].max()
    negative = by_chance.index.get_level_values("eigenvalue").min()
    return Finding(
        "Does sparse attention keep the gradient, and by how much, as Theorem 2 says?",
        f"""
            {"Yes" if kept >= KEPT else "No"}, if depth is bounded and an eigenvalue positive: from T = {short} to
            {long} the gradient loses {"nothing" if kept > 0.995 else f"at most {percent(1 - kept)}"}.
        """,
        f"""
            The appendix states the positive eigenvalue as a condition. κ is the number of states that each state
            attends to, and d the number of states between the first and the last along links of attention. If each
            link is used once, the gradient is (|λ|/κ)ᵈ/κ, to a relative {differing}; this is a lower bound in {hold} of
            {len(positive)} chains with a positive λ. The theorem states Ω(κ⁻ᵈ) with constant κ, d and λ, and stands;
            Remark 21 says that κ and d are for intuition. As a law in κ and d with a constant of 1, which the theorem
            does not state, κ⁻ᵈ is too large: at κ = {worst["sparsity"]}, d = {worst["depth"]} and
            |λ| = {np.hypot(worst["real"], worst["imaginary"]):g} the gradient is {number(least)} of it. A state that
            nothing attends to still contributes, through the recurrence. Attention to random states has no bounded
            depth: at λ = {negative:g} the gradient falls from {number(by_chance[negative, short])} at T = {short} to
            {number(by_chance[negative, long])} at T = {long}.
        """,
        {},
        f"""
            an eigenvalue at which paths cancel, which Remark 21 excludes as critical. For one pattern of attention with
            κ = 2 and d = 0, built for λ = −2/3, the gradient at T = {long} is
            {listed(f"{number(size)} at λ = {value:.3g}" for value, size in ends.items())}.
        """,
        ("", "theory_sparse"),
    )
