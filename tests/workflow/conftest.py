import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from learnability.core.yaml_files import load_yaml

from .started import run_snakemake

ROOT = Path(__file__).parents[2]
NAME = "learnability_window/miniature"
RESULTS, LOGS = Path("results") / NAME, Path("logs") / NAME


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in changes.items():
        are_mappings = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if are_mappings else value
    return result


@pytest.fixture(scope="session")
def full() -> dict[str, Any]:
    return load_yaml((ROOT / "config" / "config.yaml").read_text())


@pytest.fixture(scope="session")
def miniature(full: dict[str, Any]) -> dict[str, Any]:
    return merged(full, load_yaml((ROOT / "tests" / "miniature.yaml").read_text()))


class Project:
    """A copy of the project in a folder of its own, run as a user runs it."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder = folder
        for part in ("src", "workflow", "profiles", "config", "envs"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("*jaxtyping*", "*-pytest-*"))
        shutil.copy(ROOT / "Snakefile", folder)
        self.configure(config)

    def configure(self, config: dict[str, Any]) -> None:
        (self.folder / "config" / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))

    def command(self, *arguments: str) -> list[str]:
        cores = [] if "--cores" in arguments else ["--cores", "2"]
        return [sys.executable, "-m", "snakemake", *cores, *arguments]

    def snakemake(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run_snakemake(self.command(*arguments)[3:], self.folder)

    def planned(self, *arguments: str) -> dict[str, int]:
        """Jobs that a run would start: rule → number; the target of all left out."""
        result = self.snakemake("--dry-run", *arguments)
        assert result.returncode == 0, result.stderr + result.stdout
        output = result.stdout + result.stderr
        if "Job stats:" not in output:
            assert "Nothing to be done" in output
            return {}
        rows = output.split("Job stats:")[1].split("total")[0].splitlines()[3:]
        counts = {name: int(count) for name, count in (row.split() for row in rows if row.strip())}
        return {name: count for name, count in counts.items() if name != "everything"}

    def take_run(self, name: str) -> None:
        """Take this tree's own run of a preset, if there was one; what has changed since then is made again."""
        for part in (f"results/{name}", f"logs/{name}", ".snakemake/metadata"):
            if (ROOT / part).exists():
                shutil.copytree(ROOT / part, self.folder / part)

    @contextmanager
    def nothing_stored(self, study: str) -> Iterator[Path]:
        """A folder of stored results of a study with nothing in it but manifests that say so, for a while."""
        folder = self.folder / "results" / "reference" / study
        folder.mkdir(parents=True)
        for name in ("manifest.csv", "manifest.volatile.csv"):
            (folder / name).write_text("path,sha256,bytes\n")
        try:
            yield folder
        finally:
            shutil.rmtree(folder.parent)


@pytest.fixture(scope="session")
def new_project(tmp_path_factory: pytest.TempPathFactory) -> Callable[[dict[str, Any]], Project]:
    return lambda config: Project(tmp_path_factory.mktemp("project"), config)


@pytest.fixture(scope="session")
def finished(new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]) -> Project:
    """The miniature preset, run to its end; from where this tree's own run of it is, if there was one."""
    project = new_project(miniature)
    project.take_run(NAME)
    result = project.snakemake()
    assert result.returncode == 0, result.stdout + result.stderr
    return project
