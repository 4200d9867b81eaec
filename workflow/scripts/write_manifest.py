"""Write the manifest of a finished run, and beside it which job made each file, where and when."""

from pathlib import Path

import pandas as pd

from job import logged
from learnability.core.manifest import list_files
from learnability.core.store import write_table
from record import facts_of_files

with logged(snakemake):
    output, files = snakemake.output, list(snakemake.input)
    folder = Path(output.manifest).parent
    write_table(list_files(folder, map(Path, files)), output.manifest)
    facts = pd.DataFrame({"file": files}).merge(pd.DataFrame(facts_of_files(snakemake.params.logs)), "left")
    facts.insert(0, "path", [Path(file).relative_to(folder).as_posix() for file in facts.pop("file")])
    write_table(facts, output.provenance)
