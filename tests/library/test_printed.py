"""The article: words read as they are, figures stand once, and a mistake is told in a sentence."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typst
from PIL import Image

from learnability.core.errors import InputError
from learnability.core.store import read_json
from learnability.report.findings import Finding, as_records, from_records
from learnability.report.pages import printed
from learnability.report.pages.printed import MOST_PAGES, Article, as_pdf, digest, in_typst, reduced, said, source

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "results" / "reference"
ODD = r'#let $x_1$ *a* _b_ `c` <d> @e [f] // \ "g" N̂(ℓ) 10⁻¹¹ ~ -- ='
FINDINGS = [
    Finding("Is it so?", "Yes, by 3 %.", "See **more**.", {"share": {"GRU": "1"}}, "`task.lags`", ("", "one")),
    Finding("And then?", "No.", "As above.", {}, "nothing", ("", "one")),
]
SCORES = pd.DataFrame(
    {
        "id": ["a", "b", "c"],
        "group": "main",
        "where": "Sec. 1",
        "claim": ["it *holds*", "it fails", "nobody knows"],
        "verdict": ["reproduced", "not reproduced", "not testable"],
        "tuned": "no",
        "after_results": "no",
        "by_construction": "no",
    }
)


def article(**changes: object) -> Article:
    captions = {"one": "**One figure.** Of ``x``."}
    parts = ("A title", "What was done", "Asked of [us](https://a.b).", "", "Words.", "$ x^2 $", FINDINGS, SCORES)
    return Article(*parts, ["GRU"], captions, "# Limits\n\n* none", ["make run"])._replace(**changes)


@pytest.fixture
def figures(tmp_path: Path) -> dict[tuple[str, str], Path]:
    Image.new("RGB", (40, 20), "white").save(tmp_path / "one.png")
    return {("", "one"): tmp_path / "one.png"}


def test_words_read_as_they_are() -> None:
    text = f"#metadata([{said(ODD)}].text) <words>"
    assert json.loads(typst.query(text.encode(), "<words>", field="value", one=True)) == ODD


def test_markdown_becomes_what_it_means() -> None:
    assert in_typst("a *b* **c** `d_e`", inline=True) == '#"a ";#emph[#"b";];#" ";#strong[#"c";];#" ";#raw("d_e");'
    assert in_typst("[away](https://a.b) and [near](c.md)", inline=True) == (
        '#link("https://a.b")[#"away";];#" and ";#[#"near";];'
    )
    assert in_typst("| a | b |\n| --- | --- |\n| 1 | 2 |") == (
        '#table(columns: (2fr, 1fr, ), [#strong[#"a";]],[#strong[#"b";]],[#"1";],[#"2";],);\n\n'
    )


def test_an_article_has_each_figure_once_and_the_claims_that_can_be_tested() -> None:
    text = source(article())
    assert text.count("#figure(image(") == 1 and text.count("(@one)") == 2
    assert "it *holds*" in text and "it fails" in text and "nobody knows" not in text
    groups = source(article(groups="Group main is `a`."))
    assert groups.index("Group main is ") < groups.index("can be tested here") and "Group main is " not in text
    assert "= #" + '"What the source says, and what we find"' not in source(article(scores=None))


def test_a_figure_that_a_paper_numbers_too_is_told_apart() -> None:
    document = source(article(captions={"one": "**Figure 2.** How far. See **Figure 3.**"}))
    assert "After the paper's Figure 2." in document and "After the paper's Figure 3." not in document
    assert "After the paper's" not in source(article())


def test_the_same_article_gives_the_same_bytes_and_names_its_findings(figures: dict[tuple[str, str], Path]) -> None:
    first, again = as_pdf(article(), figures), as_pdf(article(), figures)
    assert first == again and first.startswith(b"%PDF")
    assert digest(FINDINGS).encode() in first
    other_findings = [FINDINGS[0]._replace(answer="No."), FINDINGS[1]]
    assert digest(other_findings) != digest(FINDINGS)


def test_a_figure_of_few_colours_keeps_those_of_its_dots() -> None:
    """Alone it can catch families that share a colour in print, because the greys of letters are more frequent."""
    with Image.open(REFERENCE / "comparison" / "figures" / "fronts.png") as picture:
        pixels = np.asarray(reduced(picture).convert("RGB")).reshape(-1, 3).astype(int)
    for colour in ((2, 158, 115), (1, 115, 178), (222, 143, 5), (204, 120, 188)):
        assert np.abs(pixels - colour).max(axis=1).min() < 16


def test_figures_go_across_the_page_unless_the_article_is_long(
    figures: dict[tuple[str, str], Path], monkeypatch
) -> None:
    across = as_pdf(article(), figures)
    monkeypatch.setattr(printed, "MOST_PAGES", 0)
    assert as_pdf(article(), figures) != across
    assert 'scope: "parent", caption' in source(article(), wide=True)
    assert 'scope: "parent", caption' not in source(article())


def test_findings_from_a_file_have_the_digest_of_those_that_were_written() -> None:
    assert digest(from_records(as_records("", FINDINGS))[1]) == digest(FINDINGS)


def test_mistakes_are_told_in_a_sentence(figures: dict[tuple[str, str], Path]) -> None:
    with pytest.raises(InputError, match=r"'figure' of a finding must be one that is drawn\. Got 'one'"):
        as_pdf(article(), {})
    with pytest.raises(InputError, match=r"The method of a study must be Typst\. Got"):
        as_pdf(article(method="$ x"), figures)


@pytest.mark.parametrize("study", sorted(path.parent.name for path in REFERENCE.glob("*/findings.json")))
def test_the_stored_article_tells_the_stored_findings(study: str) -> None:
    records = read_json(REFERENCE / study / "findings.json", "introduction", "questions")
    report = REFERENCE / study / "report.pdf"
    content = report.read_bytes()
    assert digest(from_records(records)[1]).encode() in content
    counts = [int(count) for count in re.findall(rb"/Type/Pages/Count (\d+)", content)]
    assert counts and max(counts) <= MOST_PAGES
    assert report.stat().st_size < 2e6
