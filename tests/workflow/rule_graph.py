"""Print what the rules of a run execute and need, as JSON: in a project, its workflow/ and src/ on the path.

Of each rule: the arguments of `imports.library_digest`, or none, and the rules whose files it reads.
"""

import json
from pathlib import Path

from snakemake.api import SnakemakeApi
from snakemake.settings.types import OutputSettings, Quietness, ResourceSettings

import imports


def main() -> None:
    """Plan, with the arguments of each digest in its place."""
    imports.library_digest = lambda script, *loaded: json.dumps([script.name, *loaded])
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        run = api.workflow(resource_settings=ResourceSettings(cores=1), snakefile=Path("Snakefile"))
        run.dag().execute_workflow(executor="dryrun")
        dag = run._workflow.dag
    rules: dict[str, dict[str, list[str]]] = {}
    for job in dag.jobs:
        rule = rules.setdefault(job.rule.name, {"digest": json.loads(job.params.get("library", "[]")), "needs": []})
        rule["needs"] = sorted({*rule["needs"], *(needed.rule.name for needed in dag.dependencies[job])})
    print(json.dumps(rules))


if __name__ == "__main__":
    main()
