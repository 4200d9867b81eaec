"""Sentences that a reader meets: short, subject first, in the field's words, with one notation of numbers."""

import json
import re
from pathlib import Path

import pytest

from learnability.report.pages.caption import caption_markdown
from prose import faults, sentences

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
PAGES = sorted(page for page in PAGES if page.name != "CHANGELOG.md")  # of which each entry is of its time
FIGURES = sorted(ROOT.glob("src/studies/**/figure*.py")) + sorted(ROOT.glob("src/studies/**/figures/*.py"))
TITLE = r'(?:conclude|headline)\(\s*figure,\s*f?"([^"]+)"|message = f?"([^"]+)"'
"""Title of a figure in the code that draws it."""
CAPTIONS = sorted(ROOT.glob("src/studies/**/captions/*.rst"))
STUDIES = sorted(ROOT.glob("results/reference/*/findings.json"))
TEXTS = ("question", "answer", "text", "basis", "sensitive_to")


def stumbles(text: str) -> list[str]:
    """Sentences with a fault, and their faults."""
    return [f"{', '.join(notes)}: {sentence}" for sentence in sentences(text) if (notes := faults(sentence))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_read_without_stumbling(page: Path) -> None:
    assert not stumbles(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", STUDIES, ids=lambda page: page.parent.name)
def test_answers_are_read_without_stumbling(page: Path) -> None:
    records = json.loads(page.read_text(encoding="utf-8"))
    texts = [records["introduction"], *(record[name] for record in records["questions"] for name in TEXTS)]
    assert not stumbles("\n\n".join(texts))


@pytest.mark.parametrize("study", [page.parent.name for page in STUDIES])
def test_captions_are_read_without_stumbling(study: str) -> None:
    texts = (path.read_text(encoding="utf-8") for path in CAPTIONS if study in path.parts)
    assert not stumbles("\n\n".join(map(caption_markdown, texts)))


def test_titles_of_figures_are_read_without_stumbling() -> None:
    titles = [max(match) for path in FIGURES for match in re.findall(TITLE, path.read_text(encoding="utf-8"))]
    assert len(titles) > 70
    assert not stumbles("\n\n".join(titles))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It rises (Eq. 3). It falls\nby 10⁻⁴.\n\n| Of | a table |\n", 0),
        ("    code = -1\n\nThe share `-1` is $x^{-1}$, as Kerg et al. Say.", 0),
        ("* With noise it fails.\n* It is 1e-05, and T^-1.\n", 2),
        (f"It has {'very ' * 30}many words.", 1),
        ("The error is held against that of the LSTM.", 1),
    ],
)
def test_stumbles_are_seen(text: str, count: int) -> None:
    assert len(stumbles(text)) == count
