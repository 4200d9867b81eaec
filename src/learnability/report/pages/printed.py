"""A study's findings as an article to print: two columns, Typst source and the PDF that it makes.

Text comes as Markdown and captions as reStructuredText, as the pages take them. Words stand in the source as strings,
so that none of their letters means something to Typst.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from json import dumps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pandas as pd
import typst
from markdown_it import MarkdownIt
from markdown_it.token import Token
from PIL import Image

from learnability.core.errors import InputError, in_one_line
from learnability.report.findings import HOW_SURE, Finding, as_records, numbers_of
from learnability.report.pages.caption import caption_markdown
from learnability.report.scorecard import MAIN, UNTESTED, VERDICTS, count_table
from learnability.report.typeset import in_markdown

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
WIDTH, COLOURS = 1000, 48
"""Size of a picture: pixels across a column, 300 in an inch, and colours, of which few take less room."""
SOFT_HYPHEN = "\u00ad"
"""Place where a word may be broken."""
MOST_PAGES = 12
"""Pages of an article at most with figures across the page; a longer one has them within a column."""
MOST_COLUMNS = 5
"""Largest number of columns of a table within a column of the page."""
OPENS = {
    "heading_open": "#strong[",
    "strong_open": "#strong[",
    "em_open": "#emph[",
    "bullet_list_open": "#list(",
    "ordered_list_open": "#enum(",
    "list_item_open": "[",
    "th_open": "[#strong[",
    "td_open": "[",
}
CLOSES = {
    "strong_close": "];",
    "em_close": "];",
    "bullet_list_close": ");\n\n",
    "ordered_list_close": ");\n\n",
    "list_item_close": "],",
    "th_close": "]],",
    "td_close": "],",
    "table_close": ");\n\n",
    "heading_close": "];\n\n",
    "softbreak": " ",
    "paragraph_close": "\n\n",
}
LAYOUT = """\
#set page(paper: "a4", columns: 2, margin: (x: 16mm, y: 18mm), numbering: "1")
#set text(size: 8.8pt, lang: "en")
#set par(justify: true)
#set table(stroke: (x: none, y: 0.3pt), inset: (x: 2pt, y: 2.5pt))
#show table: set text(size: 6.5pt)
#show table: set par(justify: false)
#set table(align: left)
#show figure.where(kind: table): set figure.caption(position: top)
#show figure.caption: set text(size: 7pt)
#show figure.caption: set align(left)
#show heading.where(level: 1): set text(size: 11pt)
#show heading.where(level: 2): set text(size: 9pt)
#show link: set text(fill: rgb("#014a72"))
"""


class Article(NamedTuple):
    """Parts of an article.

    Args:
        title: what the study is about.
        about: the question and what was done, without its stop.
        source: what the study asks and of whom, Markdown.
        notice: how the run differs from the paper's scale, or nothing.
        introduction: of the findings, Markdown.
        method: Typst, with the formulas.
        findings: in the order of the article.
        scores: of `learnability.claims.score`; none in a study without claims.
        labels: names of architectures.
        captions: reStructuredText, by name.
        limits: Markdown, a line of title first.
        commands: that make the results again.
        groups: what the groups of architectures in `scores` are, Markdown; nothing if there is one.
    """

    title: str
    about: str
    source: str
    notice: str
    introduction: str
    method: str
    findings: Sequence[Finding]
    scores: pd.DataFrame | None
    labels: Iterable[str]
    captions: Mapping[str, str]
    limits: str
    commands: Sequence[str]
    groups: str = ""


def as_pdf(article: Article, figures: Mapping[tuple[str, str], Path]) -> bytes:
    """The article as PDF; the same article gives the same bytes.

    Args:
        figures: pictures, by reading and name, as findings have them.

    Raises:
        InputError: for a finding whose figure is not there, or a method that Typst does not take.
    """
    with TemporaryDirectory() as folder:
        for key in {finding.figure for finding in article.findings}:
            if key not in figures:
                raise InputError(f"'figure' of a finding must be one that is drawn. Got '{_name(*key)}'.")
            with Image.open(figures[key]) as picture:
                reduced(picture).save(Path(folder, f"{_name(*key)}.png"))
        try:
            text = source(article, wide=True).encode()
            pages = typst.query(text, "<pages>", "value", True, root=folder, ignore_system_fonts=True)  # type: ignore[type-var]
            text = text if int(pages) <= MOST_PAGES else source(article).encode()
            pdf: bytes = typst.compile(text, root=folder, ignore_system_fonts=True)  # type: ignore[type-var]
        except RuntimeError as error:
            raise InputError(f"The method of a study must be Typst. Got {in_one_line(error)}") from error
    return pdf


def reduced(picture: Image.Image) -> Image.Image:
    """The picture in `WIDTH` pixels and few colours, among them rare ones: dots of a family need theirs."""
    size = WIDTH, round(picture.height * WIDTH / picture.width)
    small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    return small.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)


def limits_of(study: str, limits: str, studies: Iterable[str]) -> str:
    """Limits without items that are of other studies alone, and without headings that nothing then stands below.

    Args:
        limits: Markdown; an item is of the studies that it names as code, or of all if it names none.
        studies: names of all studies.

    Example:
        >>> limits_of("a", "# Limits\\n\\n## Seeds\\n* `a` has two.\\n* `b` has\\n  one.\\n\\n## Size\\n* `b`.", "ab")
        '# Limits\\n\\n## Seeds\\n* `a` has two.\\n'
    """
    head, *sections = re.split(r"(?m)^(?=## )", limits)
    kept = []
    for section in sections:
        heading, *items = re.split(r"(?m)^(?=\* )", section)
        items = [item for item in items if study in (named := _named(item, studies)) or not named]
        kept += [heading, *items] if items else []
    return head + "".join(kept)


def _named(item: str, studies: Iterable[str]) -> set[str]:
    """Studies that an item names as code."""
    return set(re.findall(r"`(\w+)`", item)) & set(studies)


def source(article: Article, wide: bool = False) -> str:
    """The article as Typst; pictures are files beside it.

    Args:
        wide: whether figures go across both columns.
    """
    known_figures: set[str] = set()
    labels = list(map(in_markdown, article.labels))
    title = [f"#text(size: 16pt, weight: 700)[{said(article.title)}]", f"{said(article.about + '.')}"]
    if article.notice:
        title.append(f"#strong[{said(article.notice)}]")
    answers = [
        f"[{in_typst(finding.question, inline=True)}], [{in_typst(finding.answer, inline=True)}],"
        for finding in article.findings
    ]
    sections = [
        ("Question", in_typst(article.source)),
        ("Answers", f"#table(columns: (1fr, 1.4fr), {' '.join(answers)})\n"),
        ("Method", f"{in_typst(article.introduction)}{article.method}\n"),
        *(
            (finding.question, _section(finding, labels, article.captions, known_figures, wide))
            for finding in article.findings
        ),
        *(
            []
            if article.scores is None
            else [("What the source says, and what we find", _scores(article.scores, article.groups))]
        ),
        ("Limits", in_typst(article.limits.partition("\n")[2])),
        ("How to make it again", "".join(f"#raw({_string(command)}, block: true)\n" for command in article.commands)),
    ]
    body = "".join(f"= #{_string(heading)};\n{text}\n" for heading, text in sections)
    head = "\n\n".join(title)
    top = f'#place(top, scope: "parent", float: true)[#set par(justify: false)\n{head}]'
    document = (
        f"#set document(title: {_string(article.title)}, keywords: {_string(digest(article.findings))}, date: none)"
    )
    count = "#context [#metadata(counter(page).final().first()) <pages>]"
    return f"{document}\n{LAYOUT}{top}\n\n{body}{count}\n"


def digest(findings: Iterable[Finding]) -> str:
    """SHA-256 of findings, a keyword of the PDF: by it a stored article is known to tell the stored findings."""
    return sha256(dumps(as_records("", findings)).encode()).hexdigest()


def _section(
    finding: Finding,
    labels: list[str],
    captions: Mapping[str, str],
    known_figures: set[str],
    wide: bool,
) -> str:
    """A question's part; a figure in `known_figures` is referred to."""
    label, figure = _name(*finding.figure), ""
    if label not in known_figures:
        known_figures.add(label)
        picture = f"image({_string(f'{label}.png')}, alt: {_string(finding.question)})"
        caption = in_typst(_after_the_paper(caption_markdown(captions[finding.figure[1]])), inline=True)
        across = 'scope: "parent", ' if wide else ""
        figure = f"#figure({picture}, placement: auto, {across}caption: [{caption}]) <{label}>\n"
    return "\n".join(
        [
            f"#strong[{in_typst(finding.answer, inline=True)}] (@{label})\n",
            figure,
            in_typst(finding.lead),
            f"#emph[{HOW_SURE}:] {in_typst(finding.how_sure)}" if finding.how_sure else "",
            in_typst(finding.rest),
            _numbers(finding, labels),
        ]
    )


