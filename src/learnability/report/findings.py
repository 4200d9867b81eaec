"""Findings of a study as a page: question, answer, one figure, numbers, and the settings that would change it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, SupportsFloat, SupportsInt

import numpy as np
import pandas as pd

from learnability.core.errors import InputError, in_one_line
from learnability.report.links import heading_anchor
from learnability.report.typeset import as_markdown as table_as_markdown

HOW_SURE = "How sure"
"""Heading of what an answer stands on."""
SHARE = ", %"
"""Ending of words for a share."""
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Finding(NamedTuple):
    r"""A question and its answer.

    Texts are Markdown, so names in them are as of `learnability.report.typeset.in_markdown`.

    Args:
        question: in plain words.
        answer: a sentence of at most 20 words, with the one number that decides, or two that are compared.
        text: what the answer means. Pages show its first paragraph, `lead`, and fold the others, `rest`.
        rows: numbers of each architecture, by what they are.
        sensitive_to: settings that change the answer most.
        figure: reading and name of the figure that shows the answer; the reading is empty where the figure has none.
        tables: readings and names of the tables that hold the numbers; a reading is empty where the table has none.
        basis: what was measured: which networks, how many seeds, what scale; a sentence or two.

    Example:
        >>> finding = Finding("Why?", "So.", "In short.\n\nAt length.", {}, "the seed.", ("", "f"), basis="Two seeds.")
        >>> finding.lead, finding.rest, finding.how_sure
        ('In short.', 'At length.', 'Two seeds. the seed.')
    """

    question: str
    answer: str
    text: str
    rows: Mapping[str, "Mapping[str, str] | pd.Series[str]"]
    sensitive_to: str
    figure: tuple[str, str]
    tables: Sequence[tuple[str, str]] = ()
    basis: str = ""

    @property
    def lead(self) -> str:
        """The first paragraph of the text."""
        return in_lines(self.text).partition("\n\n")[0]

    @property
    def rest(self) -> str:
        """Paragraphs of the text behind the first."""
        return in_lines(self.text).partition("\n\n")[2]

    @property
    def how_sure(self) -> str:
        """What was measured, and the settings that change the answer most; nothing where the page says no result."""
        return in_lines(f"{self.basis} {self.sensitive_to}") if self.text else ""

    def in_lines(self) -> "Finding":
        """The finding with each paragraph as one line."""
        return self._replace(
            question=in_lines(self.question),
            answer=in_lines(self.answer),
            text=in_lines(self.text),
            sensitive_to=in_lines(self.sensitive_to),
            basis=in_lines(self.basis),
        )


def in_lines(text: str) -> str:
    r"""Paragraphs of a text as one line each, a blank line between two.

    Example:
        >>> in_lines("One,\n  two.\n\n Three.")
        'One, two.\n\nThree.'
    """
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def as_records(introduction: str, findings: Iterable[Finding]) -> dict[str, Any]:
    """A page of findings for JSON: `introduction` and `questions`, whose rows keep their order."""
    questions = [
        finding.in_lines()._asdict() | {"rows": [[name, dict(values)] for name, values in finding.rows.items()]}
        for finding in findings
    ]
    return {"introduction": in_lines(introduction), "questions": questions}


def from_records(records: Mapping[str, Any]) -> tuple[str, list[Finding]]:
    """Introduction and findings, from the output of `as_records`.

    Raises:
        InputError: if they are not such records.
    """
    try:
        questions = [
            Finding(**{**record, "rows": dict(record["rows"]), "figure": tuple(record["figure"])})
            for record in records["questions"]
        ]
    except (TypeError, ValueError, LookupError) as error:
        raise InputError(f"'questions' must be findings as a job writes them. Got {in_one_line(error)}.") from error
    return records["introduction"], questions


def numbers_of(finding: Finding, labels: Iterable[str]) -> str:
    """The numbers of a finding as a Markdown table, a column for each architecture in the order of `labels`."""
    rows = pd.DataFrame(finding.rows).T.fillna("")
    table = rows[[name for name in labels if name in rows]].rename_axis("").reset_index()
    return table_as_markdown(table, is_markdown=True) if finding.rows else ""


def as_markdown(
    introduction: str, findings: Iterable[Finding], labels: Iterable[str], captions: Mapping[str, str]
) -> str:
    """A page of findings: all answers as a table, then each with its figure, what it means and how sure it is.

    Further text and numbers are folded. Links are relative to the folder of the page.

    Args:
        introduction: text under the title; what is behind its first paragraph is folded.
        findings: in the order of the page.
        labels: names of architectures in Markdown, as the findings have them, in the order of columns.
        captions: Markdown, by the name of the figure.
    """
    columns = list(labels)
    parts = [(_heading(place, finding), finding.in_lines()) for place, finding in enumerate(findings, 1)]
    sections = [_section(heading, finding, columns, captions) for heading, finding in parts]
    lead, _, rest = in_lines(introduction).partition("\n\n")
    head = ["# Findings", lead, *_folded("Terms, tasks and networks", rest), _in_short(parts)]
    return "\n\n".join([*filter(None, head), "\n".join(sections)])


def _heading(place: int, finding: Finding) -> str:
    return f"{place}. {in_lines(finding.question)}"


def _in_short(parts: Sequence[tuple[str, Finding]]) -> str:
    """Headings, which lead to their sections, and answers as a Markdown table; nothing where no page says a result."""
    rows = [(f"[{heading}](#{heading_anchor(heading)})", finding.answer) for heading, finding in parts]
    table = pd.DataFrame(rows, columns=["question", "answer"])
    return table_as_markdown(table, is_markdown=True).rstrip() if any(finding.text for _, finding in parts) else ""


def _section(heading: str, finding: Finding, labels: list[str], captions: Mapping[str, str]) -> str:
    def file(reading: str, kind: str, name: str) -> str:
        return "/".join(part for part in (reading, kind, name) if part)

    reading, name = finding.figure
    links = ", ".join(f"[{name}]({file(reading, 'tables', name)}.md)" for reading, name in finding.tables)
    numbers = numbers_of(finding, labels).rstrip()
    parts = [
        f"## {heading}",
        f"**{finding.answer}**",
        f"![{finding.question}]({file(reading, 'figures', name)}.png)",
        f"<sub>{captions[name]}</sub>",
        finding.lead,
        f"*{HOW_SURE}:* {finding.how_sure}" if finding.how_sure else "",
        *_folded("More, with numbers" if numbers else "More", finding.rest, numbers),
        f"*Tables:* {links}.\n",
    ]
    return "\n\n".join(part for part in parts if part)


def _folded(summary: str, *parts: str) -> list[str]:
    """Markdown that a reader opens by a click; nothing if there is none."""
    return [f"<details markdown><summary>{summary}</summary>", *parts, "</details>"] if any(parts) else []


def signed(text: str) -> str:
    """The text of a number with a minus sign in place of a hyphen."""
    return text.replace("-", "\N{MINUS SIGN}")


def number(value: SupportsFloat) -> str:
    """Three digits, as a power of ten where there would be many noughts.

    Example:
        >>> number(-0.3614), number(12345), number(2e-9)
        ('−0.361', '12,345', '2.0 · 10⁻⁹')
    """
    value = float(value)
    if not np.isfinite(value):
        return "∞" if value > 0 else "–"
    if value != 0 and not 0.001 <= abs(value) < 1e6:
        exponent = int(np.floor(np.log10(abs(value))))
        return f"{signed(f'{value / 10.0**exponent:.1f}')} · {power_of_ten(exponent)}"
    return signed(f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}")


def power_of_ten(exponent: float) -> str:
    """10 to an exponent, rounded to a whole number."""
    return "10" + f"{exponent:.0f}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def in_words(count: SupportsInt) -> str:
    """A count as a word, up to ten.

    Example:
        >>> in_words(0), in_words(9), in_words(11)
        ('none', 'nine', '11')
    """
    return WORDS[int(count)] if 0 <= int(count) < len(WORDS) else str(count)


def percent(share: SupportsFloat) -> str:
    """A share in percent."""
    return f"{signed(f'{100 * float(share):.0f}')} %"


def percents(shares: "pd.Series[float]") -> str:
    """The range of shares in percent, from the least to the greatest."""
    return f"{spread(100 * shares, '{:.0f}'.format)} %"


def listed(values: Iterable[str]) -> str:
    """Values as a list in words: one, two and three."""
    *before, last = values
    return f"{', '.join(before)} and {last}" if before else last


def spread(values: "pd.Series[float]", form: Callable[[float], str] = number) -> str:
    """Range of values, from the least to the greatest."""
    low, high = form(values.min()), form(values.max())
    return low if low == high else f"{low} to {high}"
