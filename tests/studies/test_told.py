"""Pages of questions: no page survives numbers that are not so."""

import json
import operator
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from learnability.core.errors import InputError
from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import from_records
from stored import SETTINGS
from studies.learnability_window.evidence import Evidence
from studies.questions import find_questions, words_of
from studies.told import find

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "results" / "reference"
CONFIG = load_yaml((ROOT / "config" / "config.yaml").read_text("utf-8"))
PAGES = sorted((ROOT / "src" / "studies").glob("*/*/page.md.j2"))


def config_of(study: str) -> dict[str, Any]:
    config: dict[str, Any] = load_yaml((ROOT / "config" / SETTINGS[study]).read_text("utf-8"))
    return config


@cache
def tables_of(study: str) -> dict[tuple[str, str], pd.DataFrame]:
    """Stored tables by reading, empty where there is none, and name."""
    return {
        (reading, file.stem): read_table(file)
        for reading in ("", *CONFIG["report"])
        for file in sorted((REFERENCE / study / reading / "tables").glob("*.csv"))
    }


def arguments_of(study: str, tables: Mapping[tuple[str, str], pd.DataFrame]) -> list[Any]:
    """Arguments of the numbers of a study: its tables, and labels."""
    labels = CONFIG["figures"]["labels"] | config_of(study).get("figures", {}).get("labels", {})
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
    tables, unspoken = tables_of(study), []
    wrong = [
        arguments_of(study, {name: upside_down(table, kind) for name, table in tables.items()})
        for kind in ("float", "number")
    ]
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


FALSE = {
    "attention": [
        ("characters", "hyperparameters", "task == 'characters' and architecture == 'rel_rnn'", "learning_rate", 0.002),
        ("widening", "attention_windows", "epoch == 0 and lag == 11 and architecture == 'lstm'", "needed", 3.5),
        ("widening", "attention_windows", "epoch == 0 and lag == 61 and architecture == 'rel_rnn'", "needed", 2.5),
        ("detected_first", "attention_order", "not is_trained_on", "learned at the start", 0),
        ("learning", "learning_speed", "architecture == 'mem_rnn' and accuracy < 0.97", "updates", 90_000),
        ("recipes", "copied", "architecture == 'sab' and delay == 200", "diverged", 0),
        ("sparse_attention", "theory_chains", "layout == 'held'", "size", 100),
        ("expansions", "theory_paths", "depth > 2", "norm", 0.001),
        ("sizes", "screening", "trained_on == 'nothing' and varied == 'relevant' and size == 3", "farthest", -9),
        ("larger_grids", "games", "frames > 0", "train_paper", 1),
        ("buffer_alone", "hyperparameters", "task == 'copy' and architecture == 'rel_rnn'", "relevant", 5),
    ],
    "comparison": [
        ("divisor", "divisor", "family == 'gates'", "half_divisor", 1.0),
        ("divisor", "choices", "question == 'divisor' and choice == 'without seed 2'", "after", 2.0),
        ("tuning", "tuning", "architecture == 'gru' and tried == 1", "missing", 0.2),
        ("tuning", "performance", "contest == 'digits'", "score", 0.66),
        ("costs", "overall", "architecture == 'chrono_lstm'", "score_high", 0.7),
        ("lags", "n50_longer", "architecture == 'lstm_slow'", "n50_twice", 9.0),
        ("foretold", "memory", "family == 'gates'", "capacity_start", 5.0),
        ("longer", "longer", "architecture == 'forget_rnn'", "lost", 0.0),
        ("expected", "performance", "architecture == 'chrono_lstm' and contest == 'sum'", "score_high", 0.75),
        ("learned", "performance", "architecture == 'cfc' and contest == 'count'", "score", 0.6),
    ],
    "gated": [
        ("counting", "counting_runs", "architecture == 'gru'", "right_up_to", 25),
        ("carousel", "carousel_paths", "architecture == 'rnn'", "exact", 1e-6),
        ("dropout", "dropout_losses", "architecture == 'lstm_variational'", "least_validation_loss", 0.36),
    ],
    "ground_truth": [
        ("grown", "growth", "grid == 'dense' and quantity == 'noise_scale, start'", "decades_low", 1.4),
        ("grown", "growth", "grid == 'sparse' and quantity == 'paper, start'", "decades_low", 0.9),
        ("larger", "half_learned", "grid == 'larger' and architecture == 'lstm'", "reachable", 0.0),
    ],
    "learnability_window": [
        ("what_is_learned", "learned", "", "r/c at 128", 0.9),
        ("first_order", "transport_by_lag", "", "first_order", 100.0),
        ("envelopes", "paper/learning_rates", "", "τ_env", 3.0),
        ("authors_windows", "published_code/windows", "", "N = 3200", 64.0),
        ("tails", "gradient_step/floor", "", "α̂ without", 1.5),
        ("detected", "detection_order", "", "all in order", 5),
        ("learned_after", "detected_before_learned", "", "learned", 290),
        ("resonances", "resonances", "", "at harmonics", 4),
        ("common_divisor", "common_divisor", "", "validation_loss", 0.5),
        ("starts", "through_training", "", "log₁₀ N̂, epoch 0, total", 3.0),
        ("what_is_learned", "gradient_step/learning_rates", "architecture == 'DiagGate'", "validation loss", 0.35),
        ("what_is_learned", "through_training", "architecture == 'DiagGate'", "r/c, epoch 200", 0.9),
        ("first_order", "transport_check", "architecture == 'GRU'", "orders at the last lag", 0.5),
        ("first_order", "transport_check", "architecture == 'slow DiagGate'", "orders at the last lag", 0.1),
        ("envelopes", "paper/learning_rates", "architecture == 'GRU'", "τ_env", 3.0),
        ("authors_windows", "published_code/windows_by_option", "", "DiagGate", "52 [52, 52]"),
        ("authors_windows", "published_code/windows_by_option", "", "ConstGate", "24 [24, 24]"),
        ("tails", "gradient_step/floor", "", "σ̂ largest/smallest", 2.0),
        ("detected", "detection_order", "", "factor of medians", 20.0),
        ("learned_after", "detected_before_learned", "", "after", 5),
        ("resonances", "resonances", "architecture == 'DiagGate at 0.05'", "loss of such a comb", 0.7),
        ("common_divisor", "common_divisor", "", "resonances", 16.0),
        ("starts", "gradient_step/learning_rates", "architecture == 'SharedGate, layer norm'", "training loss", 0.5),
    ],
}
"""Question, table, some of its rows (all if empty), column and a value by which a sentence of the page is not so."""


