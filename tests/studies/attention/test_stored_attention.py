"""Stored pages and tables of the theory: the page is made of its tables again, and the tables are computed again."""

import json
import sys
from pathlib import Path

import matplotlib as mpl
import pandas as pd
import pytest

from attention_evidence import NETWORKS, draw_of
from learnability.core.store import read_table
from learnability.core.streams import numpy_generator
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import as_records, in_words
from studies.attention.answers import INTRODUCTION, answer
from studies.attention.headlines import dense
from studies.attention.theory_tables import MODULES
from studies.attention.uniform_attention import numbers as uniform_attention
from studies.jobs.show_question import make
from studies.questions import find_questions

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "results" / "reference" / "attention"
CONFIG, STUDY = (load_yaml((ROOT / "config" / f"{name}.yaml").read_text()) for name in ("config", "attention/full"))
ROOT_SEED, LABELS = CONFIG["root_seed"], CONFIG["figures"]["labels"] | STUDY["figures"]["labels"]
SENSITIVITY = "headline_sensitivity"


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return {path.stem: read_table(path) for path in (REFERENCE / "tables").glob("*.csv")}


@pytest.mark.parametrize("module", ["parameters", "sums", "sparse"])
def test_stored_tables_are_those_that_are_computed(tables, module) -> None:
    for name, table in MODULES[module].compute(numpy_generator(ROOT_SEED, 0, "theory", module)).items():
        pd.testing.assert_frame_equal(tables[f"theory_{name}"], table, rtol=1e-8, atol=1e-12, check_dtype=False)


def test_the_stored_findings_are_what_the_tables_say(tables) -> None:
    records = as_records(INTRODUCTION, answer(tables, LABELS, {SENSITIVITY: tables[SENSITIVITY]}, sentences=True))
    assert json.loads((REFERENCE / "findings.json").read_text(encoding="utf-8")) == json.loads(json.dumps(records))


def test_the_page_and_the_scorecard_count_the_same_eigenvalues(tables) -> None:
    count = uniform_attention.numbers(tables, LABELS)["tried"]
    cells = read_table(REFERENCE / "scorecard.csv").set_index("id")["measured"]
    assert f"of {count} eigenvalues" in cells["theorem_1"]


def test_stored_updates_are_those_of_stored_learning_curves(tables) -> None:
    updates = tables["learning_speed"].set_index(["experiment", "architecture"])["all_updates"]
    for (experiment, name), stored in updates.items():
        runs = list((REFERENCE / "models" / experiment / name).glob("seed*"))
        setting = json.loads((runs[0] / "provenance.json").read_text(encoding="utf-8"))
        of_epoch = setting["task"]["training_sequences"] / setting["training"]["batch_size"]
        epochs = [read_table(run / "learning_curve.csv")["epoch"].max() for run in runs]
        assert stored == pd.Series(epochs).median() * of_epoch, (experiment, name)
    longer = tables["longer_training"].set_index(["experiment", "architecture"])["late_updates"]
    assert longer.to_dict() == updates[longer.index].to_dict()


def test_as_many_trainings_ended_at_an_infinite_norm_as_the_page_says() -> None:
    settings = [json.loads(path.read_text(encoding="utf-8")) for path in REFERENCE.glob("models/*/*/*/provenance.json")]
    count = sum("gradient norm inf" in str(setting.get("diverged")) for setting in settings)
    text = (REFERENCE / "findings.md").read_text(encoding="utf-8")
    assert f"{in_words(count).capitalize()} trainings that count as diverged" in text


@pytest.mark.parametrize("task", ["pixels", "characters"])
def test_a_search_asks_for_the_networks_that_are_best_and_worst_here(tables, task) -> None:
    order = tables[task].set_index("architecture")["accuracy"].dropna().sort_values()
    assert (dense.BEST[task], dense.WORST) == (order.index[-1], order.index[0])


def test_every_table_answers_a_question() -> None:
    names = {path.stem for path in (REFERENCE / "tables").glob("*.csv")}
    assert {name for question in find_questions("attention").values() for name in question.tables} == names - {
        SENSITIVITY
    }


def test_a_figure_is_the_same_whatever_was_drawn_before(tmp_path: Path) -> None:
    """Alone it can catch lines of a legend that take defaults which an earlier figure has changed."""
    style = {"colours": CONFIG["figures"]["colours"] | STUDY["figures"]["colours"], "labels": LABELS}
    pictures = []
    for names in (["trained_gradients"], ["denoised", "trained_gradients"]):
        of = ["trained_gradients", "backward_costs", "denoised"]
        module = {name: {"module": draw_of(name).__module__} for name in names}
        shown = {f"{name}.png": module[name] | {"architectures": NETWORKS, "rows": {}} for name in names}
        for module in [name for name in sys.modules if name.startswith("studies.attention.")]:
            if ".figures" in module or ".drawn" in module:
                del sys.modules[module]  # a job imports them anew
        files = {"tables": [str(REFERENCE / "tables" / f"{name}.csv") for name in of]}
        with mpl.rc_context():
            mpl.rcdefaults()
            for name, write in make(files, shown, style | {"width_mm": 175, "font_size": 7}):
                write(tmp_path / name)
        pictures.append((tmp_path / "trained_gradients.png").read_bytes())
    assert pictures[0] == pictures[1]