def _after_the_paper(caption: str) -> str:
    """The caption, which the article numbers itself, with a paper's own number told apart."""
    return re.sub(r"^\*\*((?:Figure|Table|Appendix) \w+)\.\*\*", r"**After the paper's \1.**", caption)


def _numbers(finding: Finding, labels: list[str]) -> str:
    """The numbers of each architecture; across the page if there are many."""
    head, *rows = numbers_of(finding, labels).splitlines(keepends=True) or [""]
    table = in_typst("".join([re.sub(r"(?<=[a-z])(?=[A-Z])", SOFT_HYPHEN, head), *rows]))
    columns = len({name for values in finding.rows.values() for name in dict(values)})
    if columns < MOST_COLUMNS:
        return table
    caption = in_typst(finding.question, inline=True)
    return f'#figure([{table}], kind: table, caption: [{caption}], placement: auto, scope: "parent")\n'


def _scores(scores: pd.DataFrame, groups: str) -> str:
    """Groups, counts of verdicts, and the claims of the main group that can be tested, by verdict."""
    claims = scores[scores["group"].eq(MAIN) if MAIN in set(scores["group"]) else scores["group"].notna()]
    claims = claims[claims["verdict"] != UNTESTED].assign(place=lambda rows: rows["verdict"].map(list(VERDICTS).index))
    rows = claims.sort_values("place", kind="stable")[["verdict", "where", "claim"]].itertuples(index=False)
    cells = "".join(f"[{said(cell)}], " for row in rows for cell in row)
    return f"{in_typst(groups)}{in_typst(count_table(scores))}#table(columns: (auto, 0.7fr, 2fr), {cells})\n"