@pytest.mark.parametrize(
    ("study", "question", "name", "rows", "column", "value"),
    [(study, *statement) for study, statements in FALSE.items() for statement in statements],
)
def test_a_page_is_refused_if_some_rows_are_otherwise(
    study: str, question: str, name: str, rows: str, column: str, value: object
) -> None:
    """Alone it can catch a sentence that no check holds to its table, beside sentences that are checked."""
    tables = tables_of(study)
    assert find(study, question, True, *arguments_of(study, tables)).answer
    reading, _, short_name = name.rpartition("/")
    table = tables[reading, short_name]
    places = table.index.isin(table.query(rows).index) if rows else np.full(len(table), True)
    assert places.any()
    changed = table.assign(**{column: table[column].astype(object).mask(places, value).infer_objects()})
    assert refusal(study, question, arguments_of(study, tables | {(reading, short_name): changed}))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: "/".join(page.parts[-3:-1]))
def test_the_title_of_figures_is_the_question_of_the_page(page: Path) -> None:
    """Alone it can catch a question that only the template's engine can read."""
    study, question = page.parts[-3:-1]
    assert words_of(study, question) == " ".join(find(study, question, False).question.split())


@pytest.mark.parametrize("study", sorted({page.parts[-3] for page in PAGES}))
def test_an_answer_is_read_in_a_minute(study: str) -> None:
    """Alone it can catch a page that hides its point among its numbers, or does not say what it stands on."""
    introduction, findings = from_records(json.loads((REFERENCE / study / "findings.json").read_text("utf-8")))
    assert len(introduction.partition("\n\n")[0].split()) <= 80
    lengths = {
        finding.question: (len(finding.lead.split()), len(finding.basis.split()), len(finding.rest.split()))
        for finding in findings
    }
    limits = (70, 40, 250)
    too_long = {name: words for name, words in lengths.items() if any(map(operator.gt, words, limits))}
    assert not too_long, f"At most {limits} words of what is meant, what was measured, and what is folded."
    assert [finding.question for finding in findings if not (finding.lead and finding.basis)] == []


TYPED = r"(?<![\w.])\d[\d,]*(?:\.\d+)?"


def numbers_in(text: str) -> Iterator[float]:
    yield from (float(digits.replace(",", "")) for digits in re.findall(TYPED, text))


def configured(value: object) -> Iterator[float]:
    """Numbers of settings, of their names, and of their lists' lengths."""
    if isinstance(value, Mapping):
        for name, setting in value.items():
            yield from (*configured(name), *configured(setting))
    elif isinstance(value, list):
        yield from (float(len(value)), *(number for setting in value for number in configured(setting)))
    elif not isinstance(value, bool):
        yield from numbers_in(str(value).replace("_", " "))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: "/".join(page.parts[-3:-1]))
def test_a_number_typed_in_a_basis_is_a_setting_or_checked(page: Path) -> None:
    """Alone it can catch a scale that stays in the words of a page when the configuration gets another."""
    study = page.parts[-3]
    basis = re.search(r"{% block basis %}(.*?){% endblock %}", page.read_text("utf-8"), re.S)
    assert basis
    checked = " ".join(re.findall(r"{%.*?%}", basis[1], re.S))
    settings = page.with_name("settings.py")
    known = {*numbers_in(checked), *configured(CONFIG), *configured(config_of(study))}
    known |= set(numbers_in(settings.read_text("utf-8"))) if settings.exists() else set()
    assert set(numbers_in(re.sub(r"{{.*?}}|{%.*?%}", "", basis[1], flags=re.S))) - known == set()
