"""Pages of questions: no page survives numbers that are not so."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from learnability.core.errors import InputError
from learnability.core.store import read_table
from studies.learnability_window.evidence import Evidence
from studies.questions import find_questions
from studies.told import find

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "results" / "reference"
CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text("utf-8"))
STUDY_FILES = {"comparison": "comparison", "ground_truth": "ground_truth", "learnability_window": "reference"}
PAGES = sorted((ROOT / "src" / "studies").glob("*/*/page.md.j2"))


def arguments_of(study: str, kind: str = "") -> list[Any]:
    """Arguments of the numbers of a study: its stored tables and labels; columns of the given kind upside down."""
    config = yaml.safe_load((ROOT / "config" / f"{STUDY_FILES.get(study, f'{study}/full')}.yaml").read_text("utf-8"))
    labels = CONFIG["figures"]["labels"] | config.get("figures", {}).get("labels", {})
    tables = {}
    for reading in ("", *CONFIG["report"]):
        for file in sorted((REFERENCE / study / reading / "tables").glob("*.csv")):
            table = read_table(file)
            tables[reading, file.stem] = upside_down(table, kind) if kind else table
    if study == "learnability_window":
        return [Evidence(tables, CONFIG["architecture_groups"], labels)]
    return [{name: table for (_, name), table in tables.items()}, labels]


def upside_down(table: pd.DataFrame, kind: Any) -> pd.DataFrame:
    """The table with numbers in the order of its rows turned, and what was small large."""
    numbers = table.select_dtypes(kind)
    return table.assign(**{name: 5 - numbers[name].to_numpy()[::-1] for name in numbers})


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of logarithms of numbers that are none
@pytest.mark.parametrize("study", sorted({page.parts[-3] for page in PAGES}))
def test_a_page_whose_sentences_are_not_so_is_refused(study: str) -> None:
    """Alone it can catch a page without checks, which would tell anything of any table."""
    wrong, unspoken = [arguments_of(study, kind) for kind in ("float", "number")], []
    for question in find_questions(study):
        if (ROOT / "src" / "studies" / study / question / "page.md.j2").is_file():
            unspoken.append((question, [*filter(None, (refusal(study, question, arguments) for arguments in wrong))]))
    assert [question for question, errors in unspoken if not errors] == []
    messages = [error for _, errors in unspoken for error in errors]
    assert any("which is not so" in error for error in messages)
    assert all(error.startswith("'sentences' must be false") or "must find its numbers" in error for error in messages)


def refusal(study: str, question: str, wrong: list[Any]) -> str:
    """Return the reason why a page is refused; empty if it is told."""
    try:
        find(study, question, True, *wrong)
    except InputError as error:
        return str(error)
    return ""
