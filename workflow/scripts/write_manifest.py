"""Write the manifest of a finished run, and beside it which job made each file, where and when."""

from pathlib import Path

from job import logged

import pandas as pd

from learnability.core.errors import require
from learnability.core.manifest import list_files
from learnability.core.store import read_json, reading, write_table


def facts_of(provenance: Path) -> pd.DataFrame:
    """Rows of a job's files with the facts that it recorded, and its duration."""
    facts = read_json(provenance, "files", "versions", "finished")
    benchmark = provenance.with_name(provenance.name.replace(".provenance.json", ".benchmark.tsv"))
    if benchmark.exists():
        with reading(benchmark, "a benchmark as Snakemake writes it", KeyError):
            facts["seconds"] = pd.read_csv(benchmark, sep="\t")["s"].item()
    return pd.DataFrame({"path": facts.pop("files")}).assign(**facts.pop("versions"), **facts)


with logged(snakemake):
    output, files = snakemake.output, list(snakemake.input)
    folder = Path(output.manifest).parent
    write_table(list_files(folder, map(Path, files)), output.manifest)
    provenance = sorted(Path(snakemake.params.logs).rglob("*.provenance.json"))
    require(
        len(provenance) > 0, "logs", "those of the jobs of this run, which say who made what", snakemake.params.logs
    )
    jobs = pd.concat(map(facts_of, provenance))
    last = jobs.sort_values("finished", kind="stable").drop_duplicates("path", keep="last")
    facts = pd.DataFrame({"path": files}).merge(last, "left")
    facts["path"] = [Path(file).relative_to(folder).as_posix() for file in files]
    write_table(facts, output.provenance)
    write_table(list_files(folder, map(Path, [*files, output.provenance]), volatile=True), output.volatile)
