"""Find what gradients see, and what is learned, at every stored epoch of a network of an experiment."""

from job import logged
from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network
from learnability.networks.weights import read_snapshots
from learnability.tasks import build_task
from learnability.transport import choose_engine
from learnability.windows.readings import Reading
from learnability.windows.through_training import measure_training

with logged(snakemake):
    keep_freed_memory()
    params, run = snakemake.params, snakemake.params.run
    task = build_task(run["task"], params.root_seed, run["seed"])
    network = Network.for_task(run["architecture_settings"], task, **run["network"])
    snapshots = read_snapshots(snakemake.input.snapshots)
    sequences = task.generate("diagnostic", params.windows["sequences"])
    tables = measure_training(
        frozen=Frozen.of(network, snapshots[0], sequences),
        snapshots=snapshots,
        task=task,
        reading=Reading.of(params.reading, params.window),
        lags=params.windows["lags"],
        root_seed=params.root_seed,
        seed=run["seed"],
        engine=choose_engine(params.engine, network.cell, params.precision),
    )
    names = {name: run[name] for name in ("experiment", "architecture", "seed")}
    epochs = run["training"]["epochs"] if run["training"].get("fresh") else 1
    size = {"units": network.cell.hidden_size, "parameters": network.count_parameters()}
    size["trained_on"] = epochs * run["task"]["training_sequences"]
    for kind, table in tables.items():
        write_table(table, snakemake.output[kind], **names, **size)
