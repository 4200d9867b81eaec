"""Questions of the study and their answers; every number is in a table."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, percents
from learnability.report.sensitive import with_searched
from studies.attention import dense_findings, screening_findings, trained_findings, window_findings
from studies.attention.games import findings as games_findings

INTRODUCTION = """
    In a recurrent network with attention a gradient crosses time in two ways: step by step, and along links of
    attention. The paper bounds the gradient that arrives. This page computes each of its statements and compares it
    with automatic differentiation, exact fractions or long recursions. V is the matrix by which one state enters the
    next, λ one of its eigenvalues, T the length of a sequence. In MemRNN and MemLSTM each state attends to all past
    states. In RelRNN and RelLSTM it attends to the last ν states, the short-term buffer, and to the ρ past states with
    the largest attention so far, the relevant set. SAB adds attention to the few states of largest weight to an LSTM.
    orth-RNN and expRNN have an orthogonal V, and GORU has gates and an orthogonal V. h-detach is an LSTM whose gradient
    through the hidden state is cut at random steps. `snakemake --configfile config/attention/full.yaml` makes the page.
    """
NAMED = (-0.9, -0.5, 0.5, 0.7)
"""Eigenvalues of which the page has a number."""
KEPT = 0.9
"""Share of what arrives at the shortest T from which it counts as kept at the longest."""
SQUARE = 0.5
"""Share of the part with T² from which a cost is said to go with the square."""
SEARCHED_AT = "at a small size, of one seed"
"""The size of `workflow/rules/attention/search.smk`."""
Tables = Mapping[str, pd.DataFrame]


def expansions(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Propositions 1 and 2 beside automatic differentiation."""
    table = tables["paths"]
    worst = {name: number((table[name] / table["total"]).max()) for name in ("by_paths", "by_closed_form")}
    last = table[table["lag"] == table["lag"].max()]
    first, *_ = last["network"].unique()
    *_, deepest = last[last["network"] == first].sort_values("norm").to_dict("records")
    return Finding(
        "Is the gradient a sum over paths, as Propositions 1 and 2 say?",
        f"""
            Yes. The sum over paths differs from automatic differentiation by at most {worst["by_paths"]} of its size.
        """,
        f"""
            A path of depth s is s jumps from one time to a later one. The closed form (Corollary 1), with derivatives
            of attention by hand, has an error of at most {worst["by_closed_form"]}. The lags reach
            {last["lag"].max()} steps, in {table["network"].nunique()} networks. Across the longest lag of the network
            '{first}' the {deepest["paths"]} paths of depth {deepest["depth"]} add most. A jump need not cross the
            recurrence: if attention depends on the state, a path of depth s has at most s Jacobians, not exactly s.
        """,
        {},
        "the direction of the Jacobian in Lemma 2, which is printed the wrong way round.",
        ("", "theory_paths"),
    )


