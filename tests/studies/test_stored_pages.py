"""Stored pages hold the tables beside them, in all studies; pages of findings hold their records."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

import generated
from learnability.core.store import read_table, write_table, write_text
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import as_markdown as findings_as_markdown
from learnability.report.findings import from_records
from learnability.report.pages.caption import caption_markdown
from learnability.report.scorecard import COLUMNS, count_table
from learnability.report.typeset import as_markdown, in_cell
from paired_pages import pages_beside_tables, unlike_its_table, unlike_their_tables
from stored_index import groups_of

REFERENCE = Path(__file__).parents[2] / "results" / "reference"
STUDIES = sorted(path.name for path in REFERENCE.iterdir() if path.is_dir())
CONFIG = Path(__file__).parents[2] / "config"
FILES = {
    "attention": "attention/full.yaml",
    "comparison": "comparison.yaml",
    "gated": "gated/full.yaml",
    "ground_truth": "ground_truth.yaml",
    "learnability_window": "reference.yaml",
}
CAPTIONS = {name: caption_markdown(path.read_text(encoding="utf-8")) for name, path in generated.CAPTIONS.items()}
VALUE = r"[+-]?\d(?:[\d,.]*\d)?(?: · 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?: %)?"
"""A number, as pages write it; what follows a name, such as Lemma 9 or NARMA-10, is none."""
NAME = r"\b(?:Lemma|Proposition|Theorem|Table) \d+|\w-\d+|log₁₀ N₅₀"
MOST_WORDS, MOST_NUMBERS = 20, 2


def numbers_in(sentence: str) -> list[str]:
    """Numbers of a sentence; a range, or a share such as 3 of 7, is one."""
    return re.findall(rf"{VALUE}(?:-fold)?(?: (?:to|of) (?:more than )?(?:T\^)?{VALUE})*", re.sub(NAME, "", sentence))


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        ("No. At lag 128 it underestimates by 18 to 65 orders.", ["128", "18 to 65"]),
        ("Lemma 9 holds for 3 of 7 networks on NARMA-10, to 1.9 · 10⁻⁴⁷.", ["3 of 7", "1.9 · 10⁻⁴⁷"]),
        ("It rises from 47 % to 0 % to 40 %.", ["47 % to 0 % to 40 %"]),
    ],
)
def test_numbers_are_counted_as_a_reader_counts_them(sentence: str, numbers: list[str]) -> None:
    assert numbers_in(sentence) == numbers


@pytest.mark.parametrize("study", STUDIES)
def test_a_headline_is_a_sentence_of_few_words_and_numbers(study: str) -> None:
    for finding in json.loads((REFERENCE / study / "findings.json").read_text(encoding="utf-8"))["questions"]:
        answer = finding["answer"]
        assert len(answer.split()) <= MOST_WORDS, answer
        assert len(numbers_in(answer)) <= MOST_NUMBERS, answer


@pytest.mark.parametrize("study", STUDIES)
def test_a_stored_page_of_findings_holds_its_records(study: str) -> None:
    introduction, findings = from_records(json.loads((REFERENCE / study / "findings.json").read_text("utf-8")))
    names = {finding.figure[1] for finding in findings}
    captions = {
        name: CAPTIONS[max((stem for stem in CAPTIONS if f"{name}_".startswith(f"{stem}_")), key=len)] for name in names
    }
    config, extra = (load_yaml((CONFIG / file).read_text("utf-8")) for file in ("config.yaml", FILES[study]))
    labels = config["figures"]["labels"] | (extra.get("figures", {}).get("labels") or {})
    page = findings_as_markdown(introduction, findings, labels.values(), captions)
    assert (REFERENCE / study / "findings.md").read_text(encoding="utf-8") == page


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
        assert len(table) > 0 and all(f"| {in_cell(claim)} |" in text for claim in table["claim"]), page
        assert count_table(table) in text, page
        rows = [line for line in text.partition(f"| {COLUMNS['verdict']} |")[2].splitlines() if line.startswith("| ")]
        assert len(rows) == len(table) + 1, page


@pytest.mark.parametrize("study", STUDIES)
def test_a_stored_scorecard_of_several_groups_says_what_they_are(study: str) -> None:
    """The sentence stands before claims are counted by group; a page of one group has none."""
    for page in (REFERENCE / study).rglob("scorecard.md"):
        groups = read_table(page.with_suffix(".csv"))["group"].unique()
        text = page.read_text(encoding="utf-8")
        assert text.count(f"\n{groups_of(study)}\n\n|  | group main |") == (len(groups) > 1), page
        assert all((f"Group {name} is " in groups_of(study)) == (len(groups) > 1) for name in groups), page


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
    differences = {page.stem: unlike_its_table(page, table) for page, table in pages_beside_tables(tmp_path)}
    assert differences == {
        "one": "row 1, a: '2.6' for '2.5'",
        "two": "",
        "three": "columns ['a']",
        "four": "1 rows for 2",
    }
