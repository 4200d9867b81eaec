"""Captions: reStructuredText as in Snakemake's report, without templates."""

import re

from docutils.core import publish_parts
from docutils.utils import SystemMessage

from learnability.core.errors import InputError

# Captions are text: they neither read files nor hold HTML, and a mistake in one stops the page.
SETTINGS = {"report_level": 2, "halt_level": 2, "file_insertion_enabled": False, "raw_enabled": False}


def caption_html(caption: str) -> str:
    """A caption as HTML paragraphs.

    Raises:
        InputError: it is no valid reStructuredText.
    """
    try:
        return publish_parts(caption, writer="html5", settings_overrides=SETTINGS)["fragment"]
    except SystemMessage as error:
        raise InputError(f"A caption must be reStructuredText. Got {caption[:60]!r}…: {error}") from error


def caption_markdown(caption: str) -> str:
    """A caption as one paragraph of Markdown; code alone is written otherwise there."""
    return " ".join(caption.replace("``", "`").split())


def caption_title(caption: str) -> str:
    """Bold lead of a caption; of a numbered figure, table or appendix also the text up to the first stop.

    Raises:
        InputError: it has no such lead.
    """
    lead = re.match(r"\*\*(.+?)\.?\*\*(.*)", caption.strip(), re.DOTALL)
    if lead is None:
        raise InputError(f"A caption must begin with a title in bold. Got {caption[:60]!r}….")
    shows = re.split(r"[,:;(]|\.(?:\s|$)", lead[2].strip())[0].strip()
    is_numbered = re.fullmatch(r"(Figure|Table|Appendix) \w+", lead[1])
    return f"{lead[1]}. {shows}" if is_numbered and shows else lead[1]
