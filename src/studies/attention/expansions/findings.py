"""Propositions 1 and 2 beside automatic differentiation."""

from collections.abc import Mapping

from learnability.report.findings import Finding, number
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """Propositions 1 and 2 beside automatic differentiation."""
    table = tables["theory_paths"]
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
