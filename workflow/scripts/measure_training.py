"""Find what gradients see, and what is learned, at every stored epoch of a training."""

from job import logged

from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table
from learnability.networks.frozen import load_frozen
from learnability.networks.weights import read_snapshots
from learnability.tasks import build_task
from learnability.transport import choose_engine
from learnability.windows.readings import Reading
from learnability.windows.through_training import measure_training
from named import run_names

with logged(snakemake):
    keep_freed_memory()
    params, paths, run = snakemake.params, snakemake.input, run_names(snakemake)
    frozen = load_frozen(paths.weights, paths.diagnostic, params.architecture, params.network)
    tables = measure_training(
        frozen=frozen.first(params.sequences),
        snapshots=read_snapshots(paths.snapshots),
        task=build_task(params.task, params.root_seed, int(run["seed"])),
        reading=Reading.of(params.reading, params.window),
        lags=params.lags,
        root_seed=params.root_seed,
        seed=int(run["seed"]),
        engine=choose_engine(params.engine, frozen.network.cell, params.precision),
    )
    for kind, table in tables.items():
        write_table(table, snakemake.output[kind], **run)
