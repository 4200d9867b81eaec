"""The manifest of each study has every file that a run makes, and `verify` knows those that are made on request."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from learnability.core.yaml_files import load_yaml

from .conftest import ROOT, Project, merged
from .plans import INCLUDE_LINE, plan_of

AS_A_MODULE = """
configfile: "own.yaml"

module studies:
    snakefile: "workflow/Snakefile"
    config: config
    prefix: "sub"

use rule * from studies
"""
SMALLEST = {
    "learnability_window": ["tests/miniature.yaml"],
    "attention": ["config/attention/full.yaml", "config/attention/quick.yaml"],
    "gated": ["config/gated/full.yaml", "config/gated/quick.yaml"],
    "ground_truth": ["config/ground_truth.yaml", "tests/ground_truth.yaml"],
    "comparison": ["config/comparison.yaml", "tests/comparison.yaml"],
}
"""Files by study whose settings replace those of config/config.yaml."""


@pytest.mark.parametrize(
    ("study", "snakefile", "folder"),
    [
        *(pytest.param(study, INCLUDE_LINE, f"results/{study}", id=study) for study in SMALLEST),
        pytest.param("ground_truth", AS_A_MODULE, "sub/results/ground_truth", id="module"),
    ],
)
def test_a_manifest_has_every_file_that_jobs_of_a_run_make(
    new_project: Callable[[dict[str, Any]], Project], full: dict[str, Any], study: str, snakefile: str, folder: str
) -> None:
    """Jobs are as Snakemake plans them; `verify` knows files of a fixed name that it does not plan."""
    project, config = new_project(full), full
    for path in SMALLEST[study]:
        config = merged(config, load_yaml((ROOT / path).read_text()))
    (project.folder / "own.yaml").write_text(yaml.safe_dump(config))
    plan = plan_of(project, snakefile, "--configfile", "own.yaml", "--", "all", "verify")
    (manifest,) = (set(job["input"]) for job in plan["jobs"] if job["rule"] == "manifest")
    (optional,) = (set(job["optional"]) for job in plan["jobs"] if job["rule"] == "verify")
    results = {file for job in plan["jobs"] if job["rule"] != "manifest" for file in job["output"]}
    assert manifest == results
    assert {Path(file).suffix for file in manifest} >= {".json", ".csv", ".png", ".md", ".html"}
    outputs = {file for rule, files in plan["rules"].items() if rule != "manifest" for file in files}
    fixed_names = {file for file in outputs if file.startswith(f"{folder}/") and "{" not in file}
    assert fixed_names == (results & fixed_names) | optional
    assert all(file.startswith(f"{folder}/") for file in manifest)


def test_manifests_of_all_studies_are_looked_at() -> None:
    assert SMALLEST.keys() == {path.parent.name for path in (ROOT / "workflow" / "rules").glob("*/study.smk")}
