"""The miniature preset through Snakemake: what a change makes it do again."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from .artefacts import (
    ADAMW,
    DRAWN_ONCE,
    FIGURES,
    READINGS,
    RESPONSES,
    RUNS,
    TABLES,
    THEORY,
    TRAINING_FIGURES,
)
from .conftest import Project, merged

DRAW_TRAINING = {f"draw_{name}" for name in TRAINING_FIGURES}
AFTER_RATES = {
    *(f"draw_{name}" for name in ("figure_01", "figure_04", "figure_08", "figure_09")),
    *("make_table_1", "make_learning_rates", "make_conditioning", "make_transport_by_lag", "show_tables"),
    *("make_appendix_i", "draw_appendix_i"),
}
AFTER_RESPONSE = {
    *(f"draw_{name}" for name in (*RESPONSES, "echo_control")),
    *("make_learned", "make_echoes", "show_tables"),
}
AFTER_NEED = {
    *(f"draw_{name}" for name in ("figure_02", "figure_03", "figure_07", "transport", "overview")),
    *("draw_need_pieces", "draw_threshold", "draw_off_task", "draw_echo_control"),
    *("make_windows", "make_windows_by_direction", "make_echoes", "make_task_lags", "make_spread", "make_scaling"),
    *("score_claims", "show_tables"),
    *(f"{verb}_appendix_{letter}" for verb in ("make", "draw") for letter in "fh"),
}
SENSITIVITY = {"vary_reading", "draw_sensitivity", "make_windows_by_option", "make_conclusions"}
OF_NOISE = {"draw_figure_05", "draw_figure_06", "draw_null_control", "make_floor", "measure_windows"}
AFTER_NOISE = AFTER_NEED | OF_NOISE | SENSITIVITY
PLANTED = {"check_planted", "draw_planted", "show_tables"}
AFTER_TABLES = {*(f"make_{table}" for table in TABLES), "show_tables"}
PAGES_OF_THEORY = {
    *(f"compute_appendix_{letter}" for letter in THEORY),
    *(f"make_appendix_{letter}" for letter in "fhi"),
    *(f"draw_appendix_{letter}" for letter in (*DRAWN_ONCE, "f")),
    "check_estimators",
    "draw_figure_05",
}
AFTER_TYPESET = AFTER_TABLES | PAGES_OF_THEORY | PLANTED
AFTER_LAGS = AFTER_NOISE | AFTER_RATES | {"measure_rates"}
AFTER_MEASUREMENT = AFTER_LAGS | AFTER_RESPONSE | {"measure_response"}
AFTER_TRAINING = AFTER_MEASUREMENT | DRAW_TRAINING | {"check_monotonicity"}


def jobs(rules: set[str]) -> dict[str, int]:
    """How often rules run when all runs are due; index and manifest follow every change."""
    each = {
        **dict.fromkeys(("generate_training_data", "train_network", "measure_rates", "measure_response"), len(RUNS)),
        "measure_windows": len(RUNS),
        "vary_reading": len(ADAMW),
    }
    return {rule: each.get(rule, 1) for rule in rules | {"make_index", "manifest"}}


def theory(letters: str) -> set[str]:
    """The rules behind these appendices, as far as they are made once."""
    rules = {f"compute_appendix_{letter}" for letter in letters}
    rules |= {f"draw_appendix_{letter}" for letter in letters if letter in DRAWN_ONCE}
    return rules | {"check_monotonicity"} if "f" in letters else rules


@contextmanager
def edited(project: Project, file: str, addition: str = "EDITED = True") -> Iterator[None]:
    path = project.folder / file
    text = path.read_text()
    path.write_text(f"{text}\n{addition}\n")
    try:
        yield
    finally:
        path.write_text(text)


def test_reference_weights_stand_in_for_training(finished: Project, miniature: dict[str, Any]) -> None:
    reference = finished.folder / "results" / "reference"
    shutil.copytree(finished.folder / "results" / "miniature" / "models", reference / "models")
    finished.configure(miniature | {"preset": "again", "weights": "reference"})
    try:
        planned = finished.planned()
    finally:
        finished.configure(miniature)
        shutil.rmtree(reference)
    assert planned["measure_rates"] == len(RUNS)
    assert not {"train_network", "generate_training_data"} & planned.keys()


def test_a_second_run_has_nothing_to_do(finished: Project) -> None:
    assert finished.planned() == {}


CHANGES: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    "plot colour": (
        {"figures": {"colours": {"diag_gate": "#000000"}}},
        jobs(
            {
                f"draw_{figure}"
                for figure in (*FIGURES, "overview", "planted", *(f"appendix_{each}" for each in "acdefghi"))
            }
        ),
    ),
    "estimator": ({"readings": {"recommended": {"noise": {"numerical_floor": 1e-9}}}}, jobs(AFTER_NOISE)),
    "criterion": (
        {"readings": {"recommended": {"detection": {"criterion": "snr"}}}},
        jobs(AFTER_NOISE),
    ),
    "statistic": (
        {"readings": {"recommended": {"statistic": {"parameter_jacobian": "total"}}}},
        jobs(AFTER_NOISE),
    ),
    "lag grid": ({"measurement": {"lags": [1, 2, 3]}}, jobs(AFTER_LAGS)),
    "epochs": (
        {"training": {"epochs": 4}},
        jobs(AFTER_TRAINING | {"train_network", "generate_training_data"}),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_reruns_what_it_touches(finished: Project, miniature: dict[str, Any], change: str) -> None:
    settings, expected = CHANGES[change]
    finished.configure(merged(miniature, settings))
    try:
        assert finished.planned() == expected
    finally:
        finished.configure(miniature)


def test_a_new_seed_runs_only_its_own_jobs_and_the_aggregates(finished: Project, miniature: dict[str, Any]) -> None:
    finished.configure(miniature | {"seeds": [0, 1]})
    try:
        planned = finished.planned()
    finally:
        finished.configure(miniature)
    expected = jobs(AFTER_TRAINING - SENSITIVITY | {"train_network", "generate_training_data"})
    assert planned == expected | {"generate_diagnostic_data": 1}


def test_a_new_reading_is_measured_with_the_others_and_retrains_none(
    finished: Project, miniature: dict[str, Any]
) -> None:
    finished.configure(miniature | {"report": [*READINGS, "paper"]})
    try:
        planned = finished.planned()
    finally:
        finished.configure(miniature)
    once = AFTER_RATES | AFTER_RESPONSE | AFTER_NOISE | DRAW_TRAINING
    # One job measures all readings of a network: what is made of its windows is made for each of them.
    both = AFTER_NOISE - SENSITIVITY - {"measure_windows", "draw_overview", "show_tables"}
    assert planned == jobs(once) | dict.fromkeys(both, 1 + len(READINGS))


def test_a_new_architecture_retrains_no_other(finished: Project, miniature: dict[str, Any]) -> None:
    runs = miniature["runs"] | {"adamw": [*miniature["runs"]["adamw"], "diag_gate_slow"]}
    finished.configure(miniature | {"runs": runs})
    try:
        planned = finished.planned()
    finally:
        finished.configure(miniature)
    assert planned["train_network"] == 1
    assert planned["measure_rates"] == planned["generate_training_data"] == 1


EDITS = {
    "src/studies/learnability_window/figures/figure_02.py": {"draw_figure_02"},
    "src/studies/learnability_window/figures/figure_04.py": {"draw_figure_04", "draw_figure_09"},
    "src/studies/learnability_window/tables.py": AFTER_TABLES,
    "src/learnability/report/typeset.py": AFTER_TYPESET,
    "src/studies/learnability_window/planted.py": PLANTED,
    "src/studies/learnability_window/theory/divergence.py": {
        f"{verb}_appendix_{letter}" for verb in ("compute", "draw") for letter in "de"
    },
    "src/studies/learnability_window/theory/residuals.py": {"make_appendix_h", "draw_appendix_h", "show_tables"},
    "src/learnability/report/pages/index.py": {"make_index"},
    "src/learnability/report/pages/page.css": {"make_index", "show_tables", "score_claims"},
    "src/learnability/claims.py": {"score_claims"},
    "src/studies/learnability_window/measures.py": {"score_claims"},
    "src/learnability/windows/detection.py": AFTER_NOISE | theory("efg") | PLANTED,
    "src/learnability/stats/stable/mcculloch.py": AFTER_NOISE | theory("cdefg") | {"check_estimators"} | PLANTED,
    "src/learnability/windows/statistic.py": AFTER_NOISE,
    "src/learnability/transport/windows.py": AFTER_MEASUREMENT | theory("f"),
    "src/learnability/training/loop.py": AFTER_TRAINING | {"train_network", "generate_training_data"},
}


@pytest.mark.parametrize("file", EDITS)
def test_an_edit_of_a_module_reruns_what_imports_it(finished: Project, file: str) -> None:
    with edited(finished, file):
        assert finished.planned() == jobs(EDITS[file])


def test_a_comment_reruns_nothing(finished: Project) -> None:
    with edited(finished, "src/learnability/core/errors.py", '# a comment\n"""and text"""'):
        assert finished.planned() == {}
