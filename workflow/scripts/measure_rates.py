"""Measure the effective learning rates of a frozen network and exact transport beside them; fit their decay."""

from job import logged, run_names
from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_dataset, write_table
from learnability.networks.frozen import load_frozen
from learnability.stats.fits import fit_envelope, time_scale_spectrum
from learnability.transport import (
    GRU_RATES,
    choose_engine,
    conditioning_table,
    effective_learning_rates,
    envelope_table,
    read_rates,
)
from learnability.transport.exact import exact_table, exact_transport
from record import settings_of

with logged(snakemake):
    keep_freed_memory()
    params, output, run = snakemake.params, snakemake.output, run_names(snakemake)
    frozen = load_frozen(snakemake.input.weights, snakemake.input.diagnostic, params.architecture, params.network)
    engine = choose_engine(params.engine, frozen.network.cell)
    rates = effective_learning_rates(frozen.network, frozen.parameters, frozen.inputs, params.lags, engine)
    few = frozen.inputs[: params.product_sequences]
    exact = exact_transport(frozen.network, frozen.parameters, few, params.lags, params.study)
    write_dataset(rates.assign_attrs(run), output.rates, settings_of(snakemake))
    for kind in GRU_RATES:
        read = read_rates(rates, kind)
        envelope = envelope_table(read)
        write_table(envelope, output[f"envelope_{kind}"], **run)
        write_table(fit_envelope(envelope), output[f"fits_{kind}"], **run)
        write_table(time_scale_spectrum(read), output[f"spectrum_{kind}"], **run)
    write_table(conditioning_table(rates), output.conditioning, **run)
    write_dataset(exact.assign_attrs(run), output.exact, settings_of(snakemake))
    write_table(exact_table(exact), output.transport, **run)
