"""Find the resonances of a network at every stored epoch of a training, and which are harmonics of the task's lags."""

from job import logged

from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table
from learnability.networks.frozen import load_frozen
from learnability.networks.weights import read_snapshots
from learnability.tasks import build_task
from learnability.windows.resonances import measure_resonances
from named import run_names

with logged(snakemake):
    keep_freed_memory()
    params, paths, run = snakemake.params, snakemake.input, run_names(snakemake)
    frozen = load_frozen(paths.weights, paths.diagnostic, params.architecture, params.network)
    task = build_task(params.task, params.root_seed, int(run["seed"]))
    tables = measure_resonances(frozen.first(params.sequences), read_snapshots(paths.snapshots), task)
    for kind, table in tables.items():
        write_table(table, snakemake.output[kind], **run)
