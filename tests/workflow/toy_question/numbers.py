"""Half-lives of a leaky unit, for the page."""

from collections.abc import Mapping
from typing import Any

from learnability.report.style import Tables


def numbers(tables: Tables, labels: Mapping[str, str]) -> dict[str, Any]:
    """The longest half-life, in steps."""
    return {"longest": tables["leak_steps"]["steps"].max()}
