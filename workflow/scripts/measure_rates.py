"""Measure the effective learning rates of a frozen network, and fit their decay."""

import torch

from job import logged, run_names
from learnability.fits import fit_envelope, time_scale_spectrum
from learnability.network import Network
from learnability.store import read_dataset, write_dataset, write_table
from learnability.transport import conditioning_table, effective_learning_rates, envelope_table
from learnability.weights import read_weights

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, run_names(snakemake)
    data = read_dataset(snakemake.input.diagnostic)
    network = Network.build(params.architecture, data.sizes["input"], **params.network)
    parameters = read_weights(snakemake.input.weights)
    network.check(parameters)
    rates = effective_learning_rates(network, parameters, torch.from_numpy(data["inputs"].to_numpy()), params.lags)
    envelope = envelope_table(rates)
    write_dataset(rates.assign_attrs(run), output.rates, {"lags": params.lags})
    write_table(envelope, output.envelope, **run)
    write_table(fit_envelope(envelope), output.fits, **run)
    write_table(time_scale_spectrum(rates), output.spectrum, **run)
    write_table(conditioning_table(rates), output.conditioning, **run)
