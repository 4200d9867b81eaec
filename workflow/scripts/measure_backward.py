"""Measure what of a gradient arrives at earlier steps of one architecture, and what it costs."""

from job import logged

from learnability.core.store import write_table
from studies.attention.backward import measure_costs, measure_norms
from studies.attention.screening import measure_screening

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    own = {"architecture": params.architecture, "units": params.units, "root_seed": params.root_seed}
    of_norms = {**own, **params.norms, "seeds": params.seeds}
    name = snakemake.wildcards.architecture
    write_table(measure_costs(**own, **params.costs), output.costs, architecture=name)  # first: peaks are of a process
    write_table(measure_norms(**of_norms), output.norms, architecture=name)
    write_table(measure_screening(**of_norms, **params.screening), output.sizes, architecture=name)
