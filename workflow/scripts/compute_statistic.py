"""Compute the matched statistic of a frozen network under a reading."""

from job import logged, run_names, settings_of
from learnability.frozen import load_frozen
from learnability.statistic import StatisticOptions, matched_statistic
from learnability.store import write_dataset
from learnability.transport import choose_engine

with logged(snakemake):
    params = snakemake.params
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    options = StatisticOptions(**params.statistic, time_stride=params.time_stride)
    engine = choose_engine(params.engine)
    statistic = matched_statistic(*frozen, params.lags, params.learning_rate, params.study, options, engine)
    described = statistic.assign_attrs(run_names(snakemake), reading=snakemake.wildcards.reading)
    write_dataset(described, snakemake.output.statistic, settings_of(snakemake))
