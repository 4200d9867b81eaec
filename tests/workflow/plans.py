"""What Snakemake plans, as rules behind those of the project write it down."""

import json
from typing import Any

import imports
import registered

from .conftest import Project

INCLUDED = 'include: "workflow/Snakefile"\n'
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
    of_modules = (imports._module, imports._needed, imports._offered, imports.other_cells)
    of_text = (imports._in_other_languages, imports._text_digest, registered.registries, registered._tree)
    for each in (*of_modules, *of_text):
        each.cache_clear()
