"""Find what gradients see, and what is learned, at every stored epoch of a network of an experiment."""

from job import logged

from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table
from learnability.networks.weights import read_snapshots
from learnability.windows.readings import Reading
from learnability.windows.through_training import measure_run

with logged(snakemake):
    keep_freed_memory()
    params = snakemake.params
    tables = measure_run(
        params.run,
        params.windows,
        read_snapshots(snakemake.input.snapshots),
        Reading.of(params.reading, params.window),
        params.root_seed,
        params.engine,
        params.precision,
    )
    for kind, table in tables.items():
        write_table(table, snakemake.output[kind])
