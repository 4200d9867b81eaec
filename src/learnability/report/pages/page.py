"""A page of HTML, and tables in it that sort."""

import re
import sys
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from learnability.report.pages.caption import caption_html, caption_title

# What a page may load: itself and nothing else, `blob:` being what it unpacks.
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline' blob:; "
    "base-uri 'none'; form-action 'none'"
)


NUMBER = re.compile(r"[-+]?(inf|\d+\.?\d*(e[-+]?\d+)?|\.\d+)", re.IGNORECASE)
PLAIN = re.compile(r"-?\d+(\.\d+)?(e[-+]\d+)?")
BLANKS = ("", "nan")
MOST_ROWS, FIRST_ROWS = 250, 25
"""Rows up to which the index holds a table whole, and how many it has of a longer one."""
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def page(title: str, body: str, script: str = "sort.js") -> str:
    """A whole page; `body` is HTML, `script` a file of this package."""
    style, code = ((files("learnability.report.pages") / name).read_text("utf-8") for name in ("page.css", script))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f'<body>\n{body}\n<script type="module">\n{code}</script>\n</body>\n</html>\n'
    )


def table_page(caption: str, reading: str, table: str, data: str) -> str:
    """A page with one table.

    Args:
        caption: reStructuredText.
        reading: empty where the table is of none.
        table: of `learnability.report.typeset.as_markdown`.
        data: where the table lies as CSV, from the folder of the page.
    """
    title = caption_title(caption)
    of = f"<p>Reading: <code>{escape(reading)}</code>.</p>\n" if reading else ""
    body = f"<h1>{escape(title)}</h1>\n{of}{caption_html(caption)}{download(data)}{sortable(title, table)}"
    return page(title, f"<main>\n{body}\n</main>")


def markdown(text: str) -> str:
    """Markdown as HTML."""
    return MARKDOWN.render(text)


def markdown_line(text: str) -> str:
    """A line of Markdown as HTML within a paragraph."""
    return MARKDOWN.renderInline(text)


def sortable(title: str, text: str) -> str:
    """Markdown as HTML, its table in a box of its own, and sortable: numbers as numbers."""
    tokens = MARKDOWN.parse(text)
    _mark_numbers(tokens)
    # a cell ends where the next one begins, which makes pages of long tables a quarter smaller
    html = str(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})).replace("</td>\n", "")
    return html.replace("<table>", f'{scroller(title)}<table class="sortable">').replace("</table>", "</table></div>")


def beginning(table: str) -> tuple[str, int]:
    """The Markdown of a table, of a long one with its first rows alone; and how many rows the table has."""
    lines = table.splitlines(keepends=True)
    rows = [place for place, line in enumerate(lines) if line.startswith("|")][2:]
    return ("".join(lines[: rows[FIRST_ROWS]]) if len(rows) > MOST_ROWS else table), len(rows)


def download(data: str, rows: int = 0) -> str:
    """A link to a table as CSV, and that it has more rows than are shown, if it has.

    Args:
        data: where the CSV lies, from the folder of the page: it opens from a disk, too.
        rows: of the whole table.
    """
    hint = f": all {rows:,} rows, of which the first {FIRST_ROWS} are here" if rows > MOST_ROWS else ""
    return f'<p class="data"><a href="{escape(data)}" download>{escape(data)}</a>{hint}.</p>\n'


def _mark_numbers(tokens: Sequence[Token]) -> None:
    """Mark the headings of columns of numbers; cells that are more than a number get the one by which they sort."""
    columns: list[list[tuple[Token, str]]] = []
    for token, inner in pairwise(tokens):
        if token.type == "tr_open":
            column = -1
        if token.type in ("th_open", "td_open"):
            column += 1
            columns += [[]] if token.type == "th_open" else []
            columns[column].append((token, inner.content.strip()))
    for (head, _), *cells in columns:
        orders = [number(text) for _, text in cells]
        if any(orders) and None not in orders:
            head.attrSet("class", "number")
            if not all(PLAIN.fullmatch(text) for _, text in cells):
                for (cell, _), order in zip(cells, orders, strict=True):
                    cell.attrSet("data-order", str(order))


def number(text: str) -> str | None:
    """The number that a text begins with, the greatest there is for ∞; empty where one is missing, None without one."""
    if text in BLANKS:
        return ""
    start = NUMBER.match(text)
    greatest = sys.float_info.max
    return repr(min(max(float(start[0]), -greatest), greatest)) if start else None


def scroller(title: str) -> str:
    """The opening tag of a box that scrolls what is wider than the page, by keys too."""
    return f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(title)}">'
