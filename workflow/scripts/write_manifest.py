"""Write the manifest of a finished run, and beside it what may differ between equal runs."""

from pathlib import Path

import pandas as pd

from job import logged
from learnability.core.manifest import list_files
from learnability.core.store import write_table
from record import facts_of

with logged(snakemake):
    folder = Path(snakemake.output.manifest).parent
    jobs = pd.DataFrame(snakemake.params.jobs).explode("files", ignore_index=True)
    jobs["path"] = [Path(file).relative_to(folder).as_posix() for file in jobs["files"]]
    files = list_files(folder, map(Path, jobs["files"]))
    write_table(files.merge(jobs[["path", "rule", "settings", "library"]]), snakemake.output.manifest)
    facts = pd.DataFrame([facts_of(log) for log in jobs["log"]])
    table = pd.concat([jobs[["path", "device"]], facts], axis=1).sort_values("path")
    write_table(table, snakemake.output.provenance)
