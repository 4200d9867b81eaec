"""Compute the matched statistic of a frozen network under a reading."""

import torch

from job import logged, run_names
from learnability.network import Network
from learnability.statistic import StatisticOptions, matched_statistic
from learnability.store import read_dataset, write_dataset
from learnability.weights import read_weights

with logged(snakemake):
    params = snakemake.params
    data = read_dataset(snakemake.input.diagnostic)
    inputs, targets = (torch.from_numpy(data[name].to_numpy()).double() for name in ("inputs", "targets"))
    network = Network.build(params.architecture, data.sizes["input"], **params.network)
    parameters = read_weights(snakemake.input.weights)
    network.check(parameters)
    options = StatisticOptions(**params.statistic, time_stride=params.time_stride)
    statistic = matched_statistic(
        network, parameters, inputs, targets, params.lags, params.learning_rate, params.study, options
    )
    described = statistic.assign_attrs(run_names(snakemake), reading=snakemake.wildcards.reading)
    write_dataset(described, snakemake.output.statistic, params.statistic)
