"""The miniature preset through Snakemake: what a change makes it do again."""

import copy
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .artefacts import ADAMW, READINGS, RUNS
from .conftest import RESULTS, Project, merged
from .plans import ARGUMENTS_OF_DIGESTS, INCLUDE_LINE, digests, plan_of

Plan = Callable[[dict[str, Any]], dict[str, int]]
OF_READINGS = {"show_rates", "show_windows", "show_sensitivity"}
SHOW = {*OF_READINGS, "show_networks", "show_theory", "show_overview"}
PAGES = {"explain_questions", "make_pages"}
AFTER_RATES = {"show_rates", "show_networks", "show_windows", "score_claims", *PAGES}
AFTER_WINDOWS = {"show_windows", "show_overview", "score_claims", *PAGES}
SENSITIVITY = {"vary_readings", "show_sensitivity", *PAGES}
AFTER_READING = {"measure_windows", *AFTER_WINDOWS, *SENSITIVITY}
AFTER_NETWORK = {"measure_network", *AFTER_RATES}
AFTER_MEASUREMENT = AFTER_READING | AFTER_NETWORK
OF_EPOCHS = {"measure_training", "show_networks", *PAGES}
AFTER_TRAINING = AFTER_MEASUREMENT | OF_EPOCHS | {"measure_resonances", "check_monotonicity"}
SIMULATION = {"check_simulation", "show_theory", "make_pages"}
APPENDICES = {"compute_appendices", "show_theory", "show_windows", *PAGES}
ESTIMATORS = {"check_estimators", "show_windows", *PAGES}


def jobs(rules: set[str]) -> dict[str, int]:
    """Number of jobs by rule when all runs are due; index and manifest follow every change."""
    measurements = ("measure_network", "measure_windows", "measure_training", "measure_resonances")
    counts = {**dict.fromkeys(("train_network", *measurements), len(RUNS)), "vary_readings": len(ADAMW)}
    return {rule: counts.get(rule, 1) for rule in rules | {"make_index", "manifest"}}


@contextmanager
def edited(folder: Path, file: str, addition: str = "EDITED = True") -> Iterator[None]:
    path = folder / file
    text = path.read_text()
    path.write_text(f"{text}\n{addition}\n")
    try:
        yield
    finally:
        path.write_text(text)


def test_reference_weights_stand_in_for_training(finished: Project, miniature: dict[str, Any]) -> None:
    reference = finished.folder / "results" / "reference"
    shutil.copytree(finished.folder / RESULTS / "models", reference / RESULTS.parent.name / "models")
    finished.configure(miniature | {"preset": "again", "weights": "reference"})
    try:
        plan = finished.planned()
    finally:
        finished.configure(miniature)
        shutil.rmtree(reference)
    assert plan["measure_network"] == len(RUNS)
    assert "train_network" not in plan


def test_a_second_run_has_nothing_to_do(finished: Project) -> None:
    assert finished.planned() == {}


def test_a_copy_elsewhere_has_nothing_to_do_whatever_its_dates(finished: Project, tmp_path: Path) -> None:
    """No job names the folder that it was first in; results are older here than what they were made from."""
    project = copy.copy(finished)
    project.folder = tmp_path / "moved"
    shutil.copytree(finished.folder, project.folder)
    now = time.time()
    for file in project.folder.rglob("*"):
        older = file.relative_to(project.folder).parts[0] == "results"
        os.utime(file, (now - 3600 * older, now - 3600 * older))
    assert project.planned() == {}


CHANGES: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    "plot colour": ({"figures": {"colours": {"diag_gate": "#000000"}}}, jobs(SHOW | PAGES)),
    "estimator": (
        {"readings": {"gradient_step": {"noise": {"numerical_floor": 1e-9}}}},
        jobs(AFTER_READING | OF_EPOCHS | {"show_rates"}),
    ),
    "criterion": (
        {"readings": {"gradient_step": {"detection": {"criterion": "snr"}}}},
        jobs(AFTER_READING | OF_EPOCHS),
    ),
    "lag grid": ({"measurement": {"lags": [1, 2, 3]}}, jobs(AFTER_MEASUREMENT)),
    "epochs": ({"training": {"epochs": 4}}, jobs(AFTER_TRAINING | {"train_network"})),
}


@pytest.fixture
def plan_with(finished: Project, miniature: dict[str, Any]) -> Iterator[Plan]:
    """Jobs that the finished run has to do again with other settings."""

    def plan(settings: dict[str, Any]) -> dict[str, int]:
        finished.configure(merged(miniature, settings))
        return finished.planned()

    yield plan
    finished.configure(miniature)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_reruns_what_it_touches(plan_with: Plan, change: str) -> None:
    settings, expected = CHANGES[change]
    assert plan_with(settings) == expected


def test_a_new_seed_runs_only_its_own_jobs_and_the_aggregates(plan_with: Plan) -> None:
    rules = AFTER_TRAINING - {"vary_readings", "show_sensitivity"}
    assert plan_with({"seeds": [0, 1]}) == jobs(rules | {"train_network"}) | {"generate_data": 1}


def test_a_new_reading_is_measured_with_the_others_and_retrains_none(plan_with: Plan) -> None:
    plan = plan_with({"report": [*READINGS, "paper"]})
    # One job measures all readings of a network: what is made of its windows is made for each of them.
    again = OF_READINGS | {"score_claims"}
    assert plan == jobs(AFTER_READING | {"show_rates"}) | dict.fromkeys(again, 1 + len(READINGS)) | {"show_rates": 1}


