"""Lemmas 7 to 11 and Proposition 3, as printed and as they hold, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: how many cases of a statement fail, and errors of gradients of parameters."""
    exact, gradients = tables["theory_exact"].set_index("statement"), tables["theory_parameters"]
    return {
        "cases": exact["cases"],
        "fail": exact["fail"],
        "first": exact["first_failure"],
        "error": gradients["error"].max(),
        "late": gradients.loc[gradients["lemma"] == 8, "error_as_printed"],
    }
