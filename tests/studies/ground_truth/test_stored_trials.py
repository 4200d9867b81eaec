"""Stored trials, of which tables and page are made again."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import as_records
from studies.ground_truth.answers import INTRODUCTION, answer
from studies.ground_truth.tables import tabulate

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "results" / "reference" / "ground_truth"
SEARCHES = [REFERENCE / "tables" / f"{name}_sensitivity.csv" for name in ("headline", "analysis")]
CONFIG, STUDY = (load_yaml((ROOT / "config" / f"{name}.yaml").read_text()) for name in ("config", "ground_truth"))


@pytest.fixture(scope="module")
def trials() -> pd.DataFrame:
    return read_table(REFERENCE / "trials.csv.gz")


@pytest.fixture(scope="module")
def tables(trials) -> dict[str, pd.DataFrame]:
    candidates = read_table(REFERENCE / "candidates.csv.gz")
    settings = STUDY["ground_truth"]
    durations = {name: grid.get("duration", STUDY["task"]["duration"]) for name, grid in settings["grids"].items()}
    return tabulate(trials, candidates, settings["contest"], durations, CONFIG["root_seed"])


def test_every_setting_of_the_configuration_was_tried(trials) -> None:
    settings: dict[str, Any] = STUDY["ground_truth"]
    for name, grid in settings["grids"].items():
        rows = trials[trials["grid"] == name]
        assert set(rows["architecture"]) == set(grid.get("architectures", settings["architectures"]))
        assert set(rows["lag"]) == set(grid["lags"])
        assert set(rows["seed"]) == set(CONFIG["seeds"][: grid.get("fewer_seeds")])
        sizes = grid.get("sample_sizes", settings["sample_sizes"])
        assert set(rows["sample_size"]) == {*map(float, sizes), float("inf")}


def test_the_introduction_and_the_bases_have_the_scale_of_the_configuration(tables) -> None:
    """Alone it can catch a scale that a page has as words, not as a number of a table."""
    settings, task, size = STUDY["ground_truth"], STUDY["task"], STUDY["network"]["hidden_size"]
    text, updates = " ".join(INTRODUCTION.split()), settings["updates"]
    assert f"nine gated networks of {size} units" in text and len(settings["architectures"]) == 9
    assert f"sequences of {task['duration']} steps, for {updates:,} updates" in text
    bases = {finding.question: finding.basis for finding in answer(tables, CONFIG["figures"]["labels"], sentences=True)}
    large = settings["grids"]["larger"]
    sizes = f"{large['hidden_size']} units and {large['duration']} steps, five with {size} units and {task['duration']}"
    assert sizes in bases.pop("Do networks of twice the size require as much data?")
    assert all(f"{size} units" in basis for basis in bases.values())
    assert f"three seeds each, {updates:,} updates" in bases["Are six lags learned if a task requires them at once?"]


def test_stored_tables_are_those_of_the_stored_trials(tables) -> None:
    for name, table in tables.items():
        reference = read_table(REFERENCE / "tables" / f"{name}.csv")
        pd.testing.assert_frame_equal(
            reference, table.reset_index(drop=True), rtol=1e-8, check_dtype=False, check_names=False
        )


def test_a_search_changes_what_is_said_of_settings_alone(tables) -> None:
    searches = {path.stem: read_table(path) for path in SEARCHES}
    labels = CONFIG["figures"]["labels"]
    findings = [answer(tables, labels, tables_of_search, sentences=True) for tables_of_search in (None, searches)]
    questions = set()
    for before, after in zip(*findings, strict=True):
        alike = [as_records(INTRODUCTION, [finding._replace(sensitive_to="")]) for finding in (before, after)]
        assert alike[0] == alike[1]
        if before.sensitive_to != after.sensitive_to:
            questions.add(before.question)
    assert len(questions) == pd.concat(searches.values())["question"].nunique() == 6


def test_the_stored_findings_are_what_the_tables_say(tables) -> None:
    searches = {path.stem: read_table(path) for path in SEARCHES}
    records = json.dumps(
        as_records(INTRODUCTION, answer(tables, CONFIG["figures"]["labels"], searches, sentences=True))
    )
    assert json.loads((REFERENCE / "findings.json").read_text(encoding="utf-8")) == json.loads(records)
