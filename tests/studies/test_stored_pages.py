"""Every stored page of a table holds the table beside it, in all studies."""

from pathlib import Path

import pandas as pd
import pytest

from learnability.core.store import read_table, write_table, write_text
from learnability.report.typeset import as_markdown
from paired_pages import pages_beside_tables, unlike_its_table, unlike_their_tables

REFERENCE = Path(__file__).parents[2] / "results" / "reference"
STUDIES = sorted(path.name for path in REFERENCE.iterdir() if path.is_dir())


@pytest.mark.parametrize("study", STUDIES)
def test_a_stored_page_holds_the_table_beside_it(study: str) -> None:
    tables = {table for _, table in pages_beside_tables(REFERENCE / study) if table.parent.name == "tables"}
    assert tables == set((REFERENCE / study).rglob("tables/*.csv"))
    assert unlike_their_tables(REFERENCE / study) == {}


@pytest.mark.parametrize("study", STUDIES)
def test_a_stored_scorecard_has_the_claims_of_its_table(study: str) -> None:
    for page in (REFERENCE / study).rglob("scorecard.md"):
        text = page.read_text(encoding="utf-8")
        table = read_table(page.with_suffix(".csv"))
        assert len(table) > 0 and all(f"| {claim} |" in text for claim in table["claim"]), page
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        assert len(rows) == len(table) + 2, page


def test_pages_that_are_exchanged_or_of_another_state_are_seen(tmp_path: Path) -> None:
    first, second = (
        pd.DataFrame({"a": [1.0, 2.5], "b": ["x_y", "z"]}),
        pd.DataFrame({"a": [1.0, 2.6], "b": ["x_y", "z"]}),
    )
    for name, table, page in (("one", first, second), ("two", second, second), ("three", first, first[["a"]])):
        write_table(table, tmp_path / f"{name}.csv")
        write_text(as_markdown(page, ["A note."]), tmp_path / f"{name}.md")
    write_table(first, tmp_path / "four.csv")
    write_text(as_markdown(first[:1]), tmp_path / "four.md")
    found = {page.stem: unlike_its_table(page, table) for page, table in pages_beside_tables(tmp_path)}
    assert found == {
        "one": "row 1, a: '2.6' for '2.5'",
        "two": "",
        "three": "columns ['a']",
        "four": "1 rows for 2",
    }
