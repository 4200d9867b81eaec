"""The page to open first, of each stored study: small enough to be sent, and every table with its CSV beside it."""

import re
from html import unescape

import pytest

from learnability.report.pages.page import FIRST_ROWS, MOST_ROWS
from stored_index import REFERENCE, STUDIES, stored_index

MOST_BYTES = 4_000_000
TABLE = re.compile(r'<p class="data">(.*?)</p>\n(?:<div class="scroll"|<ul>)[^<]*(.*?)</table>', re.DOTALL)


@pytest.mark.parametrize("study", STUDIES)
def test_a_page_is_small_enough_to_be_sent(study: str) -> None:
    assert len(stored_index(study).encode()) < MOST_BYTES


@pytest.mark.parametrize("study", STUDIES)
def test_every_table_has_a_link_to_its_csv_and_says_what_is_left_out(study: str) -> None:
    page = stored_index(study)
    tables = TABLE.findall(page)
    assert len(tables) == page.count('<table class="sortable')
    for link, table in tables:
        address = unescape(re.search(r'href="(.*?)" download', link)[1])
        rows = len((REFERENCE / study / address).read_text(encoding="utf-8").splitlines()) - 1
        assert table.count("<tr") - 1 == (rows if rows <= MOST_ROWS else FIRST_ROWS), address
        assert (f"all {rows:,} rows" in link) == (rows > MOST_ROWS), address
