"""Windows of a frozen network as a reading has them, with each option changed alone, and with some crossed."""

from job import logged, run_names
from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table
from learnability.networks.frozen import load_frozen
from learnability.transport import choose_engine
from learnability.windows.sensitivity import Sensitivity

with logged(snakemake):
    keep_freed_memory()
    params, run = snakemake.params, run_names(snakemake)
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    sensitivity = Sensitivity(
        frozen=frozen,
        lags=params.lags,
        further_lags=params.further_lags,
        window=params.window,
        base_rate=params.learning_rate,
        study=params.study,
        seed=int(run["seed"]),
        engine=choose_engine(params.engine, frozen.network.cell, params.precision),
    )
    changes, crossed = sensitivity.vary(params.reading)
    write_table(changes, snakemake.output.changes, **run, part=params.part)
    write_table(crossed, snakemake.output.crossed, **run, part=params.part)
