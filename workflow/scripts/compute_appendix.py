"""Compute what an appendix of the paper states, as CSV, and one of the tables as a page."""

from importlib import import_module

from job import logged
from learnability.core.store import write_table, write_text
from learnability.core.streams import numpy_generator
from learnability.report.typeset import as_markdown

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    module = import_module(f"studies.learnability_window.theory.{params.module}")
    tables = module.compute(numpy_generator(params.study, 0, "theory", params.module))
    for name, table in tables.items():
        write_table(table, output[name])
    for page in params.pages:
        write_text(as_markdown(tables[page]), output["page"])
