"""Entries of docs/errata.md."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[4]


def test_every_erratum_names_its_test_and_an_appendix():
    text = (ROOT / "docs" / "errata.md").read_text()
    entries = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert len(entries) >= 12
    for entry in entries:
        names = re.findall(r"`(test_\w+)`", entry)
        assert names, entry.splitlines()[0]
        files = [ROOT / path for path in re.findall(r"tests/[\w/]+\.py", entry)]
        sources = [path.read_text() for path in files or Path(__file__).parent.glob("test_*.py")]
        tests = {name for source in sources for name in re.findall(r"^def (test_\w+)", source, flags=re.MULTILINE)}
        assert tests.issuperset(names), names
        assert "snakemake " in entry or "pytest" in entry
