"""The pages: fragments that are valid, commands that lead somewhere, links that hold."""

import doctest
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest
import torch
from torch.func import jacrev, jvp

import generated
from configuration import check
from learnability.core.errors import InputError
from learnability.core.store import read_table
from learnability.core.yaml_files import load_yaml
from learnability.networks.attention import attention_map
from learnability.networks.network import Network, hidden_units
from learnability.report.findings import in_words
from learnability.report.scorecard import BY_CONSTRUCTION, MAIN, OURS, UNTESTED, VERDICTS, judge_claims
from studies.front_page.picture import rows_of_gates

from .conftest import ROOT, Project, merged

PLACES = ("*", "config/*", "docs/*", "results/*", "results/reference/*/findings")
REFERENCE = ROOT / "results" / "reference"
PAGES = sorted(page for place in PLACES for page in ROOT.glob(f"{place}.md"))
GITHUB = ROOT / ".github"


def blocks(page: str, language: str) -> list[str]:
    """Fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "docs" / page).read_text(), re.DOTALL | re.MULTILINE)


def commands(page: str, program: str) -> list[str]:
    lines = "".join(blocks(page, "sh")).splitlines()
    return list(dict.fromkeys(line.removesuffix(" --dry-run") for line in lines if line.startswith(f"{program} ")))


def anchor_of(heading: str) -> str:
    """Anchor of a heading, as forges and the site name it."""
    return re.sub(r"[^\w\- ]", "", heading.strip()).lower().replace(" ", "-")


def anchors(page: Path) -> set[str]:
    return set(map(anchor_of, re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)))


def section_of(page: Path, anchor: str) -> str:
    """Section of a page under a heading, or the whole page without an anchor."""
    if not anchor:
        return page.read_text()
    parts = re.split(r"^#+ (.*)$", page.read_text(), flags=re.MULTILINE)
    return dict(zip(map(anchor_of, parts[1::2]), parts[2::2], strict=True))[anchor]


def numbers_in(text: str) -> set[str]:
    """Words with a digit, as they stand there."""
    words = [word.strip(".,;:()*|") for word in text.replace("−", "-").split()]
    return {word for word in words if any(letter.isdigit() for letter in word)}


def save_files(page: str, folder: Path) -> None:
    """Write the YAML fragments that name a file in their first line."""
    for block in blocks(page, "yaml"):
        if name := re.match(r"# (config/\w+\.yaml)\n", block):
            (folder / name[1]).write_text(block)


def test_numbers_of_the_readme_are_those_of_the_pages_that_it_links() -> None:
    page = (ROOT / "README.md").read_text()
    table = page.partition("<!-- findings -->")[2].partition("<!-- end -->")[0]
    trust = page.partition("**How far to trust it:**")[2].partition("<sub>")[0]
    rows = [row for row in table.splitlines() if "](" in row]
    statements = re.findall(r"^\* (.*)$", trust, re.MULTILINE)
    assert len(rows) == 7 and len(statements) == 2
    for text in [*rows, *statements]:
        links = re.findall(r"\]\(([^)#]+)(?:#([^)]+))?\)", text)
        sources = {number for page, anchor in links for number in numbers_in(section_of(ROOT / page, anchor))}
        numbers = numbers_in(re.sub(r"\[.*?\]\(.*?\)", "", text)) - {"1/T"}
        assert numbers
        assert numbers <= sources, (numbers - sources, text)


def test_the_overview_counts_what_the_stored_tables_count() -> None:
    page = (ROOT / "README.md").read_text()

    def count_claims(path: str, *groups: str, column: str = "verdict") -> tuple[pd.Series, int, pd.DataFrame]:
        scores = read_table(REFERENCE / path / "scorecard.csv")
        rows = scores[(scores["where"] != OURS) & scores["group"].isin(groups or set(scores["group"]))]
        claims = judge_claims(rows.assign(verdict=rows[column]))
        successes = claims[claims["verdict"] == "reproduced"]
        verdicts = claims["verdict"].value_counts()
        testable = len(claims) - verdicts.get(UNTESTED, 0)
        return verdicts, testable, successes[(successes["tuned"] == "no") & (successes["after_results"] == "no")]

    counts, testable, blind = count_claims("learnability_window/paper", MAIN)
    successes, construction = counts["reproduced"], counts[BY_CONSTRUCTION]
    assert (blind["by_construction"] == "no").sum() == 1 and "and one of these owes nothing to construction" in page
    numbers = [testable, successes, counts["partly"], counts["not reproduced"], construction]
    assert f"group main) | {' | '.join(map(str, numbers))} |" in page
    assert f"Only {len(blind)} of Livi's {successes} rest on tests written in advance with nothing tuned" in page
    counts, testable, _ = count_claims("attention")
    all_counts, all_testable, _ = count_claims("attention", column="if all counted")
    numbers = [testable, *(counts.get(name, 0) for name in ("reproduced", "partly", "not reproduced", BY_CONSTRUCTION))]
    assert (
        f"on attention ([scorecard](results/reference/attention/scorecard.md)) | {' | '.join(map(str, numbers))} |"
        in page
    )
    assert (
        f"leaves out {all_testable - testable} claims, of networks that had not learned or whose state overflows. All "
        f"counted, {all_counts['reproduced']} of {all_testable} are reproduced and {all_counts['not reproduced']} are "
        f"not. 38 of the {counts['reproduced']} are table cells" in page
    )
    order = read_table(REFERENCE / "learnability_window" / "tables" / "detection_order.csv").query("epoch <= 10")
    before = in_words(order.set_index("epoch")["all in order"][0])
    assert f"the order holds in {before} of five seeds before training, and in all five at one stored epoch" in page
    assert order.loc[order["all in order"] == order["seeds"], "epoch"].tolist() == [2] and "epoch 2, which we" in page


def test_lags_half_learned_by_start_and_optimiser_are_those_of_the_table() -> None:
    page = " ".join((ROOT / "docs" / "practice.md").read_text().split())
    table = read_table(REFERENCE / "learnability_window" / "tables" / "through_training.csv")
    gates, is_adamw = ["ConstGate", "SharedGate", "DiagGate"], table["optimizer"] == "adamw"
    of_gates = table[table["architecture"].isin(gates)]
    closed = table[is_adamw & ~table["architecture"].isin([*gates, "LSTM", "GRU"])]
    counts = of_gates.groupby(of_gates["optimizer"].str.replace("sgd_0.01", "sgd"))[["half learned", "seeds"]].sum()
    shares = {name: f"{row['half learned']} of {row['seeds']}" for name, row in counts.iterrows()}
    assert (
        f"from ordinary starts it is {shares['adamw']} under AdamW, {shares['sgd_momentum']} under SGD with momentum "
        f"and {shares['sgd']} under plain SGD. From starts at 0.05 or below, under AdamW, it is "
        f"{closed['half learned'].sum()} of {closed['seeds'].sum()}" in page
    )


def test_the_answer_of_the_overview_is_what_the_three_gates_learn() -> None:
    page = " ".join((ROOT / "README.md").read_text().split())
    table = read_table(REFERENCE / "learnability_window" / "tables" / "through_training.csv")
    names = ["ConstGate", "SharedGate", "DiagGate"]
    rows = table[table["architecture"].isin(names) & (table["optimizer"] == "adamw") & (table["lag"] == 128)]
    assert "128 steps back with two thirds of the right weight after 500 epochs, and half after 200" in page
    assert len(rows) == 3
    assert rows["r/c, epoch 500"].between(0.63, 0.69).all() and rows["r/c, epoch 200"].between(0.45, 0.55).all()
    rows = rows_of_gates(read_table(REFERENCE / "ground_truth" / "tables" / "half_learned.csv"))
    n50 = rows.groupby("lag")["n50"]
    assert "with sparse inputs ConstGate half learns each lag from the fewest sequences (picture)" in page
    assert set(rows.loc[n50.idxmin(), "architecture"]) == {"const_gate"}
    ends = {lag: f"{of_lag.min():.0f} to {of_lag.max():.0f}" for lag, of_lag in n50}
    words = f"require {ends[8]} sequences to half learn lag 8, {ends[16]} for lag 16 and {ends[32]} for lag 32."
    assert f"{words} These have 32 units, 6,000 updates and sparse inputs, at one step in twenty." in page
    settings = load_yaml((ROOT / "config" / "ground_truth.yaml").read_text())
    assert settings["ground_truth"]["updates"] == 6000 and settings["network"]["hidden_size"] == 32


def test_numbers_of_the_advice_are_those_of_the_findings_that_it_links() -> None:
    page = ROOT / "docs" / "practice.md"
    content = page.read_text().replace("the same finding", "")
    advice = [part for part in re.split(r"\n(?=\* |\||\n|#)", content) if "findings.md#" in part]
    assert len(advice) > 12
    for text in advice:
        links = re.findall(r"\]\(([^)#]+)#([^)]+)\)", text)
        sections = [
            section
            for name, anchor in links
            for section in (page.parent / name).read_text().split("\n## ")
            if re.sub(r"[^\w\- ]", "", section.partition("\n")[0]).strip().lower().replace(" ", "-") == anchor
        ]
        assert len(sections) == len(links), text
        words = [word.strip(".,;:()*") for word in re.sub(r"\[.*?\]\(.*?\)", "", text).split()]
        numbers = [word for word in words if word[:1].isdigit()]
        whole = [
            re.compile(rf"(?<![\w.,]){re.escape(word)}0*(?!\w|[.,]\d)") for word in numbers
        ]  # "7" is not in "76,300"
        assert [number.pattern for number in whole if not any(map(number.search, sections))] == [], text


def test_the_glossary_has_words_in_order_and_all_cells_of_the_comparison() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text()
    words = re.findall(r"^\| ([^|]+) \|", text.partition("## Words")[2].partition("## ")[0], re.MULTILINE)[2:]
    assert len(words) > 20 and words == sorted(words, key=str.casefold)
    cells = text.partition("## Cells and tasks")[2].partition("## ")[0]
    names = load_yaml((ROOT / "config" / "comparison.yaml").read_text())["figures"]["labels"].values()
    assert [name for name in names if not all(part in cells for part in name.split())] == []


def plan(project: Project, command: str) -> str:
    result = project.snakemake(*command.split()[1:], "--dry-run")
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_rows_of_a_table_have_the_cells_of_its_head(page: Path) -> None:
    for table in re.findall(r"(?:^\|.*\n)+", page.read_text(), re.MULTILINE):
        cells = [len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()]
        assert len(set(cells)) == 1, table


@pytest.fixture(scope="module")
def with_reference(new_project: Callable[..., Project], full: dict[str, Any]) -> Project:
    """A project with the stored results."""
    project = new_project(full)
    (project.folder / "results").mkdir()
    (project.folder / "results" / "reference").symlink_to(REFERENCE)
    return project


def test_the_overview_counts_the_jobs_of_quick(with_reference: Project) -> None:
    (number,) = re.findall(r"`make run` has (\d+) jobs", (ROOT / "README.md").read_text())
    assert re.search(rf"total +{number}\n", plan(with_reference, "snakemake --configfile config/quick.yaml"))


def test_commands_of_the_overviews_are_ones(with_reference: Project) -> None:
    commands: dict[str, None] = {}
    for page, least in (("README.md", 6), ("docs/artifact.md", 3)):
        lines = re.findall(r"^ {4,}(snakemake .*?)(?: +#.*)?$", (ROOT / page).read_text(), re.MULTILINE)
        assert len(lines) >= least
        commands |= dict.fromkeys(line.replace(" --use-conda", "") for line in lines)  # which needs conda even to plan
    for command in commands:
        assert plan(with_reference, command), command


def test_pages_of_the_site_are_made_without_the_packages_of_the_project() -> None:
    """Alone it can catch an import by which `make site`, whose environment lacks them, no longer starts."""
    program = "import sys; sys.path.insert(0, 'docs'); import generated; print(*sys.modules)"
    end = subprocess.run([sys.executable, "-I", "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert end.returncode == 0, end.stderr
    assert {"jinja2", "matplotlib", "numpy", "pandas", "scipy", "torch"}.isdisjoint(end.stdout.split())


def test_every_page_is_in_the_navigation() -> None:
    """The findings are not listed, since the site takes them from where they are stored."""
    text = re.sub(r"!!python/\S+", "", (ROOT / "mkdocs.yml").read_text())
    by_hand = {name for entry in load_yaml(text)["nav"] for name in entry.values()}
    assert by_hand == {str(page.relative_to(ROOT)) for page in PAGES if page.stem != "findings"}


def test_the_overview_asks_what_the_studies_ask() -> None:
    questions = re.findall(r"^\| `(\w+)` \| (.*?\?) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert dict(questions) == {study.name: generated.summary(study) for study in generated.STUDIES}


def test_every_study_has_a_page_that_says_how_to_run_it() -> None:
    pages = generated.study_pages()
    for study in generated.STUDIES:
        page = pages[f"docs/studies/{study.name}.md"]
        assert generated.summary(study) in page
        assert generated.settings(study.name)
        for path in generated.settings(study.name):
            assert f"(../../{path.relative_to(ROOT)})" in page
        findings = REFERENCE / study.name / "findings.md"
        assert not findings.is_file() or page.count("findings.md#") == findings.read_text().count("\n## ")


def test_every_stored_figure_is_in_the_gallery() -> None:
    page = generated.gallery()
    figures = re.findall(r"\]\(\.\./(\S+\.png)\)$", page, re.MULTILINE)
    files = [str(path.relative_to(ROOT)) for path in REFERENCE.glob("*/**/*.png")]  # the front page has its own
    assert files
    assert sorted(figures) == sorted(files)


def test_commands_of_the_gallery_name_targets(with_reference: Project) -> None:
    commands = re.findall(r"^`(snakemake .*)`$", generated.gallery(), re.MULTILINE)
    assert commands
    of_configuration: dict[str, list[str]] = {}
    for command in commands:
        _, target, *options = command.split()
        of_configuration.setdefault(" ".join(options), []).append(target)
    for options, targets in of_configuration.items():
        result = with_reference.snakemake("--list-target-rules", *options.split())
        assert set(targets) <= set(result.stdout.split()), result.stderr


def test_formulas_in_a_line_are_read_alike_by_forges() -> None:
    """GitHub may take a backslash before punctuation for an escape, and _ after it for emphasis."""
    for page in PAGES:
        text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        for formula in re.findall(r"\$([^$\n]+)\$", text):
            assert not re.search(r"\\[^\w\s]|[^\w\s]_|[*|<]\w*[*]|^\s|\s$", formula), f"{page.name}: {formula}"
        assert text.count("$") % 2 == 0, page.name


def test_the_artifact_expects_the_stored_verdicts() -> None:
    text = (ROOT / "docs" / "artifact.md").read_text()
    rows = re.findall(r"^\| \[`(\w+)`\].*?\| (main|all)((?: \| \d+){5}) \|$", text, re.MULTILINE)
    readings = ["paper", "published_code", "gradient_step"]
    assert [row[:2] for row in rows] == [(reading, groups) for reading in readings for groups in ("main", "all")]
    for reading, groups, numbers in rows:
        scores = read_table(REFERENCE / "learnability_window" / reading / "scorecard.csv")
        part = scores[(scores["where"] != OURS) & ((scores["group"] == MAIN) | (groups == "all"))]
        assert f"of {part['id'].nunique()} claims" in text
        counts = judge_claims(part)["verdict"].value_counts()
        assert [int(number) for number in re.findall(r"\d+", numbers)] == [counts.get(name, 0) for name in VERDICTS]


def test_verdicts_that_turned_are_the_stored_ones() -> None:
    section = (ROOT / "docs" / "science.md").read_text().split("### Tests of the first paper")[1]
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([\w ]+) \| ([\w ]+) \|$", section, re.MULTILINE)
    counts = {}
    for reading in ("paper", "published_code", "gradient_step"):
        scores = read_table(REFERENCE / "learnability_window" / reading / "scorecard.csv")
        main = scores[(scores["group"] == MAIN) & (scores["where"] != OURS)].set_index("id")["verdict"]
        counts[reading] = ((main == "reproduced").sum(), (main != UNTESTED).sum())
        if reading == "published_code":
            assert main["envelope_governs"] == "reproduced" and rows[-1][0] == "envelope_governs"
        if reading == "paper":
            assert {name: now for name, _, now in rows} == main[[name for name, *_ in rows]].to_dict()
    assert len(rows) == 9 and all(before != now for _, before, now in rows)
    reproduced, testable = counts["paper"]
    assert f"{reproduced} of {testable} claims are reproduced now, where 11 of 50 had been" in section
    others = [counts[reading][0] for reading in ("published_code", "gradient_step")]
    assert "by the public code {}, not 13; by the gradient step {}, not 13.".format(*others) in section


def test_the_artifact_counts_the_stored_networks() -> None:
    (number,) = re.findall(r"LSTM and GRU, (\d+) networks", (ROOT / "docs" / "artifact.md").read_text())
    assert int(number) == len(list((REFERENCE / "learnability_window" / "models").rglob("weights.safetensors")))


def test_a_clone_without_networks_is_small_and_says_how_to_get_them(tmp_path: Path) -> None:
    """Alone it can catch a repository that outgrows what the pages promise, or a command that brings all networks."""
    clone, into, sparse = (
        line for block in blocks("howto.md", "sh") if "--sparse" in block for line in block.splitlines()
    )
    assert into == "cd learnability"
    serve = "--upload-pack='git -c uploadpack.allowFilter=true upload-pack'"  # as forges do
    clone = clone.replace("<address of this repository>", f"{serve} file://{ROOT}")
    subprocess.run(f"{clone} && cd learnability && {sparse}", shell=True, cwd=tmp_path, check=True, capture_output=True)
    folder = tmp_path / "learnability"
    (transferred,) = re.findall(r"about (\d+) MB in place of", (ROOT / "docs" / "howto.md").read_text())
    packed = sum(file.stat().st_size for file in (folder / ".git").rglob("*.pack")) / 1e6
    assert packed < 60
    assert packed == pytest.approx(int(transferred), rel=0.1)
    assert (folder / "README.md").is_file() and not list(folder.rglob("*.safetensors"))
    config = ["--cores", "1", "--dry-run", "--configfile", "config/reference.yaml"]
    refused = subprocess.run([sys.executable, "-m", "snakemake", *config], cwd=folder, capture_output=True, text=True)
    assert "'weights' must be trained" not in refused.stderr
    assert "gets them by `git sparse-checkout disable`" in refused.stderr


def test_the_release_has_one_version_and_date() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = load_yaml((ROOT / "CITATION.cff").read_text())
    (version, date), *_ = re.findall(r"^## (\S+) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert project["version"] == citation["version"] == version
    assert str(citation["date-released"]) == date


def test_the_catalog_of_workflows_finds_what_it_looks_for() -> None:
    """The checks are in scripts/generate-catalog.py of snakemake-workflow-catalog.

    The project has no settings for the catalog: with them it would offer `snakedeploy`, which takes no src/ along.
    """
    assert (ROOT / "workflow" / "Snakefile").is_file()
    assert list((ROOT / "workflow" / "rules").glob("*.smk"))
    assert {"snakemake", "workflow"} <= set(re.findall(r"\w+", (ROOT / "README.md").read_text().lower()))
    assert not (ROOT / ".snakemake-workflow-catalog.yml").exists()


@pytest.mark.parametrize("fragment", blocks("howto.md", "yaml"), ids=lambda fragment: fragment.splitlines()[0])
@pytest.mark.parametrize("preset", ["config", "quick"])
def test_fragments_are_valid_over_each_preset(full: dict[str, Any], fragment: str, preset: str) -> None:
    base = merged(full, load_yaml((ROOT / "config" / f"{preset}.yaml").read_text()))
    config = merged(base, load_yaml(fragment))
    assert config != base
    check(config)


def test_a_further_cell_of_the_howto_is_compared_with_all_others(full: dict[str, Any]) -> None:
    """Alone it can catch a family that leaves out a cell that another setting names."""
    section = (ROOT / "docs" / "howto.md").read_text().partition("… add a cell to the comparison")[2]
    study = merged(full, load_yaml((ROOT / "config" / "comparison.yaml").read_text()))
    config = merged(study, load_yaml(section.split("```")[1]))
    check(config)
    cells, more_cells = (sum(map(len, part["comparison"]["families"].values())) for part in (study, config))
    assert more_cells == cells + 1
    sizes, sums = config["comparison"]["sizes"].values(), config["comparison"]["divisor"]
    contests = len(config["comparison"]["contests"]) + sum(map(len, sizes)) + len(sums)
    assert f"all {more_cells} cells race then, {contests * more_cells} races" in " ".join(section.split())


def test_the_table_of_readings_is_the_configuration(full: dict[str, Any]) -> None:
    text = (ROOT / "docs" / "science.md").read_text()
    rows = re.findall(r"^\| `(\w+)\.(\w+)` \| .* \| (\S+) \| (\S+) \| (\S+) \|$", text, re.MULTILINE)
    for place, name in enumerate(("paper", "published_code", "gradient_step"), 2):
        reading: dict[str, dict[str, Any]] = {}
        for row in rows:
            reading.setdefault(row[0], {})[row[1]] = load_yaml(row[place])
        assert reading == full["readings"][name]


def test_the_example_of_the_howto_runs() -> None:
    failures, examples = doctest.testfile(str(ROOT / "docs" / "howto.md"), module_relative=False)
    assert examples > 0
    assert not failures


def test_commands_of_the_howto_have_targets(new_project: Callable[..., Project], full: dict[str, Any]) -> None:
    project = new_project(full)
    save_files("howto.md", project.folder)
    for kind in ("weights.safetensors", "diagnostic.nc"):  # as the page says, in place of the workflow's
        (path,) = re.findall(rf"`(results/\S+{kind})`", (ROOT / "docs" / "howto.md").read_text())
        file = project.folder / path.format(preset="own", architecture="diag_gate", optimizer="adamw", seed=0)
        file.parent.mkdir(parents=True)
        file.touch()
    (command,) = (command for command in commands("howto.md", "snakemake") if "config/own.yaml" in command)
    assert set(re.findall(r"^(\w+) +\d+$", plan(project, command), re.MULTILINE)) == {
        "measure_windows",
        "total",
    }


def test_commands_of_the_tutorial_have_targets(new_project: Callable[..., Project], full: dict[str, Any]) -> None:
    project = new_project(full)
    save_files("tutorial.md", project.folder)
    first, slower, softsign, sharp = commands("tutorial.md", "snakemake")
    assert re.search(r"total +9\n", plan(project, first))
    assert slower == f"{first} config/slower.yaml"
    base = full
    for name in ("quick", "first", "slower"):
        base = merged(base, load_yaml((project.folder / "config" / f"{name}.yaml").read_text()))
    check(base)
    for command in commands("tutorial.md", "sed"):
        file = project.folder / command.split()[-1]
        before = file.read_text()
        subprocess.run(command, shell=True, cwd=project.folder, check=True)
        assert file.read_text() != before
    cell, _, attention = blocks("tutorial.md", "python")
    cells = project.folder / "src" / "learnability" / "cells"
    result = project.snakemake(*softsign.split()[1:], "--dry-run")
    message = "'architectures.softsign_gate.cell' must be registered by the module and name of a class that is there"
    assert f"Configuration: {message}. Got 'learnability.cells.softsign:SoftsignGate'.\n" in result.stderr
    (cells / "softsign.py").write_text(cell)
    assert "softsign_gate/adamw/seed0" in plan(project, softsign)
    (cells / "sharp.py").write_text(attention)
    output = plan(project, sharp)
    assert "Gradients before training: sharp_rnn\n" in output
    assert "copy_10/sharp_rnn/seed0" in output


def test_the_cell_of_the_tutorial_is_linearized_as_it_steps(
    normal: Callable[..., torch.Tensor], monkeypatch: pytest.MonkeyPatch
) -> None:
    cell_code, test_code, _ = blocks("tutorial.md", "python")
    module = ModuleType("learnability.cells.softsign")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(cell_code, module.__dict__)
    own_test: dict[str, Any] = {}
    exec(test_code, own_test)
    own_test["test_the_step_is_the_equation_of_the_cell"](normal)
    cell = module.__dict__["SoftsignGate"](3, 5, gate_init=0.3)
    p, w = ({name: normal(*value.shape) for name, value in cell.initial_parameters(1, 0).items()} for _ in range(2))
    h, x = normal(5), normal(3)
    linear = cell.linearize(p, h, x)
    jacobian = jacrev(lambda state: cell.step(p, state, x))(h)
    torch.testing.assert_close(linear.split().whole, jacobian, rtol=1e-12, atol=1e-14)
    _, along = jvp(lambda parameters: cell.step(parameters, h, x), (p,), (w,))
    torch.testing.assert_close(linear.along_parameters(w), along, rtol=1e-12, atol=1e-14)


def test_the_attention_of_the_tutorial_is_the_softmax_of_its_scores(
    normal: Callable[..., torch.Tensor], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("learnability.cells.sharp")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(blocks("tutorial.md", "python")[-1], module.__dict__)
    settings = next(load_yaml(text) for text in blocks("tutorial.md", "yaml") if "sharp_rnn" in text)
    network = Network.build(settings["architectures"]["sharp_rnn"], 3, 5, readout_bias=True)
    p = {name: normal(*value.shape) for name, value in network.cell.initial_parameters(1, 0).items()}
    x, s, h = normal(1, 6, 3), torch.zeros(5).double(), []
    weights = attention_map(network.cell, p, x)[0]
    for t, x_t in enumerate(x[0]):
        h.append(torch.tanh(p["W_h"] @ x_t + p["U_h"] @ s + p["b_h"]))
        scores = torch.stack([p["v_a"] @ torch.tanh(p["W_a"] @ s + p["U_a"] @ past) for past in h])
        alpha = torch.exp(4 * scores) / torch.exp(4 * scores).sum()
        s = (h[-1] + sum(weight * past for weight, past in zip(alpha, h, strict=True))) / 2
        torch.testing.assert_close(weights[t, : t + 1], alpha, rtol=1e-12, atol=1e-14)
    torch.testing.assert_close(hidden_units(network.cell, p, x)[0], torch.stack(h), rtol=1e-12, atol=1e-14)
    with pytest.raises(InputError, match=r"'sharpness' must be at least 0\. Got -1"):
        module.__dict__["SharpRNN"](3, 5, sharpness=-1)


def test_a_tool_of_the_site_and_of_the_project_has_one_pin() -> None:
    texts = [(ROOT / folder / "requirements.txt").read_text() for folder in ("docs", ".")]
    site, project = (dict(re.findall(r"^([\w-]+)==(\S+)", text, re.MULTILINE)) for text in texts)
    common = set(site) & set(project)
    assert common
    assert all(site[name] == project[name] for name in common)


def test_actions_are_pinned() -> None:
    texts = [path.read_text() for path in (GITHUB / "workflows").glob("*.yml")]
    actions = [action for text in texts for action in re.findall(r"uses: (\S+)", text)]
    assert actions
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) for action in actions)


@pytest.mark.parametrize("form", ["bug", "claim", "architecture"])
def test_issue_forms_ask_something(form: str) -> None:
    content = load_yaml((GITHUB / "ISSUE_TEMPLATE" / f"{form}.yml").read_text())
    assert content["name"]
    assert content["description"]
    assert any(field["validations"]["required"] for field in content["body"] if "validations" in field)
