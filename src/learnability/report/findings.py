"""Findings of a study as a page: a question, its answer, one figure, numbers, and which setting would undo it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, SupportsFloat

import numpy as np
import pandas as pd

from learnability.report.typeset import as_markdown as table_as_markdown


class Finding(NamedTuple):
    """A question, and what was found.

    Args:
        question: in plain words.
        answer: a sentence with the numbers that decide.
        text: what they mean.
        rows: numbers of each architecture, by what they are.
        undone_by: the one setting that would change the answer.
        figure: that shows it, by reading and name; the reading is empty where it is of none.
        tables: that hold the numbers, likewise.
    """

    question: str
    answer: str
    text: str
    rows: Mapping[str, "pd.Series[str]"]
    undone_by: str
    figure: tuple[str, str]
    tables: Sequence[tuple[str, str]] = ()


def as_markdown(findings: Iterable[Finding], labels: Iterable[str], introduction: str) -> str:
    """A page of findings, to lie in the folder of their results: question, answer, figure, numbers, what they mean.

    Args:
        labels: names of architectures, in the order of columns.
    """
    sections = [_section(place, finding, list(labels)) for place, finding in enumerate(findings, 1)]
    return "\n".join(["# Findings\n", f"{_joined(introduction)}\n", *sections])


def _joined(text: str) -> str:
    """One line."""
    return " ".join(text.split())


def _section(place: int, finding: Finding, labels: list[str]) -> str:
    def file(reading: str, kind: str, name: str) -> str:
        return "/".join(part for part in (reading, kind, name) if part)

    reading, name = finding.figure
    tables = ", ".join(f"[{name}]({file(reading, 'tables', name)}.md)" for reading, name in finding.tables)
    answer, text, undone_by = map(_joined, (finding.answer, finding.text, finding.undone_by))
    rows = pd.DataFrame(finding.rows).T.fillna("")
    ordered = rows[[name for name in labels if name in rows]].rename_axis("").reset_index()
    numbers = f"{table_as_markdown(ordered)}\n" if finding.rows else ""
    return (
        f"## {place}. {finding.question}\n\n**{answer}**\n\n"
        f"![{answer}]({file(reading, 'figures', name)}.png)\n\n{numbers}{text}\n\n"
        f"*What would undo it:* {undone_by} *Tables:* {tables}.\n"
    )


def number(value: SupportsFloat) -> str:
    """Three digits, as a power of ten where there would be many noughts."""
    value = float(value)
    if not np.isfinite(value):
        return "∞" if value > 0 else "–"
    if value != 0 and not 0.001 <= abs(value) < 1e6:
        exponent = int(np.floor(np.log10(abs(value))))
        return f"{value / 10.0**exponent:.1f} · {power_of_ten(exponent)}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def power_of_ten(exponent: float) -> str:
    """10 to an exponent, rounded to a whole number."""
    return "10" + f"{exponent:.0f}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.0f} %"


def listed(values: Iterable[str]) -> str:
    """One, two and three."""
    *before, last = values
    return f"{', '.join(before)} and {last}" if before else last


def spread(values: "pd.Series[float]", form: Callable[[float], str] = number) -> str:
    """From the least to the greatest."""
    low, high = form(values.min()), form(values.max())
    return low if low == high else f"{low} to {high}"
