"""Plans of Snakemake, written to a file by code behind the project's rules."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

import imports
from imports import library_digest
from studies.settings import registered

from .conftest import ROOT, Project

INCLUDE_LINE = 'include: "workflow/Snakefile"\n'
ARGUMENTS_OF_DIGESTS = """
import json, sys
sys.path[:0] = ["workflow", "src"]
import imports
imports.library_digest = lambda script, *loaded, cell=None, tasks=None: json.dumps([cell, tasks, script.name, *loaded])
"""
"""Text before the project's rules: jobs then have the arguments of their digest of code in its place."""
WRITE_PLAN = """
import atexit, json


def write_plan():
    plan = {
        "jobs": [
            {
                "rule": job.rule.name,
                "input": list(job.input),
                "output": list(job.output),
                "library": job.params.get("library"),
                "architecture": job.wildcards_dict.get("architecture"),
                "optional": job.params.get("optional"),
            }
            for job in workflow.dag.jobs
        ],
        "rules": {rule.name: list(rule.output) for rule in workflow.rules},
    }
    with open("plan.json", "w") as file:
        json.dump(plan, file)


atexit.register(write_plan)
"""


def plan_of(project: Project, snakefile: str, *arguments: str) -> dict[str, Any]:
    """Return `jobs`, with rule, files, digest of code, optional files and architecture, and `rules`, with outputs.

    Args:
        snakefile: that includes the project's, or has it for a module.
        arguments: of Snakemake; the last ones are targets, without which there is no plan.
    """
    (project.folder / "planned.smk").write_text(snakefile + WRITE_PLAN)
    result = project.snakemake("--snakefile", "planned.smk", "--dry-run", "--quiet", "all", *arguments)
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads((project.folder / "plan.json").read_text())


def forget() -> None:
    """Read the project's code again, as the next plan does."""
    of_modules = (imports._module, imports._imports_of, imports._modules_by_name, imports.other_cells)
    of_text = (imports._in_other_languages, imports._text_digest, registered.registries, registered._tree)
    for function in (*of_modules, *of_text):
        function.cache_clear()


def digests(project: Project, jobs: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Digests of the project's code as it is now, by `ARGUMENTS_OF_DIGESTS` of planned jobs; it takes no plan."""
    forget()
    result = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imports, "SOURCE", project.folder / "src")
        for key in {job["library"] for job in jobs if job["library"]}:
            cell, tasks, script, *modules = json.loads(key)
            result[key] = library_digest(ROOT / "workflow" / "scripts" / script, *modules, cell=cell, tasks=tasks)
    return result
