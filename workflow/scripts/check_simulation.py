"""Simulate from a known truth and see whether the pipeline's intervals cover it, as CSV and Markdown."""

from job import logged

from learnability.core.store import write_table, write_text
from learnability.core.streams import numpy_generator
from learnability.report.typeset import as_markdown
from studies.learnability_window.simulation import ALPHAS, coverage_in_words, coverage_page, coverage_tables

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    generator = numpy_generator(params.root_seed, 0, "planted")
    coverage, examples = coverage_tables(ALPHAS, params.sequences, params.replicates, params.draws, generator)
    write_table(coverage, output.coverage)
    write_table(examples, output.examples)
    write_text(as_markdown(coverage_page(coverage), coverage_in_words(coverage)), output.page)
