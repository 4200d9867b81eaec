"""What the estimators of the stable law give where the law is known, as CSV and Markdown."""

from job import logged

from learnability.core.store import write_table, write_text
from learnability.core.streams import numpy_generator
from learnability.report.typeset import as_markdown
from learnability.stats.stable.recovery import ALPHAS, recovery_table, reference_table

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    generator = numpy_generator(params.root_seed, 0, "estimators")
    tables = {
        "recovery": recovery_table(ALPHAS, params.draws, params.repetitions, generator),
        "references": reference_table(params.reference_draws, generator, repetitions=params.test_repetitions),
    }
    for name, table in tables.items():
        write_table(table, output[name])
        write_text(as_markdown(table, []), output[f"{name}_page"])
