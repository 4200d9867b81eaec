"""The page to open first: all results of a preset of a study, in one file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from learnability.report.findings import HOW_SURE, Finding, numbers_of
from learnability.report.links import heading_anchor
from learnability.report.pages.caption import caption_html, caption_title
from learnability.report.pages.packed import datatables, picture, vega
from learnability.report.pages.page import beginning, download, markdown, markdown_line, page, scroller, sortable
from learnability.report.pages.play import Play
from learnability.report.pages.play import as_html as play_html
from learnability.report.pages.verdicts import as_html as chart_html
from learnability.report.pages.verdicts import points, verdict_chart
from learnability.report.scorecard import html_counts, html_groups, html_notice, html_table, verdict_table
from learnability.report.typeset import in_markdown

PAPER_SECTIONS = ("In short", "Questions", "Scorecards")
ON_PAPER = "On paper are the questions with their numbers, and what was open. All figures and tables are on the screen."
SMALL = "This run is small: the answer may differ from the stored one."
NAMES_OF_A_RUN = {"architecture", "architecture_settings", "optimizer", "optimizer_settings", "seed", "finished"}


@dataclass(frozen=True)
class Shown:
    """A picture or a table, and where in the page it belongs.

    Args:
        section: heading it stands under.
        name: which caption is its; what shares one stands together.
        reading: empty where it is of none.
        variant: what tells it from others of its name and reading; empty for the main one.
        content: bytes of a PNG, or Markdown of a table.
        data: where a table lies as CSV, from the folder of the page.
    """

    section: str
    name: str
    reading: str
    variant: str
    content: bytes | str
    data: str = ""

    @classmethod
    def read(cls, file: Path, **names: str) -> "Shown":
        """Read a PNG or Markdown from a file; `names` are all fields but the content."""
        return cls(**names, content=file.read_bytes() if file.suffix == ".png" else file.read_text("utf-8"))

    @property
    def label(self) -> str:
        """Reading and variant in words."""
        return ", ".join(filter(None, (self.reading, self.variant))).replace("_", " ")

    @property
    def is_picture(self) -> bool:
        """True for a picture, false for a table."""
        return isinstance(self.content, bytes)

    @property
    def full_name(self) -> str:
        """Name of the file, with the variant."""
        return "_".join(filter(None, (self.name, self.variant)))

    @property
    def picture(self) -> str:
        """Identifier of the picture in the page."""
        return "-".join(filter(None, ("picture", self.reading, self.full_name)))


def index_page(
    title: str,
    about: str,
    preset: str,
    notice: str,
    findings: Sequence[Finding],
    scorecards: Mapping[str, pd.DataFrame],
    conditions: Mapping[str, pd.DataFrame],
    labels: Mapping[str, str],
    shown: Sequence[Shown],
    captions: Mapping[str, str],
    configuration: str,
    trainings: Sequence[Mapping[str, Any]],
    plays: Mapping[int, Play] | None = None,
    architecture_groups: str = "",
) -> str:
    """The page: questions, scorecards, figures and tables, configuration and provenance, of these what there is.

    Args:
        title: what the study is about.
        about: the question and what was done, without its stop.
        notice: how the run differs from the paper's scale, or nothing; with one, each answer says so.
        findings: questions and answers.
        scorecards: from `learnability.claims.score`, by reading, or by an empty name in a study without readings.
        conditions: from `learnability.claims.judge_conditions`, by the same names.
        labels: names of architectures.
        shown: figures and tables in the order of the page.
        captions: reStructuredText by name.
        configuration: as YAML.
        trainings: provenance of each network.
        plays: charts to play with, by the places of their questions, 0 the first.
        architecture_groups: what the groups of the scorecards are, sentences; nothing if there is one.
    """
    plays = plays or {}
    groups: dict[str, dict[str, list[Shown]]] = {}
    for item in shown:
        groups.setdefault(item.section, {}).setdefault(item.name, []).append(item)
    titles = {name: caption_title(text) for name, text in captions.items()}
    question_links = [(f"question-{place}", finding.question) for place, finding in enumerate(findings, 1)]
    questions = [
        _question(
            name, finding, list(map(in_markdown, labels.values())), shown, notice, _play(name, finding, titles, play)
        )
        for (name, _), finding, play in zip(question_links, findings, map(plays.get, range(len(findings))), strict=True)
    ]
    verdicts = _verdicts(scorecards, conditions, labels, titles)
    scorecard_parts = [
        verdicts,
        html_groups(architecture_groups) if scorecards else "",
        *(_scorecard(reading, scores, titles, labels) for reading, scores in scorecards.items()),
    ]
    sections = [
        ("In short", [], [_in_short(question_links, findings, scorecards)]),
        ("Questions", question_links, questions),
        ("Scorecards", [(f"scorecard-{reading}", reading) for reading in scorecards if reading], scorecard_parts),
        *(
            (
                section,
                [(name, titles[name]) for name in members],
                [_entry(name, titles[name], captions[name], items) for name, items in members.items()],
            )
            for section, members in groups.items()
        ),
        ("Configuration", [], [_configuration(configuration)]),
        ("Provenance", [], [_provenance(trainings)] if trainings else []),
    ]
    full_sections = [(section, entries, parts) for section, entries, parts in sections if any(parts)]
    body = [
        '<a class="skip" href="#main">Skip to the results</a>',
        f'<div class="with-contents">\n{_contents([(section, entries) for section, entries, _ in full_sections])}',
        f'<main id="main">\n<h1>{escape(title)}</h1>',
        f"<p>{escape(about)}, preset <code>{escape(preset)}</code>.</p>\n{html_notice(notice)}",
        *(_section(section, parts) for section, _, parts in full_sections),
        f'<p class="on-paper">{ON_PAPER}</p>',
        '</main>\n</div>\n<dialog id="zoom"><button type="button" autofocus>Close</button><div></div></dialog>',
        datatables(),
        vega() if verdicts or plays else "",
    ]
    return page(f"{title}: {preset}", "\n".join(body), "index.js")


def _in_short(
    links: Sequence[tuple[str, str]], findings: Sequence[Finding], scorecards: Mapping[str, pd.DataFrame]
) -> str:
    """All answers as a table, and counts of verdicts; nothing where no page says a result."""
    if not any(finding.text for finding in findings):
        return ""
    rows = "".join(
        f'<tr><td><a href="#{name}">{escape(question)}</a></td><td>{markdown_line(finding.answer)}</td></tr>\n'
        for (name, question), finding in zip(links, findings, strict=True)
    )
    head = "<thead><tr><th>Question</th><th>Answer</th></tr></thead>"
    if scorecards:
        sentence = 'Claims of the source by verdict; each is <a href="#all-scorecards">below</a>.'
        numbers = f"{scroller('Claims by verdict')}{markdown(verdict_table(scorecards))}</div>"
        claims = f"<p>{sentence}</p>\n{numbers}"
    else:
        claims = ""
    return f"<table>{head}<tbody>\n{rows}</tbody></table>\n{claims}"


def _section(title: str, parts: Sequence[str]) -> str:
    """A heading and what is under it; paper has no more than PAPER_SECTIONS of it."""
    kind = "" if title in PAPER_SECTIONS else ' class="on-screen"'
    inner = "\n".join(parts)
    return f'<div{kind}>\n<h2 id="{_section_anchor(title)}">{title}</h2>\n{inner}\n</div>'


def _section_anchor(title: str) -> str:
    return f"all-{heading_anchor(title)}"


def _contents(sections: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> str:
    items = []
    for title, entries in sections:
        inner = "".join(f'<li><a href="#{name}">{escape(text)}</a></li>' for name, text in entries)
        items.append(f'<li><a href="#{_section_anchor(title)}">{title}</a>{f"<ul>{inner}</ul>" if inner else ""}</li>')
    lines = "\n".join(items)
    return f'<nav aria-label="Contents"><details open><summary>Contents</summary><ul>\n{lines}\n</ul></details></nav>'


def _question(
    name: str, finding: Finding, labels: Sequence[str], shown: Sequence[Shown], notice: str, play: str
) -> str:
    """Question, answer, figure, meaning, how sure it is, chart to play with; the picture is the one further down."""
    (figure,) = [item for item in shown if (item.reading, item.full_name) == tuple(finding.figure) and item.is_picture]
    first = next(item for item in shown if item.name == figure.name and item.content == figure.content)
    picture = f'<img data-like="{first.picture}" alt="{escape(finding.question)}">'
    numbers = numbers_of(finding, labels)
    inner = f"{scroller(finding.question)}{markdown(numbers)}</div>"
    more = f"{markdown(finding.rest)}{inner if numbers else ''}"
    fold = f"<details><summary>More{', with numbers' if numbers else ''}</summary>{more}</details>" if more else ""
    scale = f'<p class="notice">{SMALL}</p>\n' if notice else ""
    lead = markdown(finding.lead)
    how_sure = markdown(f"*{HOW_SURE}:* {finding.how_sure}") if finding.how_sure else ""
    return (
        f'<section class="question" aria-labelledby="{name}">\n<h3 id="{name}">{escape(finding.question)}</h3>\n'
        f'{scale}<p><strong>{markdown_line(finding.answer)}</strong></p>\n<a href="#{figure.name}">{picture}</a>'
        f"{lead}{how_sure}{fold}{play}</section>"
    )


def _play(name: str, finding: Finding, titles: Mapping[str, str], play: Play | None) -> str:
    """The chart of a question, if it has one, with links to tables for readers without scripts."""
    tables = {table: titles[table] for _, table in finding.tables if table in titles}
    return "" if play is None else play_html(play, f"play-{name}", f"To play with: {finding.question}", tables)


def _link(row: Mapping[Any, Any], titles: Mapping[str, str]) -> str:
    """Address in the page of the figure or table that shows a claim; empty if there is none."""
    name = str(row["artefact"]).partition("/")[2]
    return f"#{name}" if name in titles else ""


def _verdicts(
    scorecards: Mapping[str, pd.DataFrame],
    conditions: Mapping[str, pd.DataFrame],
    labels: Mapping[str, str],
    titles: Mapping[str, str],
) -> str:
    """The scorecards as one picture, if anything has a number."""
    with_links = {
        reading: scores.assign(link=[_link(row, titles) for row in scores.to_dict("records")])
        for reading, scores in scorecards.items()
    }
    tables = [
        points(scores, conditions[reading], labels).assign(reading=reading) for reading, scores in with_links.items()
    ]
    if all(table.empty for table in tables):
        return ""
    marks = pd.concat(tables)
    introduction = (
        "<p>Each claim is a row. A mark is what was measured of it for one architecture, the median over seeds with "
        "their range, and stands where it lies among the intervals that were set: in the middle one the claim holds. A "
        "click leads to the figure; below are the same as tables.</p>"
    )
    return f"{introduction}\n{chart_html(verdict_chart(marks, next(iter(scorecards))), 'Verdicts')}"


def _scorecard(reading: str, scores: pd.DataFrame, titles: Mapping[str, str], labels: Mapping[str, str]) -> str:
    def link(row: Mapping[Any, Any]) -> str:
        return _link(row, titles)

    heading = f'<h3 id="scorecard-{reading}">Reading <code>{escape(reading)}</code></h3>\n' if reading else ""
    return (
        f"{heading}{html_counts(scores)}"
        f"<details><summary>Claim by claim</summary>{download('/'.join(filter(None, (reading, 'scorecard.csv'))))}"
        f"{html_table(scores, reading, link, labels)}</details>"
    )


def _entry(name: str, title: str, caption: str, members: Sequence[Shown]) -> str:
    """Pictures and tables of a caption: readings beside one another, variants and tables folded, the caption."""
    pictures, tables = ([item for item in members if item.is_picture == kind] for kind in (True, False))
    parts = [f'<section aria-labelledby="{name}">\n<h3 id="{name}">{escape(title)}</h3>']
    for variant in dict.fromkeys(item.variant for item in pictures):
        inner = _side_by_side(title, [item for item in pictures if item.variant == variant])
        is_folded = variant and variant != pictures[0].variant
        summary = f"<summary>Variant: {escape(variant.replace('_', ' '))}</summary>"
        parts.append(f"<details>{summary}{inner}</details>" if is_folded else inner)
    for table, twins in _by_content(tables).items():
        label = _label(twins)
        first_rows, rows = beginning(str(table))
        inner = f"{download(twins[0].data, rows)}{sortable(f'{title}: {label}' if label else title, first_rows)}"
        parts.append(f"<details><summary>Table{escape(f', {label}' if label else '')}</summary>{inner}</details>")
    return "\n".join([*parts, f'<div class="caption">{caption_html(caption)}</div>\n</section>'])


def _by_content(members: Sequence[Shown]) -> dict[bytes | str, list[Shown]]:
    """Members by content: what readings share is shown once."""
    alike: dict[bytes | str, list[Shown]] = {}
    for item in members:
        alike.setdefault(item.content, []).append(item)
    return alike


def _label(members: Sequence[Shown]) -> str:
    return "; ".join(item.label for item in members if item.label)


def _side_by_side(title: str, members: Sequence[Shown]) -> str:
    figures = []
    for content, twins in _by_content(members).items():
        label = escape(_label(twins))
        source, width, height = picture(bytes(content))  # type: ignore[arg-type]
        figures.append(
            f'<figure><button type="button" class="zoom" aria-haspopup="dialog"><img id="{twins[0].picture}" '
            f'src="{source}" alt="{escape(title)}{f": {label}" if label else ""}" '
            f'width="{width}" height="{height}" loading="lazy" decoding="async"></button>'
            f"{f'<figcaption>{label}</figcaption>' if label else ''}</figure>"
        )
    return f'<div class="pictures">{"".join(figures)}</div>'


def _configuration(configuration: str) -> str:
    return f'<details><summary>All keys</summary><pre tabindex="0">{escape(configuration)}</pre></details>'


def _provenance(trainings: Sequence[Mapping[str, Any]]) -> str:
    """A column for each combination of host, versions and device: how many networks it trained, and when."""
    rows = []
    for training in trainings:
        origin = {key: value for key, value in training.items() if key not in NAMES_OF_A_RUN | {"versions"}}
        rows.append({key: str(value) for key, value in (origin | training["versions"]).items()})
    table = pd.DataFrame(rows).assign(finished=[str(training["finished"]) for training in trainings])
    groups = table.groupby([key for key in table if key != "finished"], sort=False, dropna=False)["finished"]
    combinations = groups.agg(networks="size", first="min", last="max").reset_index()
    cells = []
    for key in combinations:
        values = "".join(f"<td>{escape(str(value))}</td>" for value in combinations[key])
        cells.append(f'<tr><th scope="row">{escape(str(key).replace("_", " "))}</th>{values}</tr>')
    label = "Where networks were trained"
    return f"<p>{label}:</p>\n{scroller(label)}<table><tbody>{''.join(cells)}</tbody></table></div>"
