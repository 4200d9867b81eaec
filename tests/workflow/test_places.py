"""The same plan from the top of the project, from workflow/, and from any other folder; presets by name."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnability.core.errors import InputError
from presets import check_file, files_below, shipped_presets

from .conftest import ROOT, Project
from .started import run_snakemake


@pytest.fixture(scope="module")
def project(new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any]) -> Project:
    return new_project(full)


def planned(folder: Path, *arguments: str) -> str:
    """The line of a dry run on the job that makes the sequences of one seed of `quick`."""
    target = "results/learnability_window/quick/data/seed0/diagnostic.nc"
    result = run_snakemake(["--cores", "2", target, "--dry-run", "--config", "preset=quick", *arguments], folder)
    assert result.returncode == 0, result.stdout + result.stderr
    (job,) = re.findall(r"^Job 0: .*$", result.stdout, re.MULTILINE)
    return job


def test_every_place_gives_the_same_plan(project: Project, tmp_path: Path) -> None:
    at_the_top = planned(project.folder)
    assert at_the_top == "Job 0: Data: diagnostic sequences of seed 0"
    assert planned(project.folder, "--directory", str(tmp_path / "other")) == at_the_top
    assert planned(tmp_path, "-s", str(project.folder / "workflow" / "Snakefile")) == at_the_top


def test_both_snakefiles_have_the_same_rules_and_plan_all(project: Project) -> None:
    """The lists have the rules of a study, and the target of all by its name."""
    rules = {}
    for snakefile in ("Snakefile", "workflow/Snakefile"):
        result = project.snakemake("-s", snakefile, "--list-rules", "--config", "study=ground_truth")
        rules[snakefile] = set(result.stdout.split())
    assert {"all", "hold_contest"} <= rules["workflow/Snakefile"]
    assert rules["Snakefile"] == rules["workflow/Snakefile"] | {"everything"}


PRESETS = {
    "a file": ({"study": "attention", "preset": "quick"}, ["attention/full.yaml", "attention/quick.yaml"]),
    "the first study": ({"study": "learnability_window", "preset": "quick"}, ["quick.yaml"]),
    "its full scale": ({"study": "learnability_window", "preset": "full"}, []),
    "a name of one's own": ({"study": "gated", "preset": "mine"}, ["gated/full.yaml"]),
    "a study outside its folder": ({"study": "ground_truth", "preset": "full"}, ["ground_truth.yaml"]),
    "a study of one's own": ({"study": "recall", "preset": "quick"}, []),
    "no study at all": ({}, []),
}


@pytest.mark.parametrize("case", PRESETS)
def test_a_preset_names_its_files(case: str) -> None:
    config, files = PRESETS[case]
    assert files_below(ROOT, config, []) == [str(ROOT / "config" / file) for file in files]


@pytest.mark.parametrize(
    ("config", "given", "message"),
    [
        ({"study": "ground_truth", "preset": "quick"}, [], r"'preset' must be one of the study's \(full\), or a name"),
        ({"study": "attention", "preset": "quick"}, ["quick.yaml"], "'study' must be 'learnability_window' with the"),
        ({"study": "learnability_window", "preset": "full"}, ["quick.yaml"], "'preset' must be 'quick' with the file"),
        ({"study": "gated", "preset": "quick"}, ["gated/full.yaml"], "'preset' must be 'full' with the file 'gated/fu"),
    ],
)
def test_a_preset_in_the_folder_of_another_is_refused(config: dict[str, Any], given: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        files_below(ROOT, config, [ROOT / "config" / file for file in given])


def test_files_that_are_laid_over_one_another_are_not_refused() -> None:
    folder = ROOT / "config"
    quick = {"study": "gated", "preset": "quick"}
    assert files_below(ROOT, quick, [folder / "gated" / "full.yaml", folder / "gated" / "quick.yaml"]) == []
    mine = {"study": "learnability_window", "preset": "mine"}
    assert files_below(ROOT, mine, [folder / "config.yaml", folder / "quick.yaml"]) == []


def test_a_base_file_that_names_a_preset_says_all_of_it(tmp_path: Path) -> None:
    """An edited base is complete: nothing of quick.yaml is laid over it."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    base = tmp_path / "config" / "config.yaml"
    base.write_text(base.read_text().replace("preset: full", "preset: quick"))
    assert files_below(tmp_path, {"study": "learnability_window", "preset": "quick"}, []) == []
    assert files_below(tmp_path, {"study": "learnability_window", "preset": "extended"}, [])
    assert files_below(tmp_path, {"study": "gated", "preset": "full"}, [])


def test_files_of_ones_own_are_laid_over_others_only_where_they_are_given(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    for name, text in {
        "mine.yaml": "preset: full\nroot_seed: bad",
        "zmine.yaml": "study: gated\npreset: quick",
        "gated/mine.yaml": "study: gated\npreset: quick",
        "._mine.yaml": "preset: mine",
    }.items():
        (tmp_path / "config" / name).write_text(text)
    (tmp_path / "config" / "other.yaml").write_bytes(b"\xff\xfe")
    (tmp_path / "config" / ".#quick.yaml").symlink_to("user@host.1:1")
    (tmp_path / "config" / "broken.yaml").symlink_to("nowhere")
    presets = {preset: path.relative_to(ROOT) for preset, path in shipped_presets(ROOT).items()}
    assert {preset: path.relative_to(tmp_path) for preset, path in shipped_presets(tmp_path).items()} == presets
    assert files_below(tmp_path, {"study": "learnability_window", "preset": "full"}, []) == []


def test_every_shipped_file_is_a_preset_of_its_own() -> None:
    files = [path for path in ROOT.glob("config/**/*.yaml") if "claims" not in path.name]
    assert sorted(shipped_presets(ROOT).values()) == sorted(files)
    for file in files:
        check_file(file)


@pytest.mark.parametrize(
    "content",
    [
        b"seeds: [0]\nseeds: [1]",
        b"task: {lags: [1], lags: [2]}",
        b"\xff\xfe\x00",
        b"- 1",
        b"",
        b"a: [",
        b"a: " + b"[" * 500,
    ],
)
def test_a_file_that_says_nothing_clear_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "own.yaml").write_bytes(content)
    with pytest.raises(InputError) as caught:
        check_file(tmp_path / "own.yaml")
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500
    with pytest.raises(InputError, match="must be a file of settings"):
        check_file(tmp_path / "none.yaml")


def test_a_damaged_base_ends_in_one_sentence(new_project: Callable[..., Project], full: dict[str, Any]) -> None:
    project = new_project(full)
    shutil.copy(__file__, project.folder / "config" / "config.yaml")
    result = project.snakemake("--dry-run")
    lines = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    assert result.returncode != 0 and "Traceback" not in result.stderr
    assert lines[-1].startswith("Configuration: 'config/config.yaml' must be a file of settings, in YAML or JSON. Got")
