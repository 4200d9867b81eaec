"""What was asked, what came out, and which setting would undo it; every number is one of a table."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from learnability.report.findings import Finding, listed, number, percent, spread
from studies.attention import dense_findings, screening_findings, trained_findings, window_findings
from studies.attention.games import findings as games_findings

INTRODUCTION = """
    A recurrent network whose state attends to all former ones has more than one path by which a gradient may cross
    time: step by step, or by a link of attention. A paper bounds what arrives. Here each of its statements is computed,
    and held against automatic differentiation, exact fractions or long recursions. V is the matrix by which one state
    enters the next, λ one of its eigenvalues, T the length of a sequence. Networks are measured before training, and
    then trained. In MemRNN and MemLSTM each state attends to all former ones; in RelRNN and RelLSTM to the last ν, the
    short-term buffer, and to the ρ of all former ones that were attended to most, the relevant set; SAB adds to an LSTM
    attention to the few states of largest weight. orth-RNN and expRNN have an orthogonal V, GORU has gates and an
    orthogonal V, and h-detach is an LSTM whose gradient through the hidden state is cut at random steps.
    `snakemake --configfile config/attention/full.yaml` makes all of this.
    """
NAMED = (-0.9, -0.5, 0.5, 0.7)
"""Eigenvalues of which the page has a number."""
KEPT = 0.9
"""Share of what arrives at the shortest T from which it counts as kept at the longest."""
SQUARE = 0.5
"""Share of the part with T² from which a cost is said to go with the square."""
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
            Yes: the sum over all paths differs from automatic differentiation by at most {worst["by_paths"]} of it,
            in {listed(f"'{name}'" for name in table["network"].unique())} networks at lags up to {last["lag"].max()}.
        """,
        f"""
            A path of depth s is s jumps from one time to a later one. In closed form (Corollary 1), with the
            derivatives of attention by hand, the error is at most {worst["by_closed_form"]}. Across
            {last["lag"].max()} steps of the network '{first}' paths of depth {deepest["depth"]}, {deepest["paths"]}
            of them, add most. A jump need not cross the recurrence: where attention depends on the state, a path of
            depth s has at most s Jacobians, not exactly s.
        """,
        {},
        "The Jacobian that Lemma 2 prints, of the state by the hidden state: it is of the hidden state by the state.",
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
            Not for every V: of {len(of_sum)} eigenvalues {len(faster)} fall faster. None falls faster than T^-1.5, so
            the fall stays polynomial.
        """,
        f"""
            The theorem holds if some eigenvalue of V lies in the disc |λ - ½| ≤ ½. The steepest fall that was measured
            is T to the {faster["fitted"].min():.2f}. The power of T is Re(λ/(1-λ)) - 1, or Re(1/(1-λ)) - 2, and
            Re(1/(1-λ)) > ½ in the unit disc: so Ω(T^-1.5) holds for every normal V with |λ| < 1. What the paper
            concludes, a polynomial fall where a recurrence alone falls exponentially, stands. Fitted and foretold, the
            power is {listed(told)}. The largest difference is
            {number(errors.max())}, where the power is {number(worst["predicted"])}; in 95 % of cases it is below
            {number(errors.quantile(0.95))}. Where |λ - ¾| < ¼ the gradient grows with T, as for {len(growing)} of
            those that were tried. A matrix with four negative eigenvalues has the power {negative["fitted"]:.2f}
            where the paper has {negative["by_paper"]:.2f} or more. One eigenvalue in the disc saves the norm,
            {mixed["fitted"]:.2f}, and the gradient of every loss with a part along its direction; a loss whose gradient
            lies along another one alone sees {mixed["fitted_least"]:.2f}. Where an alignment function makes attention
            depart from uniform, which the theorem does not cover, the power changes by up to {departing:.2f}.
        """,
        {},
        """
            How the earlier time t grows: where it is a fixed share of T, the theorem holds at every λ. And how state
            and context are mixed: with the mean of both in place of their sum, as in the authors' code, the disc is
            |λ - 1| ≤ 1.
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
        f"""
            In Proposition 4, which takes the coefficient of (λ ln T)^q/q! for one constant: it goes as (1-λ) to the
            -(q+2), and is {listed(growth)}.
        """,
        f"""
            With the coefficient kept, the proof gives the right power: T^λ becomes T to the λ/(1-λ), and with it
            Ω(T^-1.5) in place of Ω(1/T). Before that, the
            upper and lower bounds of Lemma 10 do not meet (Remark 15), so that what Lemma 12 has between two
            constants goes from {number(rest[3, first])} at lag {first} to {number(rest[3, last])} at lag
            {number(last)} for sums of degree 3; the lemma is right at degree 2 alone. And the sum may not be cut at a
            degree at which the power of λ is small: at λ = {lowest["eigenvalue"].iloc[0]:g}, where λ to the {degree}
            is {number(abs(size))}, the sum to degree {degree} is {number(sums[degree, last] / sums[whole, last])}
            times the whole at lag {number(last)}.
        """,
        {},
        f"""
            The lag: at lag {first} the sum that is cut at degree {degree} is still the whole, to a relative
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
            {"Yes" if kept >= KEPT else "No"}, if one eigenvalue is positive, as its appendix requires: at T = {long} at
            least {percent(kept)} arrives of what arrives at T = {short}.
        """,
        f"""
            κ is the number of states that each state attends to, d the number of states on the way by which attention
            alone leads from the first to the last. Where each link is used once, (|λ|/κ)ᵈ/κ is what arrives, to a
            relative {differing}; it is a lower bound in {hold} of {len(positive)} chains with a positive λ. The theorem
            has Ω(κ⁻ᵈ) with κ, d and λ as constants, and stands; by Remark 21 κ and d are for intuition. Read as a law
            in κ and d with a constant of 1, which the theorem does not state, κ⁻ᵈ is too large: at
            κ = {worst["sparsity"]}, d = {worst["depth"]} and |λ| = {np.hypot(worst["real"], worst["imaginary"]):g}
            {number(least)} of it arrives. A state
            that nothing attends to still contributes, by recurrence. Attention to random states has no bounded depth:
            at λ = {negative:g} its size goes from {number(by_chance[negative, short])} at T = {short} to
            {number(by_chance[negative, long])} at T = {long}.
        """,
        {},
        f"""
            An eigenvalue at which paths cancel, of the kind that Remark 21 excludes as critical. Of one attention with
            κ = 2 and d = 0, built for λ = -2/3, at T = {long},
            {listed(f"{number(size)} arrives at λ = {value:.3g}" for value, size in ends.items())}.
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
            {listed(held)} do, in all of {cases} cases each, in exact fractions, and Lemma 7 to rounding; Lemma 8 and
            Proposition 3 do once a slip is mended.
        """,
        f"""
            The gradients of the parameters by Lemmas 7 and 8 differ from automatic differentiation by at most
            {number(gradients["error"].max())}; with the slope of the activation where Lemma 8 prints it, a step late,
            by {spread(of_8["error_as_printed"], percent)}. Proposition 3 sums over tuples in any order; over those
            that do not rise, as printed, it fails in {_cases(printed)} cases, from degree
            {printed["first_failure"]:.0f} on. The example δ₄₀ of Lemma 9 is printed twice, and wrong in
            {listed(map(_cases, fourth.to_dict("records")))} cases.
        """,
        {},
        "The network that is drawn for Lemma 8: by how much a late slope misses depends on it, not whether it does.",
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
    nothing = f" At most of these steps nothing at all arrives in {listed(none)}." if len(none) else ""
    start, end = farthest.split("_")[1:]
    least, largest = (listed(some.index[np.isclose(some, bound, atol=0.05)]) for bound in (some.min(), some.max()))
    return Finding(
        "What of a gradient arrives at early steps, before training?",
        f"""
            {start} to {end} steps before the last, the gradient of the answers is 10 to the {some.min():.1f} ({least})
            to 10 to the {some.max():.1f} ({largest}) times that at the last step.
        """,
        f"""
            log₁₀ of that factor, the median over these steps, is
            {listed(f"{value:.1f} for {name}" for name, value in some.items())}.{nothing} At the very first step, whose
            state is the only one that the first attention sees, it is at most {at_first.iloc[-1]:.1f}, for
            {at_first.index[-1]}. The loss is that of the ten answers at the end of a denoise sequence, and a gradient
            takes every path there is. The paper draws the same after training.
        """,
        {},
        f"""
            Which steps count: at the first alone, {at_first.index[0]} has {at_first.iloc[0]:.1f}, and all others
            {at_first.iloc[1]:.1f} or more.
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
    rest = f"; for the others it goes with T to the {others.min():.2f} to {others.max():.2f}" if len(others) else ""
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
            Memory goes with the square of T for {listed(squares) or "none"}{rest}.
        """,
        f"""
            The power of T with which what is kept for the backward pass grows at the end, and the share of the part
            with T² at T = {longest["steps"].iloc[0]}, is {listed(told)}. There {longest["kept_mib"].idxmax()}
            keeps {number(longest["kept_mib"].max())} MiB and {longest["kept_mib"].idxmin()}
            {number(longest["kept_mib"].min())}. The power of processor time, a noisy measurement, is
            {listed(told_of_time)}.
        """,
        {},
        f"""
            What counts as memory: the peak of resident memory grows with a power that differs from these by up to
            {gaps.max():.2f}. And who differentiates: recomputing states in the backward pass would trade it for time.
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


def answer(tables: Tables, labels: Mapping[str, str]) -> list[Finding]:
    """All findings; a question whose tables were not made is not asked.

    Args:
        tables: of `tabulate` of the study's modules `tables`, `before_training`, `trained_tables`, `dense_tables`,
            `screening_tables` and `games.tables`, and those that these are made of; and, where networks are measured at
            stored epochs, of `window_tables`.
        labels: by architecture.
    """
    return [
        question(tables, labels)._replace(tables=[("", name) for name in named])
        for question, named in QUESTIONS.items()
        if {name.removeprefix("theory_") for name in named} <= tables.keys()
    ]
