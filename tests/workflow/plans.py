"""What Snakemake plans, as rules behind those of the project write it down."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

import imports
import registered
from imports import library_digest

from .conftest import ROOT, Project

INCLUDED = 'include: "workflow/Snakefile"\n'
ARGUMENTS_OF_DIGESTS = """
import json, sys
sys.path[:0] = ["workflow", "src"]
import imports
imports.library_digest = lambda script, *loaded, cell=None, tasks=None: json.dumps([cell, tasks, script.name, *loaded])
"""
"""Before the project's rules: each job has in place of its digest of code what it is a digest of."""
WRITTEN = """
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
    """Of every job its rule, files, digest of code, optional files and architecture; and what each rule makes.

    Args:
        snakefile: that includes the project's, or has it for a module.
        arguments: of Snakemake; the last ones are targets, without which there is no plan.
    """
    (project.folder / "planned.smk").write_text(snakefile + WRITTEN)
    result = project.snakemake("--snakefile", "planned.smk", "--dry-run", "--quiet", "all", *arguments)
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads((project.folder / "plan.json").read_text())


def forget() -> None:
    """Read the project's code again, as the next plan does."""
    of_modules = (imports._module, imports._imports_of, imports._modules_by_name, imports.other_cells)
    of_text = (imports._in_other_languages, imports._text_digest, registered.registries, registered._tree)
    for each in (*of_modules, *of_text):
        each.cache_clear()


def digests(project: Project, jobs: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Digests of the project's code as it is now, by `ARGUMENTS_OF_DIGESTS` of planned jobs; it takes no plan."""
    forget()
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imports, "SOURCE", project.folder / "src")
        for asked in {job["library"] for job in jobs if job["library"]}:
            cell, tasks, script, *loaded = json.loads(asked)
            found[asked] = library_digest(ROOT / "workflow" / "scripts" / script, *loaded, cell=cell, tasks=tasks)
    return found
