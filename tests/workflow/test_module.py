"""Another workflow takes this one for a module of its own."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from .conftest import RESULTS, Project
from .started import run_snakemake

FIGURE = RESULTS / "gradient_step" / "figures" / "figure_01.png"
OUTER = """
import signal, sys
from copy import deepcopy
from snakemake.logging import logger

configfile: "{project}/config/config.yaml"
configfile: "own.yaml"

before = deepcopy(config), signal.getsignal(signal.SIGINT), list(logger.handlers)

module windows:
    snakefile: {snakefile}
    config: config
    {prefix}

use rule * from windows as windows_*

if before != (config, signal.getsignal(signal.SIGINT), logger.handlers):
    sys.exit("The module changed the workflow that uses it")

rule copy_figure:
    default_target: True
    input: "{folder}{figure}"
    output: "copy.png"
    shell: "cp {{input}} {{output}}"
"""
CORES = ["--cores", "2"]


@pytest.fixture(scope="module")
def project(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> Project:
    return new_project(full)


@pytest.fixture
def own(miniature: dict[str, Any], tmp_path: Path) -> dict[str, Any]:
    """Settings of the outer workflow in `tmp_path`: two roles by one network."""
    roles = miniature["architecture_groups"]["main"]
    settings = miniature | {"runs": {"adamw": ["diag_gate"], "sgd": [], "sgd_momentum": []}}
    settings["architecture_groups"] = {"main": dict.fromkeys(roles, "diag_gate")}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(settings))
    return settings


def committed(project: Project) -> str:
    """The commit of the project in a repository of its own."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    if not (project.folder / ".git").exists():
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
            subprocess.run([*git, *command], cwd=project.folder, check=True)
    process = subprocess.run(["git", "rev-parse", "HEAD"], cwd=project.folder, capture_output=True, check=True)
    return process.stdout.decode().strip()


@pytest.mark.usefixtures("own")
def test_another_workflow_gets_a_figure_from_a_commit_below_a_prefix(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The module takes its files from the repository; its outputs stay below the prefix."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    snakefile = f'gitfile("{project.folder}", path="workflow/Snakefile", commit="{committed(project)}")'
    settings = {"project": project.folder, "figure": FIGURE, "folder": "sub/", "prefix": 'prefix: "sub"'}
    (tmp_path / "Snakefile").write_text(OUTER.format(snakefile=snakefile, **settings))
    result = run_snakemake(CORES, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert (tmp_path / "copy.png").read_bytes() == (tmp_path / "sub" / FIGURE).read_bytes()
    assert not (tmp_path / "results").exists() and not (tmp_path / "logs").exists()
    assert not (project.folder / "results").exists()


def planned(project: Project, folder: Path, snakefile: str, prefix: str) -> str:
    """Plan of an outer workflow in `folder` for all of the module."""
    settings = {"snakefile": snakefile, "prefix": f'prefix: "{prefix}"' if prefix else ""}
    (folder / "Snakefile").write_text(OUTER.format(project=project.folder, figure=FIGURE, folder=prefix, **settings))
    result = run_snakemake([*CORES, "--dry-run", "windows_all"], folder)
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"Done: {prefix}{RESULTS}." in result.stdout
    return result.stdout


@pytest.mark.usefixtures("own")
def test_a_module_of_a_forge_can_be_planned(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git takes the clone of another folder in place of GitHub."""
    forge = tmp_path / "forge" / "owner"
    forge.mkdir(parents=True)
    (forge / "windows").symlink_to(project.folder)
    settings = {"COUNT": "1", "KEY_0": f"url.{forge.parent}/.insteadOf", "VALUE_0": "https://github.com/"}
    for name, value in {f"GIT_CONFIG_{name}": value for name, value in settings.items()}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    planned(project, tmp_path, f'github("owner/windows", path="Snakefile", commit="{committed(project)}")', "sub/")


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(("snakefile", "prefix"), [("workflow/Snakefile", ""), ("Snakefile", "sub/")])
def test_all_of_a_module_can_be_planned(project: Project, tmp_path: Path, snakefile: str, prefix: str) -> None:
    output = planned(project, tmp_path, f'"{project.folder}/{snakefile}"', prefix)
    for line in output.splitlines():
        if line.strip().startswith(("input:", "output:", "log:")):
            files = line.split(":", 1)[1].split(", ")
            of_run = [file.strip() for file in files if "results/" in file or "logs/" in file]
            assert all(file.startswith((f"{prefix}results/", f"{prefix}logs/")) for file in of_run), line
