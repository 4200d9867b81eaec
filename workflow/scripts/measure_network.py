"""Measure rates of a frozen network, exact transport beside them, and what the network has learned at each lag."""

from job import logged

from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_dataset, write_table
from learnability.networks.frozen import load_frozen
from learnability.tasks import build_task
from learnability.transport import choose_engine, effective_learning_rates, rate_tables
from learnability.transport.exact import exact_table, exact_transport
from learnability.windows.response import measure_response
from named import run_names
from record import settings_of

with logged(snakemake):
    keep_freed_memory()
    params, output, run = snakemake.params, snakemake.output, run_names(snakemake)
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    engine = choose_engine(params.engine, frozen.network.cell)
    rates = effective_learning_rates(frozen.network, frozen.parameters, frozen.inputs, params.lags, engine)
    few = frozen.inputs[: params.product_sequences]
    exact = exact_transport(frozen.network, frozen.parameters, few, params.lags, params.root_seed)
    task = build_task(params.task, params.root_seed, int(run["seed"]))
    response, loss = measure_response(frozen, task, engine)
    write_dataset(rates.assign_attrs(run), output.rates, settings_of(snakemake))
    write_dataset(exact.assign_attrs(run), output.exact, settings_of(snakemake))
    tables = rate_tables(rates) | {"transport": exact_table(exact), "response": response, "loss": loss}
    for kind, table in tables.items():
        write_table(table, output[kind], **run)
