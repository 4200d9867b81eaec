"""Measure what a frozen network has learned: its response to the input at each lag, and the parts of its loss."""

from job import logged, run_names
from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table
from learnability.networks.frozen import load_frozen
from learnability.tasks import DelayedSum
from learnability.transport import choose_engine
from learnability.windows.response import measure_response

with logged(snakemake):
    keep_freed_memory()
    params, run = snakemake.params, run_names(snakemake)
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    task = DelayedSum(**params.task, study=params.study, seed=int(run["seed"]))
    response, loss = measure_response(frozen, task, choose_engine(params.engine, frozen.network.cell))
    write_table(response, snakemake.output.response, **run)
    write_table(loss, snakemake.output.loss, **run)
