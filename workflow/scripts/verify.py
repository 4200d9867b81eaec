"""Say which artefacts are not as their manifest says."""

from pathlib import Path

from job import logged

from learnability.core.errors import InputError
from learnability.core.manifest import differences

with logged(snakemake) as terminal:
    leftovers = [Path(file) for file in snakemake.params.leftovers]
    if leftovers:
        print(f"{len(leftovers)} files are left over: 'snakemake leftovers' lists them.", file=terminal)
    for folder in map(Path, snakemake.params.folders):
        problems = list(differences(folder, [*leftovers, *map(Path, snakemake.params.optional)]))
        print(*problems, sep="\n")
        if problems:
            raise InputError(f"{len(problems)} files below '{folder}' must be as {folder / 'manifest.csv'} says.")
        print(f"Verified: every file below {folder} is as its manifest says.", file=terminal)
