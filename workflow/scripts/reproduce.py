"""Compare tables that were made again with those stored beside the networks they are of, in every stored column."""

from pathlib import Path

from job import logged

from learnability.core.errors import InputError
from learnability.core.manifest import RUN, deviations, differences, of_runs
from learnability.core.store import read_table, read_tables

with logged(snakemake) as terminal:
    params = snakemake.params
    found = list(differences(Path(params.folder)))
    for kind, paths in snakemake.input.items():
        redone = read_tables(paths).sort_values(RUN, kind="stable", ignore_index=True)
        stored = read_table(params.stored[kind])
        same = stored[of_runs(stored, redone)].reset_index(drop=True)
        # a column that only other networks have is empty
        same, redone = (table.dropna(axis="columns", how="all") for table in (same, redone))
        redone = redone[[name for name in redone if name in same]]
        for deviation in deviations(same, redone, params.tolerance):
            found.append(f"'{kind}.csv' of {len(paths)} networks is not '{params.stored[kind]}': {deviation}.")
    print(*found, sep="\n")
    if found:
        raise InputError(f"{len(found)} of the differences above must be none.")
    words = (
        f"{len(snakemake.input.keys())} tables, every number to {params.tolerance:g} of itself or of its uncertainty"
    )
    print(f"Reproduced: {words}.", file=terminal)
