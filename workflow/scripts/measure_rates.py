"""Measure the effective learning rates of a frozen network, and fit their decay."""

from job import logged, run_names, settings_of
from learnability.fits import fit_envelope, time_scale_spectrum
from learnability.frozen import load_frozen
from learnability.store import write_dataset, write_table
from learnability.transport import choose_engine, conditioning_table, effective_learning_rates, envelope_table

with logged(snakemake):
    params, output, run = snakemake.params, snakemake.output, run_names(snakemake)
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    engine = choose_engine(params.engine)
    rates = effective_learning_rates(frozen.network, frozen.parameters, frozen.inputs, params.lags, engine)
    envelope = envelope_table(rates)
    write_dataset(rates.assign_attrs(run), output.rates, settings_of(snakemake))
    write_table(envelope, output.envelope, **run)
    write_table(fit_envelope(envelope), output.fits, **run)
    write_table(time_scale_spectrum(rates), output.spectrum, **run)
    write_table(conditioning_table(rates), output.conditioning, **run)
