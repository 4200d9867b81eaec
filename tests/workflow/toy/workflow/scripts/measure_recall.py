"""Measure how often a network names the symbol."""

from job import logged

from learnability.core.store import write_table
from learnability.networks.network import Network
from learnability.networks.weights import read_weights
from learnability.tasks import build_task
from named import run_names
from studies.recall.measures import accuracy_table

with logged(snakemake):
    params, run = snakemake.params, run_names(snakemake)
    task = build_task(params.task, params.root_seed, int(run["seed"]))
    network = Network.for_task(params.architecture, task, **params.network)
    parameters = read_weights(snakemake.input.weights)
    network.check(parameters)
    table = accuracy_table(network, parameters, task, params.task["diagnostic_sequences"])
    write_table(table, snakemake.output.accuracy, **run)
