"""Compare tables that were made again with those stored beside the networks they are of, in every stored column."""

from pathlib import Path

from job import logged

from learnability.core.errors import InputError
from learnability.core.manifest import RUN, deviations, differences, of_runs
from learnability.core.store import read_table, read_tables

with logged(snakemake) as terminal:
    params = snakemake.params
    problems = list(differences(Path(params.folder)))
    for kind, paths in snakemake.input.items():
        redone = read_tables(paths).sort_values(RUN, kind="stable", ignore_index=True)
        reference = read_table(params.stored[kind])
        rows = reference[of_runs(reference, redone)].reset_index(drop=True)
        # a column that only other networks have is empty
        rows, redone = (table.dropna(axis="columns", how="all") for table in (rows, redone))
        redone = redone[[name for name in redone if name in rows]]
        for deviation in deviations(rows, redone, params.tolerance):
            problems.append(f"'{kind}.csv' of {len(paths)} networks is not '{params.stored[kind]}': {deviation}.")
    print(*problems, sep="\n")
    if problems:
        raise InputError(f"{len(problems)} of the differences above must be none.")
    words = (
        f"{len(snakemake.input.keys())} tables, every number to {params.tolerance:g} of itself or of its uncertainty"
    )
    print(f"Reproduced: {words}.", file=terminal)
