"""A page of HTML, and tables in it that sort."""

from html import escape
from importlib.resources import files

from markdown_it import MarkdownIt

from learnability.report.pages.caption import caption_html, caption_title

# What a page may load: itself and nothing else.
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)


def page(title: str, body: str) -> str:
    """A whole page; `body` is HTML."""
    style, script = ((files("learnability.report.pages") / f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{body}\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def table_page(caption: str, reading: str, table: str) -> str:
    """A page with one table.

    Args:
        caption: reStructuredText.
        reading: empty where the table is of none.
        table: of `learnability.report.typeset.as_markdown`.
    """
    title = caption_title(caption)
    of = f"<p>Reading: <code>{escape(reading)}</code>.</p>\n" if reading else ""
    body = f"<h1>{escape(title)}</h1>\n{of}{caption_html(caption)}{sortable(title, table)}"
    return page(title, f"<main>\n{body}\n</main>")


def markdown(text: str) -> str:
    """Markdown as HTML."""
    return MarkdownIt("commonmark", {"html": False}).enable("table").render(text)


def sortable(title: str, text: str) -> str:
    """Markdown as HTML, its table in a box of its own, and sortable."""
    html = markdown(text)
    return html.replace("<table>", f'{scroller(title)}<table class="sortable">').replace("</table>", "</table></div>")


def scroller(title: str) -> str:
    """The opening tag of a box that scrolls what is wider than the page, by keys too."""
    return f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(title)}">'
