"""Compute the matched statistic of a frozen network under a reading."""

from job import logged, run_names, settings_of
from learnability.frozen import load_frozen
from learnability.memory import keep_freed_memory
from learnability.statistic import StatisticOptions, matched_statistic
from learnability.store import write_dataset
from learnability.transport import choose_summing

with logged(snakemake):
    keep_freed_memory()
    params = snakemake.params
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    options = StatisticOptions(**params.statistic, time_stride=params.time_stride)
    summing = choose_summing(params.engine)
    statistic = matched_statistic(*frozen, params.lags, params.learning_rate, params.study, options, summing)
    described = statistic.assign_attrs(run_names(snakemake), reading=snakemake.wildcards.reading)
    write_dataset(described, snakemake.output.statistic, settings_of(snakemake))
