"""A table as Markdown, and as LaTeX."""

from collections.abc import Sequence

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


def as_markdown(table: pd.DataFrame, notes: Sequence[str] = ()) -> str:
    """Notes as a list, then a Markdown table; numbers in six significant digits."""
    lines = [" | ".join(map(str, table.columns)), " | ".join("---" for _ in table.columns)]
    lines += [" | ".join(_cell(value) for value in row) for row in table.itertuples(index=False)]
    return "".join(f"* {note}\n" for note in notes) + "\n" * bool(notes) + "".join(f"| {line} |\n" for line in lines)


def as_latex(table: pd.DataFrame) -> str:
    """A LaTeX tabular, for the package booktabs; numbers in six significant digits, to the right."""
    columns = "".join("r" if is_numeric_dtype(kind) else "l" for kind in table.dtypes)
    text = table.map(_cell).to_latex(index=False, escape=True, column_format=columns)
    for plain, symbol in SYMBOLS.items():
        text = text.replace(plain, symbol)
    return text


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value).replace("_", " ")
