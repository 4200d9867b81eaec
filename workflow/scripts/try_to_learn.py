"""Train a network of each seed from every N, look at what it learned, and measure gradients on the path of N = ∞."""

import pandas as pd

from job import logged
from learnability.core.store import write_table
from learnability.tasks import build_task
from learnability.transport import choose_engine
from learnability.windows.readings import Reading
from studies.ground_truth.candidates import measure_candidates
from studies.ground_truth.trials import Budget, count_parameters, fresh_sequences, network_of, try_to_learn

with logged(snakemake):
    params, names = snakemake.params, {name: snakemake.wildcards[name] for name in ("grid", "architecture")}
    readings = {name: Reading.of(parts, params.window) for name, parts in params.readings.items()}
    own_gradient, lags = Reading.of(params.own_gradient, params.window), params.task["lags"]
    budget = Budget(params.optimizer, params.gradient_clip, params.updates, params.batch_size, params.engine)
    tried, found = [], []
    for seed in params.seeds:
        task = build_task(params.task, params.root_seed, seed)
        network = network_of(params.architecture, task, params.size, params.readout_bias)
        frozen = fresh_sequences(network, task, params.sequences)
        engine = choose_engine(params.measured_by["engine"], network.cell, params.measured_by["precision"])
        named = {"seed": seed, "parameters": count_parameters(network), "hidden_size": network.cell.hidden_size}
        trials, path = try_to_learn(frozen, task, params.sample_sizes, budget, params.root_seed, seed, engine)
        measured = frozen, path, task, own_gradient, readings, lags, params.root_seed, seed, engine
        tried.append(trials.assign(**named))
        found.append(measure_candidates(*measured).assign(**named))
    write_table(pd.concat(tried), snakemake.output.trials, **names)
    write_table(pd.concat(found), snakemake.output.candidates, **names)
