"""Compare tables that were made again with those stored beside the networks they are of."""

from pathlib import Path

from job import logged
from learnability.core.errors import InputError
from learnability.core.manifest import deviations, differences
from learnability.core.store import read_table

with logged(snakemake) as terminal:
    paths, tolerance = snakemake.input, snakemake.params.tolerance
    found = list(differences(Path(snakemake.params.folder)))
    for stored, redone in zip(paths.stored, paths.found, strict=True):
        for deviation in deviations(read_table(stored), read_table(redone), tolerance):
            found.append(f"'{redone}' is not '{stored}': {deviation}.")
    print(*found, sep="\n")
    if found:
        raise InputError(f"{len(found)} of the differences above must be none.")
    print(
        f"Reproduced: {len(paths.found)} tables, every number to {tolerance:g} of itself or of its uncertainty.",
        file=terminal,
    )
