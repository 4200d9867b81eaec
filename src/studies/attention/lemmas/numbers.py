"""Lemmas 7 to 11 and Proposition 3, as printed and as they hold, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of `page.md.j2`: cases that fail, by statement, and errors of the gradients of parameters."""
    exact, gradients = tables["theory_exact"].set_index("statement"), tables["theory_parameters"]
    return {
        **{name: exact[name] for name in ("cases", "fail", "first_failure")},
        "errors": gradients["error"],
        "as_printed": gradients.loc[gradients["lemma"] == 8, "error_as_printed"],
    }
