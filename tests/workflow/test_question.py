"""A question is nothing but a folder: tests/workflow/toy_question* are found and planned, and one is made."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from learnability.core.store import read_table

from .conftest import Project
from .plans import ARGUMENTS_OF_DIGESTS, INCLUDE_LINE, digests, plan_of

FOLDER = Path(__file__).parent
STUDY = ("--config", "study=gated", "preset=quick")
RESULTS = "results/gated/quick"
WITHOUT_QUICK = {"ground_truth"}
"""Studies without the preset that has fewer networks to plan by the same rules."""


class Planned(NamedTuple):
    """Jobs of a plan of everything that a study has, by rule and architecture; of many with the same the last."""

    project: Project
    jobs: dict[str, dict[str, Any]]
    digests: dict[str, str]  # of the code that each has, by its job's `library`

    def __getitem__(self, name: str) -> dict[str, Any]:
        return self.jobs[name]

    def changed(self, before: "Planned") -> set[str]:
        """Rules that are new, or had other code."""
        return {rule for rule in self.jobs if self.digest(rule) != before.digest(rule)}

    def digest(self, rule: str) -> str | None:
        """Digest of the code of a rule; None of one without, and "" of one that is not planned."""
        key = self.jobs[rule]["library"] if rule in self.jobs else ""
        return self.digests.get(key, key)

    def now(self) -> "Planned":
        """The same jobs with the code as it is now."""
        return self._replace(digests=digests(self.project, self.jobs.values()))


def plan(project: Project, study: str = "gated") -> Planned:
    settings = ("--config", f"study={study}", f"preset={'full' if study in WITHOUT_QUICK else 'quick'}", "--", "all")
    rows = plan_of(project, ARGUMENTS_OF_DIGESTS + INCLUDE_LINE, *settings)["jobs"]
    jobs = {" ".join(filter(None, (job["rule"], job["architecture"]))): job for job in rows}
    return Planned(project, jobs, digests(project, jobs.values()))


def add(toy: str, project: Project, study: str, name: str) -> Path:
    """Put the folder of a question into a project."""
    folder = project.folder / "src" / "studies" / study / name
    shutil.copytree(FOLDER / toy, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def edit(module: Path) -> None:
    """Change the code of a module."""
    with module.open("a") as file:
        file.write("\nEDITED = True\n")


@pytest.fixture(scope="module")
def project(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> Project:
    return new_project(full)


@pytest.fixture(scope="module")
def without(project: Project) -> Planned:
    return plan(project)


@pytest.fixture(scope="module")
def added(project: Project, without: Planned) -> Path:
    """The folder in that project, put there behind the plan without it."""
    return add("toy_question", project, "gated", "leak")


def test_its_jobs_are_planned_by_its_code_and_no_other_is_changed(
    project: Project, without: Planned, added: Path
) -> None:
    after = plan(project)
    assert after.changed(without) == {"make_leak", "show_leak", "explain_questions", "make_index"}
    table, page, figure = (
        f"{RESULTS}/{name}" for name in ("tables/leak_steps.csv", "tables/leak_steps.md", "figures/leak.png")
    )
    statements, captions = (
        f"{RESULTS}/statements/leak.csv",
        {f"src/studies/gated/leak/captions/{name}.rst" for name in ("leak", "leak_steps")},
    )
    assert after["make_leak"]["output"] == [table, page, statements]
    assert after["show_leak"]["output"] == [figure]
    assert {figure, page, table} | captions <= set(after["make_index"]["input"])  # the table for its chart to play with
    assert {page} | captions <= set(after["make_pages"]["input"])
    assert f"{RESULTS}/tables/leak_steps.html" in after["make_pages"]["output"]
    assert {statements, "src/studies/gated/leak/claims.yaml"} <= set(after["score_claims"]["input"])
    tables = [Path(file).stem for file in after["explain_questions"]["input"]]
    assert tables.index("richness_dimensions") + 1 == tables.index("leak_steps") == tables.index("echo_stretch") - 1
    for part, rules in (
        ("figure", {"show_leak"}),
        ("measure", {"make_leak"}),
        ("numbers", {"explain_questions"}),
        ("play", {"make_index"}),
    ):
        edit(added / f"{part}.py")
        before, after = after, after.now()
        assert after.changed(before) == rules, part


def test_it_is_made_by_its_name(project: Project, added: Path) -> None:
    result = project.snakemake("leak", *STUDY)
    assert result.returncode == 0, result.stdout + result.stderr
    assert read_table(project.folder / RESULTS / "tables" / "leak_steps.csv")["steps"].tolist() == pytest.approx(
        [6.58, 1.94, 1], abs=0.01
    )
    assert (project.folder / RESULTS / "figures" / "leak.png").stat().st_size > 1000


def test_its_settings_are_checked(project: Project, added: Path) -> None:
    change = "{exhibits: {leak: {leaks: [2.0]}}}"
    result = project.snakemake("leak", "--dry-run", *STUDY, f"gated={change}")
    assert "Configuration: 'gated.exhibits.leak.leaks.0' must be at most 1. Got 2.0." in result.stderr
    settings = added / "settings.py"
    settings.write_text(settings.read_text().replace("[0.1, 0.3, 0.5]", "[0.5, 0.1]"))
    result = project.snakemake("leak", "--dry-run", *STUDY)
    assert "Configuration: 'gated.exhibits.leak.leaks' must be increasing. Got [0.5, 0.1]." in result.stderr


def test_a_question_of_trials_is_planned_without_another_trial_or_table(project: Project) -> None:
    before = plan(project, "ground_truth")
    folder = add("toy_question_of_trials", project, "ground_truth", "reach")
    after = plan(project, "ground_truth")
    assert after.changed(before) == {"show_reach", "explain_questions"}
    results = "results/ground_truth/full"
    assert after["show_reach"]["output"] == [f"{results}/figures/reach.png"]
    files = after["make_index"]["input"]
    assert {f"{results}/figures/reach.png", "src/studies/ground_truth/reach/captions/reach.rst"} <= set(files)
    assert after["hold_contest"]["output"] == before["hold_contest"]["output"]
    for part, rule in (("figure", "show_reach"), ("numbers", "explain_questions")):
        edit(folder / f"{part}.py")
        before, after = after, after.now()
        assert after.changed(before) == {rule}


def test_a_question_of_networks_is_planned_without_another_measurement_or_table(project: Project) -> None:
    """The figure is drawn with others of the same measurements, and no file lists it."""
    before = plan(project, "learnability_window")
    folder = add("toy_question_of_networks", project, "learnability_window", "end_losses")
    after = plan(project, "learnability_window")
    assert after.changed(before) == {"show_networks", "explain_questions"}
    results, captions = "results/learnability_window/quick", "src/studies/learnability_window/end_losses/captions"
    pictures = {f"{results}/figures/end_losses.{kind}" for kind in ("pdf", "png")}
    assert set(after["show_networks"]["output"]) == {*before["show_networks"]["output"], *pictures}
    assert after["show_networks"]["input"] == before["show_networks"]["input"]
    read = [set(plan["explain_questions"]["input"]) for plan in (after, before)]
    assert read[0] - read[1] == {"src/studies/learnability_window/end_losses/page.md.j2"} and read[1] <= read[0]
    files = {f"{results}/figures/end_losses.png", f"{captions}/end_losses.rst"}
    assert files <= set(after["make_index"]["input"]) - set(before["make_index"]["input"])
    for part, rule in (("figures/end_losses", "show_networks"), ("numbers", "explain_questions")):
        edit(folder / f"{part}.py")
        before, after = after, after.now()
        assert after.changed(before) == {rule}


def test_a_question_of_attention_is_planned_with_its_own_table_alone(project: Project) -> None:
    """The table is made with others of the same measurements, the figure alone, and no file lists either."""
    before = plan(project, "attention")
    folder = add("toy_question_of_attention", project, "attention", "last_losses")
    after = plan(project, "attention")
    assert after.changed(before) == {"tabulate_networks", "show_last_losses", "explain_questions"}
    results, captions = "results/attention/quick", "src/studies/attention/last_losses/captions"
    figure, table = (f"{results}/{name}" for name in ("figures/last_losses.png", "tables/last_losses.csv"))
    tables = [set(plan["tabulate_networks"]["output"]) for plan in (after, before)]
    assert tables[0] - tables[1] == {table, f"{results}/tables/last_losses.md"}
    assert after["tabulate_networks"]["input"] == before["tabulate_networks"]["input"]
    assert after["show_last_losses"]["output"] == [figure]
    assert table in after["explain_questions"]["input"]
    assert {figure, f"{captions}/last_losses.rst"} <= set(after["make_index"]["input"])
    for part, rule in (
        ("figures/last_losses", "show_last_losses"),
        ("tables", "tabulate_networks"),
        ("numbers", "explain_questions"),
    ):
        edit(folder / f"{part}.py")
        before, after = after, after.now()
        assert after.changed(before) == {rule}, part