def test_a_new_architecture_retrains_no_other(plan_with: Plan, miniature: dict[str, Any]) -> None:
    plan = plan_with({"runs": {"adamw": [*miniature["runs"]["adamw"], "diag_gate_slow"]}})
    assert plan["train_network"] == plan["measure_network"] == plan["measure_windows"] == 1


EDITS = {
    "src/studies/learnability_window/authors_windows/figures/figure_02.py": {"show_windows", *PAGES},
    "src/studies/learnability_window/envelopes/figures/figure_04.py": {"show_rates", *PAGES},
    "src/studies/learnability_window/views.py": SHOW | PAGES | {"score_claims"},
    "src/studies/learnability_window/tables/windows.py": SHOW | PAGES,
    "src/learnability/report/typeset.py": SHOW | APPENDICES | ESTIMATORS | SIMULATION | {"score_claims"},
    "src/studies/learnability_window/simulation.py": SIMULATION,
    "src/studies/learnability_window/theory/divergence.py": APPENDICES,
    "src/learnability/report/pages/index.py": {"make_index"},
    "src/learnability/report/pages/page.css": {"explain_questions", "make_index", "make_pages", "score_claims"},
    "src/learnability/report/pages/packed.py": {"make_index"},
    "src/learnability/claims.py": {"score_claims"},
    "src/studies/learnability_window/measures.py": {"score_claims"},
    "src/learnability/windows/statistic.py": AFTER_READING | OF_EPOCHS,
    "src/learnability/transport/windows.py": AFTER_MEASUREMENT | OF_EPOCHS | APPENDICES | {"check_monotonicity"},
    "src/learnability/training/loop.py": AFTER_TRAINING | {"train_network"},
}


CELL_EDITS = {
    "src/learnability/cells/lstm.py": {"lstm"},
    "src/learnability/cells/lstm.hpp": {"lstm"},
    "src/learnability/cells/leaky.hpp": {"const_gate", "diag_gate"},
    "src/learnability/cells/vanilla.hpp": set(),
    "src/learnability/cells/attentive.py": set(),
    "src/learnability/cells/native.hpp": {"const_gate", "diag_gate", "lstm"},
    "src/learnability/cells/cell.py": {"const_gate", "diag_gate", "lstm"},
    "src/learnability/tasks/delayed_sum.py": {"const_gate", "diag_gate", "lstm"},
    "src/learnability/tasks/pixels.py": set(),
    "src/learnability/tasks/registry.py": set(),
}
"""Architectures that are trained and measured again."""
REGISTRATION = """
MINE = Registry({"mine": "learnability.cells.mine:Mine"})
CELLS = CELLS | MINE
"""


class Graph:
    """Jobs of the miniature preset: what they run, from a copy of src/, and whose files they read."""

    def __init__(self, project: Project) -> None:
        self.jobs = plan_of(project, ARGUMENTS_OF_DIGESTS + INCLUDE_LINE, "--", "all")["jobs"]
        maker = {file: number for number, job in enumerate(self.jobs) for file in job["output"]}
        self.project, self.source = project, project.folder / "src"
        self.needs = [{maker[file] for file in job["input"] if file in maker} for job in self.jobs]
        self.before = digests(project, self.jobs)

    def due(self) -> list[dict[str, Any]]:
        """Jobs whose code is no longer what it was, and all that read their files."""
        now = digests(self.project, self.jobs)
        due = {i for i, job in enumerate(self.jobs) if now.get(job["library"]) != self.before.get(job["library"])}
        while new := {i for i, makers in enumerate(self.needs) if due & makers} - due:
            due |= new
        return [self.jobs[i] for i in sorted(due)]

    def rules_due(self) -> set[str]:
        return {job["rule"] for job in self.due()} - {"all"}


@pytest.fixture(scope="module")
def graph(new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]) -> Graph:
    return Graph(new_project(miniature))


@pytest.mark.parametrize("file", EDITS)
def test_an_edit_of_a_module_concerns_what_imports_it(graph: Graph, file: str) -> None:
    with edited(graph.source.parent, file):
        assert graph.rules_due() == EDITS[file] | {"make_index", "manifest"}
    assert graph.rules_due() == set()


@pytest.mark.parametrize("file", CELL_EDITS)
def test_an_edit_of_a_cell_or_task_concerns_its_networks(graph: Graph, file: str) -> None:
    addition = "constexpr int EDITED = 1;" if file.endswith(".hpp") else "EDITED = True"
    with edited(graph.source.parent, file, addition):
        due = graph.due()
        assert architectures_of("train_network", due) == CELL_EDITS[file]
        assert architectures_of("measure_windows", due) == CELL_EDITS[file]


def test_a_new_cell_concerns_no_network(graph: Graph) -> None:
    cells = "src/learnability/cells"
    with edited(graph.source.parent, f"{cells}/__init__.py", REGISTRATION):
        new = graph.source / "learnability" / "cells" / "mine.py"
        new.write_text("from learnability.cells.cell import Cell\n\n\nclass Mine(Cell):\n    pass\n")
        try:
            assert architectures_of("train_network", graph.due()) == set()
        finally:
            new.unlink()


def architectures_of(rule: str, due: list[dict[str, Any]]) -> set[str]:
    """Architectures of jobs of a rule."""
    return {job["architecture"] for job in due if job["rule"] == rule}


def test_what_an_edit_concerns_runs_again(finished: Project) -> None:
    file = "src/learnability/windows/statistic.py"
    with edited(finished.folder, file):
        assert finished.planned() == jobs(EDITS[file])


def test_a_comment_reruns_nothing(finished: Project) -> None:
    with edited(finished.folder, "src/learnability/core/errors.py", '# a comment\n"""and text"""'):
        assert finished.planned() == {}
