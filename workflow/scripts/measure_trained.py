"""Measure what one trained network answers, what it attends to, and what of a gradient arrives in it."""

from job import logged

from learnability.core.store import write_table
from learnability.networks.network import Network
from learnability.networks.weights import read_weights
from learnability.tasks import build_task
from studies.attention.trained import measure

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, snakemake.params.run
    task = build_task(run["task"], params.root_seed, run["seed"])
    network = Network.for_task(run["architecture_settings"], task, **run["network"])
    parameters = read_weights(snakemake.input.weights)
    asked = {name: params[name] for name in ("transfer", "sequences", "norm_sequences", "screening")}
    for kind, table in measure(network, parameters, task, run, **asked).items():
        names = {name: run[name] for name in ("experiment", "architecture", "seed")}
        write_table(table, output[kind], **names)
