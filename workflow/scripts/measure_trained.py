"""Measure what one trained network answers, what it attends to, and what of a gradient arrives in it."""

from typing import Any

from job import logged
from learnability.core.store import write_table
from learnability.networks.network import Network
from learnability.networks.weights import read_weights
from learnability.tasks import build_task
from studies.attention.trained import measure_answers, measure_arriving, measure_attention

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, snakemake.params.run
    task: Any = build_task(run["task"], params.root_seed, run["seed"])
    network = Network.for_task(run["architecture_settings"], task, **run["network"])
    parameters = read_weights(snakemake.input.weights)
    names = {name: run[name] for name in ("experiment", "architecture", "seed")}
    delays = [task.delay, *params.transfer]
    answers = measure_answers(network, parameters, task, delays, params.sequences).assign(trained_at=task.delay)
    write_table(answers, output.answers, **names)
    write_table(measure_arriving(network, parameters, task, params.norm_sequences), output.arriving, **names)
    write_table(measure_attention(network, parameters, task), output.attention, **names)
