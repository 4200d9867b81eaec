"""Stored tables and statements of the lecture, of which the page and the scorecard are made again."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learnability.claims import judge_conditions, read_claims, score
from learnability.core.store import read_table, read_tables
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import as_records
from studies.gated import judged
from studies.questions import find_questions

QUESTIONS = find_questions("gated")
ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "results" / "reference" / "gated"
CONFIG, STUDY = (load_yaml((ROOT / "config" / f"{name}.yaml").read_text()) for name in ("config", "gated/full"))
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


def test_the_lecture_says_what_the_tables_say(tables) -> None:
    page = " ".join((ROOT / "docs" / "lecture.md").read_text(encoding="utf-8").split())
    gained = (
        tables["refinements_steps"].groupby("step")["accuracy_gained"].agg(["min", "median", "max"]).mul(100).round()
    )
    assert gained.loc["linear_memory", ["min", "max"]].tolist() == [-14, 6] and "6 points more in one seed, 14" in page
    assert gained["median"].drop(["forgetting_rnn", "lstm_over_rnn"]).idxmax() == "input_gate"
    assert gained.loc["input_gate", "median"] == 40 and "raises recall most, by 40 points" in page
    assert gained.loc["forgetting_rnn", "median"] == 49 and "the identity recurrence by 49 points" in page
    losses = tables["depth_losses"].pivot_table(index="seed", columns="layers", values="test_loss")
    assert losses.median().idxmin() == 1 and (losses[3] > losses[1]).all()
    assert (losses[2] / losses[1]).min() == pytest.approx(0.95, abs=0.005) and "two layers do, by 5 % of" in page
    exponents = tables["echo_exponents"]
    agree = (exponents["exponent"] < 0) == exponents["echo_states"]
    assert exponents.loc[~agree, "exponent"].between(-0.01, 0).all()
    assert f"at full size {agree.sum()} of {len(exponents)};" in page
    rows = tables["separability_shares"].query("reads == 'reservoir'")
    shares = rows.groupby("units")[["separable", "cover"]].median()
    deviation = (shares["separable"] - shares["cover"]).abs().max()
    assert round(deviation, 3) == 0.025 and "within 2.5 points in the median" in page
    fitted = tables["generation_times"].query("architecture == 'reservoir'")["trained"]
    assert set(fitted) == {301, 903} and "of which 301 or 903 numbers were fitted" in page
    followed = tables["generation_times"].pivot_table(
        index=["experiment", "seed"], columns="architecture", values="followed_lyapunov_times"
    )
    assert (followed["reservoir"] > followed[["gru", "lstm"]].max(axis=1)).all()


def test_half_of_what_outgrows_the_exponent_arises_in_five_steps(tables) -> None:
    free = tables["generation_growth"].query("mode == 'free'")
    shares = []
    for run in tables["generation_times"].itertuples():
        rows = free.query("experiment == @run.experiment and architecture == @run.architecture and seed == @run.seed")
        errors = np.log(rows.set_index("step")["error"])
        time = round(1 / run.exponent)
        outgrown = {step: errors[step] - errors[1] - run.exponent * (step - 1) for step in (5, time)}
        shares.append(outgrown[5] / outgrown[time])
    assert len(shares) == 18 and np.median(shares) == pytest.approx(0.5, abs=0.05)


def test_a_claim_is_judged_by_a_statement_that_there_is() -> None:
    statements = set(read_tables(sorted((REFERENCE / "statements").glob("*.csv")))["statement"])
    references = {condition["at"] for claim in CLAIMS["claims"] for condition in claim["conditions"]}
    assert references <= statements, references - statements
    for claim in CLAIMS["claims"]:
        kind, name = claim["artefact"].split("/")
        assert name in (
            QUESTIONS if kind == "figures" else {t for question in QUESTIONS.values() for t in question.tables}
        )
