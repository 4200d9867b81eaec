"""Train a network from every N, and look at what it learned."""

from job import logged

from learnability.core.store import write_table
from learnability.networks.weights import write_snapshots
from learnability.transport import choose_engine
from studies.ground_truth.trials import Budget, prepare_trials, try_to_learn

with logged(snakemake):
    params, names, seed = snakemake.params, snakemake.wildcards, int(snakemake.wildcards.seed)
    frozen, task = prepare_trials(**params.prepared, seed=seed)
    cell = frozen.network.cell
    trials, path = try_to_learn(
        frozen=frozen,
        task=task,
        sample_sizes=params.sample_sizes,
        budget=Budget(**params.budget),
        root_seed=params.prepared["root_seed"],
        seed=seed,
        engine=choose_engine(params.engine, cell, params.precision),
    )
    sizes = {"parameters": frozen.network.count_parameters(), "hidden_size": cell.hidden_size}
    settings = {**params.prepared, "budget": params.budget, "seed": seed}
    write_snapshots(path, snakemake.output.path, settings)
    of_setting = {"grid": names.grid, "architecture": names.architecture, "seed": seed}
    write_table(trials.assign(**sizes), snakemake.output.trials, **of_setting)
