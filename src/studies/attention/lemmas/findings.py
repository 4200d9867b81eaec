"""Lemmas 7 to 11 and Proposition 3, as printed and as they hold."""

from collections.abc import Mapping
from typing import Any

from learnability.report.findings import Finding, listed, number, percents
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Lemmas 7 to 11 and Proposition 3, as printed and as they hold."""
    exact, gradients = tables["theory_exact"].set_index("statement"), tables["theory_parameters"]
    held = [name for name in exact.index[exact["fail"] == 0] if name.startswith("Lemma")]
    (cases,) = exact.loc[held, "cases"].unique()
    (printed,) = tables["theory_exact"].query("statement == 'Proposition 3 as printed'").to_dict("records")
    fourth = tables["theory_exact"][tables["theory_exact"]["statement"].str.contains("δ₄₀")]
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
