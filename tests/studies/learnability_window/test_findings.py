"""Findings are what the tables say, and the stored findings are what the stored tables say."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import Finding, as_markdown, as_records, from_records, listed, number, spread
from learnability.report.sensitive import ALSO, NOT_SEARCHED
from studies.learnability_window.answers import INTRODUCTION, answer
from studies.learnability_window.common_divisor.numbers import LAGS
from studies.learnability_window.evidence import sequences
from studies.learnability_window.headlines import HEADLINES
from studies.questions import find_questions

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "results" / "reference" / "learnability_window"
CONFIG = load_yaml((ROOT / "config" / "config.yaml").read_text())
LABELS = CONFIG["figures"]["labels"]
QUESTIONS = {name: question for name, question in find_questions("learnability_window").items() if question.tables}


def stored_tables() -> dict[str, pd.DataFrame]:
    """Tables of the reference, by reading and name."""
    return {
        f"{folder}/{file.stem}".removeprefix("./"): read_table(file)
        for folder in (".", *CONFIG["report"])
        for file in sorted((REFERENCE / folder / "tables").glob("*.csv"))
    }


def answers(tables: dict[str, pd.DataFrame], **searched: pd.DataFrame) -> list[Finding]:
    return answer(tables, LABELS, searched, groups=CONFIG["architecture_groups"], sentences=True)


def records(tables: dict[str, pd.DataFrame]) -> str:
    findings = answers(tables, headline_sensitivity=tables["headline_sensitivity"])
    return json.dumps(as_records(INTRODUCTION, findings), ensure_ascii=False)


def test_what_a_search_found_is_told_where_it_was_searched() -> None:
    row = {"setting": "training.epochs", "value": 30, "varied": 15, "turned": 1, "largest_change": 0.5}
    search = pd.DataFrame([row | {"statement": "share of harmonics carried", "question": "resonances"}])
    tables = stored_tables()
    before, after = answers(tables), answers(tables, headline_sensitivity=search)
    pairs = zip(before, after, strict=True)
    differences = [(old, new) for old, new in pairs if old.sensitive_to != new.sensitive_to]
    assert len(differences) == 1
    (old, new) = differences[0]
    asked = "A search over settings asks whether the three gates carry at least half of the harmonics, in the median. "
    change = (
        "The one setting that was varied in small runs (the quick size) changes the answer: halving "
        "`training.epochs`. It moves *share of harmonics carried* most, by 50 %."
    )
    by_judgement = old.sensitive_to.replace(NOT_SEARCHED, ALSO)
    assert new.sensitive_to == f"{asked}{change} {by_judgement}"


def test_the_stored_findings_are_what_the_stored_tables_say() -> None:
    assert json.loads((REFERENCE / "findings.json").read_text(encoding="utf-8")) == json.loads(records(stored_tables()))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_without_its_tables_is_left_out(name: str) -> None:
    absent_table = QUESTIONS[name].tables[0]
    key = "/".join(filter(None, absent_table))
    rest = {name: table for name, table in stored_tables().items() if name != key}
    full_page, page = answers(stored_tables()), answers(rest)
    questions = [finding.question for finding in full_page if absent_table not in finding.tables]
    assert [finding.question for finding in page] == questions
    assert (len(questions) < len(full_page)) == (key in stored_tables())  # a variant may not be stored


def test_the_loss_of_a_guess_and_the_weights_are_of_the_configuration() -> None:
    """Alone it can catch another task: a page has these numbers as words."""
    task = CONFIG["task"]
    terms = zip(task["lags"], task["coefficients"], strict=True)
    loss = task["noise_sd"] ** 2 + sum(c**2 * (1 - lag / task["duration"]) for lag, c in terms)
    pages = {finding.question: finding for finding in answers(stored_tables())}
    assert f"a prediction of 0 has an expected loss of {loss:.2f}" in pages["Does it matter where gates start?"].basis
    first, *_, last = task["coefficients"]
    assert f"The weights fall from {first} to {last}" in " ".join(pages["What did the networks learn?"].text.split())


def test_the_introduction_has_the_scale_of_the_configuration() -> None:
    task, text = CONFIG["task"], " ".join(INTRODUCTION.split())
    assert f"{CONFIG['network']['hidden_size']} units" in text and f"{CONFIG['training']['epochs']} epochs" in text
    assert f"{task['training_sequences']:,} sequences of {task['duration']:,} steps" in text
    assert f"lags from {task['lags'][0]} to {task['lags'][-1]}" in text and len(CONFIG["seeds"]) == 5


def test_bases_have_the_scale_of_the_configuration() -> None:
    """Alone it can catch a scale that a page has as words, not as a number of a table."""
    bases = {finding.question: finding.basis for finding in answers(stored_tables())}
    units = {int(size) for basis in bases.values() for size in re.findall(r"(\d+) units", basis)}
    epochs = {int(count) for basis in bases.values() for count in re.findall(r"(\d+) epochs", basis)}
    assert units == {CONFIG["network"]["hidden_size"]} and epochs == {CONFIG["training"]["epochs"]}
    assert f"{CONFIG['task']['training_sequences']:,} sequences" in bases["What did the networks learn?"]
    assert "five of the task's six lags" in bases["Is a lag that can be detected also learned?"].lower()
    assert len(CONFIG["task"]["lags"]) == 6


def test_lags_of_both_tasks_are_the_configured_ones() -> None:
    coprime = load_yaml((ROOT / "config" / "coprime_lags.yaml").read_text())
    assert list(LAGS[32]) == CONFIG["task"]["lags"] and list(LAGS[1]) == coprime["task"]["lags"]


def test_a_page_says_what_its_search_asks() -> None:
    pages = {name: ROOT / "src/studies/learnability_window" / name / "page.md.j2" for name in HEADLINES}
    texts = {name: page.read_text(encoding="utf-8") for name, page in pages.items()}
    assert [name for name, text in texts.items() if "A search over settings asks" not in text] == []


def test_tails_look_lighter_just_above_the_floor_of_the_authors_code() -> None:
    """Near the floor α̂ of the author's code lies above α̂ by the paper's text, which has no floor."""
    noise = read_table(REFERENCE / "measured" / "noise.csv.gz").query(
        "optimizer == 'adamw' and transport == 'first_order' and direction == 0"
    )
    network = ["architecture", "seed"]
    code, text = (noise[noise["reading"] == reading] for reading in ("published_code", "paper"))
    gates = code[code["architecture"].isin(["const_gate", "shared_gate", "diag_gate"])]
    near = gates[~gates["floored"] & (gates["spread"] < 5e-12)]
    pairs = near.merge(text, on=[*network, "lag"], suffixes=(", code", ", text"))
    assert len(pairs) == 13 and (pairs["alpha, code"] > pairs["alpha, text"] + 0.05).all()


def test_a_number_of_a_table_that_changes_changes_the_findings() -> None:
    tables = stored_tables()
    table = tables["learned"].assign(**{"r/c at 192": 0.4567 * tables["learned"]["r/c at 192"] / 0.455611})
    first = table["r/c at 192"].iloc[0]
    assert number(first) in records(tables | {"learned": table}) and number(first) not in records(tables)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.9619, "0.962"),
        (128.0, "128"),
        (12800.0, "12,800"),
        (3.4e-64, "3.4 · 10⁻⁶⁴"),
        (2e9, "2.0 · 10⁹"),
        (0.0, "0"),
        (np.inf, "∞"),
        (np.nan, "–"),
    ],
)
def test_numbers_are_short(value: float, expected: str) -> None:
    assert number(value) == expected


@pytest.mark.parametrize(("value", "expected"), [(-0.5, "below 1"), (2.0, "100"), (40.6, "10⁴¹"), (np.inf, "∞")])
def test_sequences_are_counted_or_a_power_of_ten(value: float, expected: str) -> None:
    assert sequences(value) == expected


def test_words_join_numbers() -> None:
    assert [listed(words) for words in ("a", "ab", "abc")] == ["a", "a and b", "a, b and c"]
    assert spread(pd.Series([2.0, 1.0])) == "1 to 2" and spread(pd.Series([1.0, 1.0])) == "1"


def test_findings_survive_json_with_their_rows_in_order() -> None:
    rows = {"z": pd.Series({"B": "1"}), "a": pd.Series({"B": "2"})}
    finding = Finding("Why?", "So.", "For\n   this.", rows, "y.", ("r", "f"), [("", "t")])
    introduction, (copy,) = from_records(json.loads(json.dumps(as_records(" In  short. ", [finding]), sort_keys=True)))
    assert introduction == "In short." and copy.text == "For this." and list(copy.rows) == ["z", "a"]
    page, again = (as_markdown(introduction, [version], ["B"], {"f": "What is drawn."}) for version in (finding, copy))
    assert page == again


def test_a_section_has_all_of_its_parts() -> None:
    text, rows = "For  this.\n\nAnd that.", {"x": pd.Series({"B": "1", "A": "2"})}
    finding = Finding("Why?", "So.", text, rows, "y.", ("r", "f"), [("", "t")], "Two seeds.")
    page = as_markdown("In short.\n\n Terms.", [finding], ["A", "B"], {"f": "**F.** What is drawn."})
    assert page.split("\n\n") == [
        "# Findings",
        "In short.",
        "<details markdown><summary>Terms, tasks and networks</summary>",
        "Terms.",
        "</details>",
        "| question | answer |\n| --- | --- |\n| [1. Why?](#1-why) | So. |",
        "## 1. Why?",
        "**So.**",
        "![Why?](r/figures/f.png)",
        "<sub>**F.** What is drawn.</sub>",
        "For this.",
        "*How sure:* Two seeds. y.",
        "<details markdown><summary>More, with numbers</summary>",
        "And that.",
        "|  | A | B |\n| --- | --- | --- |\n| x | 2 | 1 |",
        "</details>",
        "*Tables:* [t](tables/t.md).\n",
    ]