def uniform_attention(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Theorem 1: powers of T that were foretold, beside those that were fitted."""
    table = tables["exponents"]
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
        tables["spectra"].query("mix == 'sum' and spectrum == @name").to_dict("records")[0]
        for name in ("negative", "one of four in the disc")
    )
    networks = tables["networks"].query("gain > 0")
    departing = (networks["fitted"] - networks["by_recursion"]).abs().max()
    return Finding(
        "Does uniform attention keep the gradient from falling faster than 1/T, as Theorem 1 says?",
        f"""
            {"Not for every V" if len(faster) else "Yes"}. It falls faster for {len(faster)} of {len(of_sum)}
            eigenvalues, but never faster than T^−1.5.
        """,
        f"""
            The paper's conclusion stands: the gradient falls polynomially, where a recurrence alone falls
            exponentially. The power of T is Re(1/(1−λ)) − 2, and Re(1/(1−λ)) > ½ in the unit disc, so Ω(T^−1.5) holds
            for every normal V with |λ| < 1. The theorem's Ω(1/T) holds if some eigenvalue of V lies in the disc
            |λ − ½| ≤ ½. The steepest measured fall is T^{faster["fitted"].min():.2f}. The fitted power (and in
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


def proof(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Proposition 4's coefficient, Lemma 12's rest, and sums that are cut."""
    coefficients, gaps, cut = tables["coefficients"], tables["gaps"], tables["truncations"]
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


def sparse_attention(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Theorem 2: what arrives over T, its law in depth and sparsity, and the eigenvalue that it requires."""
    chains, lengths = tables["chains"], tables["lengths"]
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


def lemmas(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Lemmas 7 to 11 and Proposition 3, as printed and as they hold."""
    exact, gradients = tables["exact"].set_index("statement"), tables["parameters"]
    held = [name for name in exact.index[exact["fail"] == 0] if name.startswith("Lemma")]
    (cases,) = exact.loc[held, "cases"].unique()
    (printed,) = tables["exact"].query("statement == 'Proposition 3 as printed'").to_dict("records")
    fourth = tables["exact"][tables["exact"]["statement"].str.contains("δ₄₀")]
    of_8 = gradients[gradients["lemma"] == 8]
    return Finding(
        "Which lemmas hold exactly?",
        f"""
            {listed(held)} hold exactly; Lemma 8 and Proposition 3 hold once a slip is corrected.
        """,
        f"""
            They hold in all of {cases} cases each, in exact fractions; Lemma 7 holds to rounding. The gradients of the
            parameters by Lemmas 7 and 8 differ from automatic differentiation by at most
            {number(gradients["error"].max())}. With the slope of the activation one step late, as Lemma 8 prints it,
            they differ by {percents(of_8["error_as_printed"])}. Proposition 3 sums over tuples in any order;
            over tuples that do not rise, as printed, it fails in {_cases(printed)} cases, from degree
            {printed["first_failure"]:.0f} on. The example δ₄₀ of Lemma 9 is printed twice, and wrong in
            {listed(map(_cases, fourth.to_dict("records")))} cases.
        """,
        {},
        "the random network for Lemma 8: it decides by how much a late slope is wrong, not whether it is.",
        ("", "theory_sums"),
    )


def _cases(row: Mapping[Any, Any]) -> str:
    return f"{row['fail']:.0f} of {row['cases']:.0f}"


def arriving(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """‖∂L/∂h_t‖ before training."""
    norms = tables["gradient_norms"].set_index("architecture").rename(labels)
    *_, farthest, first = norms.columns
    lost, at_first = norms[farthest].sort_values(), norms[first].sort_values()
    some = lost[np.isfinite(lost)]
    none = lost.index[~np.isfinite(lost)]
    nothing = f" In {listed(none)} the gradient is zero at most of these steps." if len(none) else ""
    start, end = farthest.split("_")[1:]
    least, largest = (listed(some.index[np.isclose(some, bound, atol=0.05)]) for bound in (some.min(), some.max()))
    return Finding(
        "How much of the gradient arrives at early steps, before training?",
        f"""
            Between {number(10.0 ** some.min())} ({least}) and {number(10.0 ** some.max())} ({largest}) times the
            gradient at the last step.
        """,
        f"""
            The early steps are those {start} to {end} steps before the last. The table has log₁₀ of the factor, the
            median over these steps: it is below −5 in {(some < -5).sum()} of {len(norms)} networks, and above −2 in
            {(some > -2).sum()}.{nothing} At the very first step, the only one that the first attention sees, log₁₀ is
            at most {at_first.iloc[-1]:.1f}, in {at_first.index[-1]}. The loss is that of the ten symbols at the end of
            a denoise sequence, and the gradient takes all paths. The paper shows the same after training.
        """,
        {},
        f"""
            the steps that are compared: at the first step alone log₁₀ is {at_first.iloc[0]:.1f} in
            {at_first.index[0]}, and {at_first.iloc[1]:.1f} or more in all others.
        """,
        ("", "gradient_norms"),
    )


def costs(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Memory and time over T."""
    growth, table = (
        tables[name].set_index("architecture").rename(labels) for name in ("backward_growth", "backward_costs")
    )
    longest = table[table["steps"] == table["steps"].max()]
    kept = growth["exponent_kept"].sort_values()
    squares = growth[growth["square_kept"] > SQUARE].index
    others = kept.drop(squares)
    rest = f", and at most as T^{others.max():.2f} for the others" if len(others) else ""
    told = [
        f"{name} {growth.loc[name, 'exponent_kept']:.2f} ({percent(growth.loc[name, 'square_kept'])})"
        for name in kept.index
    ]
    seconds = {
        "those with T²": growth.loc[squares, "exponent_seconds"],
        "the others": growth["exponent_seconds"].drop(squares),
    }
    told_of_time = [f"{each.min():.2f} to {each.max():.2f} for {name}" for name, each in seconds.items() if len(each)]
    gaps = (growth["exponent_peak"] - growth["exponent_kept"]).abs()
    return Finding(
        "What does attention cost as sequences grow?",
        f"""
            Memory scales as T² for {listed(squares) or "none"}{rest}.
        """,
        f"""
            The local power of T of the memory that the backward pass needs (and in brackets the share of the part with
            T² at T = {longest["steps"].iloc[0]}) is {listed(told)}. At that length {longest["kept_mib"].idxmax()}
            needs {number(longest["kept_mib"].max())} MiB and {longest["kept_mib"].idxmin()}
            {number(longest["kept_mib"].min())} MiB. The power of processor time, a noisy measurement, is
            {listed(told_of_time)}.
        """,
        {},
        f"""
            what counts as memory: the peak of resident memory grows with a power that differs from these by up to
            {gaps.max():.2f}. Recomputing states in the backward pass would trade memory for time.
        """,
        ("", "backward_costs"),
    )


QUESTIONS = {
    expansions: ["theory_paths"],
    uniform_attention: ["theory_exponents", "theory_spectra", "theory_networks", "theory_relative"],
    proof: ["theory_coefficients", "theory_gaps", "theory_truncations"],
    sparse_attention: ["theory_chains", "theory_laws", "theory_lengths"],
    lemmas: ["theory_exact", "theory_parameters"],
    arriving: ["gradient_norms"],
    costs: ["backward_costs", "backward_growth"],
    **screening_findings.QUESTIONS,
    **trained_findings.QUESTIONS,
    **dense_findings.QUESTIONS,
    **window_findings.QUESTIONS,
    **games_findings.QUESTIONS,
}
"""Each question, and the tables that answer it."""


def answer(tables: Tables, labels: Mapping[str, str], searched: pd.DataFrame | None = None) -> list[Finding]:
    """All findings; a question whose tables were not made is not asked.

    Args:
        tables: of `tabulate` of the study's modules `tables`, `before_training`, `trained_tables`, `dense_tables`,
            `screening_tables` and `games.tables`, and those that these are made of; and, where networks are measured at
            stored epochs, of `window_tables`.
        labels: by architecture.
        searched: rows of a search over `studies.attention.headlines.HEADLINES`. A finding with such rows says which
            settings changed its numbers most, too.
    """
    findings = {
        question.__name__: question(tables, labels)._replace(tables=[("", name) for name in named])
        for question, named in QUESTIONS.items()
        if {name.removeprefix("theory_") for name in named} <= tables.keys()
    }
    return list(with_searched(findings, searched, SEARCHED_AT).values())
