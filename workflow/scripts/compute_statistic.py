"""Compute the matched statistic of a frozen network under a reading, for each kind of transport."""

from job import logged, run_names
from learnability.frozen import load_frozen
from learnability.memory import keep_freed_memory
from learnability.readings import StatisticOptions
from learnability.statistic import matched_statistic
from learnability.store import write_dataset
from learnability.transport import choose_engine
from record import settings_of

with logged(snakemake):
    keep_freed_memory()
    params = snakemake.params
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    engine = choose_engine(params.engine, frozen.network.cell)
    for transport, path in snakemake.output.items():
        options = StatisticOptions(**{**params.statistic, "transport": transport}, time_stride=params.time_stride)
        few = frozen.first(params.exact_sequences if transport == "exact" else None)
        measured = (few, params.lags, params.learning_rate, params.study)
        statistic = matched_statistic(*measured, options, engine)
        described = statistic.assign_attrs(run_names(snakemake), reading=snakemake.wildcards.reading)
        write_dataset(described, path, settings_of(snakemake) | {"transport": transport})
