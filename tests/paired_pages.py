"""Comparison of the page of a table with the table beside it."""

from pathlib import Path

import numpy as np
import pandas as pd

from learnability.core.store import read_table


def pages_beside_tables(folder: Path) -> list[tuple[Path, Path]]:
    """Pages below a folder with the CSV of their name beside them; scorecards are pages of another form."""
    pages = sorted(page for page in folder.rglob("*.md") if page.stem != "scorecard")
    return [(page, page.with_suffix(".csv")) for page in pages if page.with_suffix(".csv").exists()]


def unlike_their_tables(folder: Path) -> dict[str, str]:
    """Differences of pages below a folder from the tables beside them, by name; there must be pages."""
    pairs = pages_beside_tables(folder)
    assert pairs
    differences = {str(page.relative_to(folder)): unlike_its_table(page, table) for page, table in pairs}
    return {page: difference for page, difference in differences.items() if difference}


def unlike_its_table(page: Path, table: Path) -> str:
    """Difference of a page from its table: columns, number of rows, or a cell; empty if there is none."""
    lines = [line[2:-2].split(" | ") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    columns, _, *rows = lines
    expected = read_table(table)
    if columns != [str(name) for name in expected.columns]:
        return f"columns {columns}"
    if len(rows) != len(expected):
        return f"{len(rows)} rows for {len(expected)}"
    for number, (row, cells) in enumerate(zip(rows, expected.itertuples(index=False), strict=True)):
        for name, text, cell in zip(columns, row, cells, strict=True):
            if not _same(text, cell):
                return f"row {number}, {name}: '{text}' for '{cell}'"
    return ""


def _same(text: str, cell: object) -> bool:
    if isinstance(cell, float | int) and not isinstance(cell, bool):
        if pd.isna(cell):
            return text in ("nan", "None", "")
        return bool(np.isclose(float(text), cell, rtol=1e-5, atol=0))
    return text.strip() == str(cell).replace("_", " ").strip()