def said(text: str) -> str:
    """A text as Typst that reads as the text."""
    return f"#{_string(text)};"


def in_typst(markdown: str, inline: bool = False) -> str:
    """Markdown as Typst: paragraphs, or without them where it stands `inline`; links lead out of the article alone."""
    if inline:
        return "".join(map(_as_typst, MARKDOWN.parseInline(markdown)[0].children or []))
    parts = []
    for token in (tokens := MARKDOWN.parse(markdown)):
        if token.type == "table_open":
            columns = sum(cell.type == "th_open" for cell in tokens)
            parts.append(f"#table(columns: (2fr, {'1fr, ' * (columns - 1)}), ")
        else:
            parts += [_as_typst(child) for child in (token.children or []) if token.type == "inline"] or [
                _as_typst(token)
            ]
    return "".join(parts)


def _as_typst(token: Token) -> str:
    if token.type == "text":
        return said(token.content)
    if token.type in ("code_inline", "code_block", "fence"):
        return f"#raw({_string(token.content)});"
    if token.type == "link_open":
        address = str(token.attrGet("href"))
        return f"#link({_string(address)})[" if address.startswith("https://") else "#["
    return OPENS.get(token.type) or CLOSES.get(token.type) or ("];" if token.type == "link_close" else "")


def _name(reading: str, name: str) -> str:
    """Name of a figure's file, and of references to it."""
    return "-".join(filter(None, (reading, name)))


def _string(text: str) -> str:
    """A string of Typst."""
    content = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{content}"'
