"""List the files of a run's folder that nothing needs any more, or remove them and the folders that are empty then."""

from contextlib import suppress
from pathlib import Path

from job import logged

from learnability.core.store import reading

with logged(snakemake) as terminal:
    folder, files = Path(snakemake.params.folder), snakemake.params.leftovers
    for file in map(Path, files):
        print(file, file=terminal)
        if snakemake.params.removes:
            with reading(file, "a file that can be removed"):
                file.unlink(missing_ok=True)
            for parent in file.relative_to(folder).parents[:-1]:
                with suppress(OSError):  # it still holds something
                    (folder / parent).rmdir()
    state = "removed" if snakemake.params.removes else "left over; 'snakemake remove_leftovers' removes them"
    print(f"{len(files)} files below {folder} are {state}.", file=terminal)
