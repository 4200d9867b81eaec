"""The house: thin scripts, honest digests, environments that agree."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from imports import library_digest, library_modules, module_file
from learnability.pages.caption import caption_html, caption_title

from .conftest import ROOT

SCRIPTS = sorted((ROOT / "workflow" / "scripts").glob("*.py"))
CONDA_NAMES = {"torch": "pytorch", "matplotlib": "matplotlib-base"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_carry_and_do_not_compute(script: Path) -> None:
    assert len(script.read_text().splitlines()) < 40


@pytest.mark.parametrize("script", [path for path in SCRIPTS if path.stem != "job"], ids=lambda path: path.name)
def test_a_digest_covers_all_that_a_script_imports(script: Path) -> None:
    imports = [node for node in ast.parse(script.read_text()).body if isinstance(node, ast.Import | ast.ImportFrom)]
    code = "\n".join(
        [
            *map(ast.unparse, imports),
            "import sys; print(*(name for name in sys.modules if name.startswith('learnability')))",
        ]
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=script.parent, capture_output=True, text=True, check=True
    ).stdout.split()
    assert library_modules(script) >= set(loaded)


def test_a_digest_follows_the_text(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from learnability.errors import require\n")
    assert library_modules(script) == {"learnability", "learnability.errors"}
    assert library_digest(script) != library_digest(script, "learnability.fits")


def test_a_digest_follows_the_text_of_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "learnability"
    shutil.copytree(module_file("learnability").parent, package)
    monkeypatch.setattr("imports.SOURCE", tmp_path)
    measure, window = (ROOT / "workflow" / "scripts" / name for name in ("measure_rates.py", "find_window.py"))
    for source, rerun in (
        ("cells/native.hpp", True),
        ("transport/windows.cpp", True),
        ("training/engines/native.cpp", False),
    ):
        before = library_digest(measure), library_digest(window)
        with (package / source).open("a") as file:
            file.write("// another word")
        assert (library_digest(measure) != before[0]) == rerun
        assert library_digest(window) == before[1]


def test_environments_agree() -> None:
    lines = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and line[0] != "#"]
    pinned = dict(line.split(";")[0].split("==") for line in lines)
    for path in (ROOT / "envs").glob("*.yaml"):
        conda = dict(line.split("=") for line in yaml.safe_load(path.read_text())["dependencies"])
        assert conda.pop("python") == "3.11"
        expected = {CONDA_NAMES.get(name, name): version for name, version in pinned.items()}
        assert conda.items() <= expected.items()


def test_every_import_of_a_job_is_in_its_environment() -> None:
    modules = {name for script in SCRIPTS for name in library_modules(script)}
    modules |= {f"learnability.figures.{path.stem}" for path in (ROOT / "src/learnability/figures").glob("*.py")}
    names = {"yaml": "pyyaml", "mpl_toolkits": "matplotlib", "markdown_it": "markdown-it-py"}
    needed = set()
    for text in [module_file(name).read_text() for name in modules] + [script.read_text() for script in SCRIPTS]:
        for line in text.splitlines():
            if line.startswith(("import ", "from ")):
                needed.add(line.split()[1].split(".")[0])
    needed -= set(sys.stdlib_module_names) | {"learnability", "job"}
    needed = {names.get(name, name) for name in needed}
    dependencies = yaml.safe_load((ROOT / "envs" / "learnability.yaml").read_text())["dependencies"]
    provided = {line.split("=")[0] for line in dependencies}
    assert {CONDA_NAMES.get(name, name) for name in needed} <= provided


def test_every_figure_has_a_caption() -> None:
    figures = {path.stem for path in (ROOT / "src/learnability/figures").glob("figure_*.py")}
    assert figures <= {path.stem for path in (ROOT / "workflow/report").glob("*.rst")}
    assert len(figures) == 11
    appendices = {path.stem for path in (ROOT / "src/learnability/figures").glob("appendix_*.py")} | {"appendix_b"}
    assert appendices == {path.stem for path in (ROOT / "workflow/report").glob("appendix_*.rst")}
    assert len(appendices) == 9


def test_captions_are_text_with_a_title() -> None:
    for path in (ROOT / "workflow/report").glob("*.rst"):
        caption = path.read_text()
        if path.stem != "workflow":  # the report's front page, which names the run
            assert not re.search(r"\{[{%]", caption), f"{path.name}: the index fills no templates"
            assert caption_title(caption) and "<p>" in caption_html(caption)
