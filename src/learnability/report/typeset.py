"""A table as Markdown, and as LaTeX; names in Markdown, and in Matplotlib's texts."""

import re
from collections.abc import Mapping, Sequence

import pandas as pd
from pandas.api.types import is_numeric_dtype

SYMBOLS = {
    "R²": "$R^2$",
    r"τ\_env": r"$\tau_{\mathrm{env}}$",
    "N̂": r"$\hat{N}$",
    "α̂": r"$\hat{\alpha}$",
    "σ̂": r"$\hat{\sigma}$",
    "log₁₀": r"$\log_{10}$",
    "≥": r"$\geq$",
}
"""Symbols in names of columns, underscores escaped, and what LaTeX calls them."""


ACTIVE = re.compile(r"[\\`*~&|$]|<(?=[A-Za-z/!?])|\](?=[(\[])|(?<!\w)_|_(?!\w)")
"""Characters that format, link, open HTML or mathematics, or end a cell in a line of Markdown.

Addresses, `@name` and `#12` stay: where a forge links them, they still read as they are. It replaces `:name:` of an
emoji after Markdown is read, so that no backslash keeps it.
"""


def in_markdown(text: str) -> str:
    """A text as a line of Markdown that reads as the text."""
    return ACTIVE.sub(r"\\\g<0>", text)


def in_markdown_by_id(labels: Mapping[str, str]) -> dict[str, str]:
    """Names of architectures, by id, in Markdown."""
    return {architecture: in_markdown(label) for architecture, label in labels.items()}


def in_cell(text: str) -> str:
    """A line of Markdown as a cell of a table, which a bar would end."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split("\n")))


def in_figure(text: str) -> str:
    """A text as Matplotlib takes one that has no mathematics in it; one that is so already stays."""
    return re.sub(r"(?<!\\)\$", r"\\$", text)


def as_markdown(table: pd.DataFrame, notes: Sequence[str] = (), is_markdown: bool = False) -> str:
    """Notes as a list, then a Markdown table; numbers in six significant digits.

    Args:
        is_markdown: whether headings and cells are, so that of these only bars are escaped.
    """
    form = in_cell if is_markdown else in_markdown
    lines = [" | ".join(form(str(name)) for name in table.columns), " | ".join("---" for _ in table.columns)]
    lines += [" | ".join(form(_cell(value)) for value in row) for row in table.itertuples(index=False)]
    return "".join(f"* {note}\n" for note in notes) + "\n" * bool(notes) + "".join(f"| {line} |\n" for line in lines)


def with_pages(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame | str]:
    """Tables by the names of CSV files, and each as a page by the name of a Markdown file.

    Example:
        >>> list(with_pages({"noise": pd.DataFrame({"lag": [1]})}))
        ['noise.csv', 'noise.md']
    """
    files: dict[str, pd.DataFrame | str] = {}
    for name, table in tables.items():
        files |= {f"{name}.csv": table, f"{name}.md": as_markdown(table)}
    return files


def as_latex(table: pd.DataFrame) -> str:
    """A LaTeX tabular, for the package booktabs; numbers in six significant digits, to the right."""
    columns = "".join("r" if is_numeric_dtype(kind) else "l" for kind in table.dtypes)
    text = table.map(_cell).to_latex(index=False, escape=True, column_format=columns)
    for plain, symbol in SYMBOLS.items():
        text = text.replace(plain, symbol)
    return text


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value).replace("_", " ")
