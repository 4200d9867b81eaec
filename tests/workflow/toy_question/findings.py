"""How long a leaky unit remembers; every number is one of a table."""

from collections.abc import Mapping

from learnability.report.findings import Finding
from learnability.report.style import Tables


def answer(tables: Tables, labels: Mapping[str, str]) -> Finding:
    """From half-lives."""
    longest = tables["leak_steps"]["steps"].max()
    return Finding(
        "How long does a leaky unit remember?",
        f"Half of its state is left after {longest:.1f} steps at most.",
        "The half-life is log 2 over -log(1 - a).",
        {},
        "",
        ("", "leak"),
        (("", "leak_steps"),),
    )
