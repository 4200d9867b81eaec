"""Statements of the paper's appendix, computed."""

from typing import Any

from learnability.report.typeset import with_pages
from studies.attention.theory_tables import tabulate


def make(root_seed: int) -> dict[str, Any]:
    """Tables of the theory and their pages."""
    return with_pages({f"theory_{name}": table for name, table in tabulate(root_seed).items()})
