"""Train a network of each seed from every N, look at what it learned, and measure gradients on the path of N = ∞."""

import pandas as pd

from job import logged
from learnability.core.store import write_table
from learnability.networks.network import Network
from learnability.tasks import build_task
from learnability.training.engines import choose_engine
from learnability.transport import choose_engine as choose_measuring_engine
from learnability.windows.readings import Reading
from studies.ground_truth.candidates import measure_candidates
from studies.ground_truth.trials import Budget, count_parameters, fresh_sequences, hidden_size_of, try_to_learn

with logged(snakemake):
    params, wildcards = snakemake.params, snakemake.wildcards
    readings = {name: Reading.of(parts, params.window) for name, parts in params.readings.items()}
    own_gradient = Reading.of(params.own_gradient, params.window)
    size, shape = params.size, (params.architecture, params.task["input_size"])
    hidden_size = size["hidden_size"] if "hidden_size" in size else hidden_size_of(*shape, size["parameters"])
    tried, found = [], []
    for seed in params.seeds:
        task = build_task(params.task, params.root_seed, seed)
        network = Network.for_task(params.architecture, task, hidden_size, params.readout_bias)
        frozen, measured_by = (
            fresh_sequences(network, task, params.sequences),
            choose_measuring_engine("auto", network.cell),
        )
        engine, _ = choose_engine("auto", "cpu", network)
        budget = Budget(params.optimizer, params.gradient_clip, params.updates, params.batch_size, engine)
        trials, path = try_to_learn(frozen, task, params.sample_sizes, budget, params.root_seed, seed, measured_by)
        common = (
            frozen,
            path,
            task,
            own_gradient,
            readings,
            list(task.dependencies),
            params.root_seed,
            seed,
            measured_by,
        )
        tried.append(trials.assign(seed=seed))
        found.append(measure_candidates(*common).assign(seed=seed, parameters=count_parameters(network)))
    names = {"grid": wildcards.grid, "architecture": wildcards.architecture}
    write_table(pd.concat(tried), snakemake.output.trials, **names, hidden_size=hidden_size)
    write_table(pd.concat(found), snakemake.output.candidates, **names)
