"""Find laws, sample complexities, windows and false windows of a frozen network, by each reading and transport."""

from job import logged

from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table
from learnability.networks.frozen import load_frozen
from learnability.tasks import build_task
from learnability.transport import choose_engine
from learnability.windows.echoes import granted_targets
from learnability.windows.readings import Reading
from learnability.windows.windowing import measure_windows
from named import run_names

with logged(snakemake):
    keep_freed_memory()
    params, run = snakemake.params, run_names(snakemake)
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    engine = choose_engine(params.engine, frozen.network.cell, params.precision)
    task = build_task(params.task, params.root_seed, int(run["seed"]))
    tables = measure_windows(
        frozen=frozen,
        granted=granted_targets(frozen, task, engine),
        readings={name: Reading.of(parts, params.window) for name, parts in params.readings.items()},
        lags=params.lags,
        further_lags=params.further_lags,
        base_rate=params.learning_rate,
        root_seed=params.root_seed,
        seed=int(run["seed"]),
        engine=engine,
    )
    tables["sample_complexity"]["task_lag"] = tables["sample_complexity"]["lag"].isin(list(task.dependencies))
    for kind, table in tables.items():
        write_table(table, snakemake.output[kind], **run)
