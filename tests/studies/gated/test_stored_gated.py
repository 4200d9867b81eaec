"""Stored tables and statements of the lecture, of which the page and the scorecard are made again."""

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml

from learnability.claims import judge_conditions, read_claims, score
from learnability.core.store import read_table, read_tables
from learnability.report.findings import as_records
from studies.gated import judged
from studies.questions import find_questions

QUESTIONS = find_questions("gated")
ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "results" / "reference" / "gated"
CONFIG, STUDY = (yaml.safe_load((ROOT / "config" / f"{name}.yaml").read_text()) for name in ("config", "gated/full"))
CLAIMS = read_claims([str(ROOT / "src" / "studies" / "gated" / name / "claims.yaml") for name in QUESTIONS])
LABELS = CONFIG["figures"]["labels"] | STUDY["figures"]["labels"]


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return {path.stem: read_table(path) for path in (REFERENCE / "tables").glob("*.csv")}


def test_tables_and_figures_are_those_of_the_exhibits(tables) -> None:
    names = {name for name in tables if not name.startswith("sensitivity_")}
    assert names == {table for question in QUESTIONS.values() for table in question.tables}
    assert {name.removeprefix("sensitivity_") for name in set(tables) - names} == set(QUESTIONS)
    assert {path.stem for path in (REFERENCE / "figures").glob("*.png")} == set(QUESTIONS)
    for name, question in QUESTIONS.items():
        captions = (ROOT / "src" / "studies" / "gated" / name / "captions").iterdir()
        assert {path.stem for path in captions} == {name, *question.tables}


def test_the_stored_findings_are_what_the_tables_say(tables) -> None:
    records = json.dumps(as_records(judged.INTRODUCTION, judged.answer(tables, LABELS, tables, sentences=True)))
    assert json.loads((REFERENCE / "findings.json").read_text(encoding="utf-8")) == json.loads(records)


def test_each_cell_is_shown_at_the_rate_that_suits_it_best(tables) -> None:
    rates = tables["cells_rates"]
    assert (rates["shown"] == rates["chosen"]).all()
    assert rates.groupby("architecture")["rate"].nunique().min() >= 3


def test_verdicts_are_those_of_the_stored_statements() -> None:
    statements = read_tables(sorted((REFERENCE / "statements").glob("*.csv")))
    claims = judged.claims(CLAIMS, LABELS)
    conditions = judge_conditions(
        claims, judged.tables({"statements": statements}, []), {"main": {"notes": "notes"}}, judged.MEASURES
    )
    scorecard = read_table(REFERENCE / "scorecard.csv")[["id", "verdict"]]
    pd.testing.assert_frame_equal(score(claims, conditions)[["id", "verdict"]], scorecard)


def test_a_claim_is_judged_by_a_statement_that_there_is() -> None:
    statements = set(read_tables(sorted((REFERENCE / "statements").glob("*.csv")))["statement"])
    references = {condition["at"] for claim in CLAIMS["claims"] for condition in claim["conditions"]}
    assert references <= statements, references - statements
    for claim in CLAIMS["claims"]:
        kind, name = claim["artefact"].split("/")
        assert name in (
            QUESTIONS if kind == "figures" else {t for question in QUESTIONS.values() for t in question.tables}
        )
