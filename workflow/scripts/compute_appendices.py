"""Compute what the appendices of the paper state, as CSV, and one of the tables as a page."""

from importlib import import_module

from job import logged

from learnability.core.store import write_table, write_text
from learnability.core.streams import numpy_generator
from learnability.report.typeset import as_markdown

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    for letter, name in params.modules.items():
        module = import_module(f"studies.learnability_window.theory.{name}")
        for table, found in module.compute(numpy_generator(params.root_seed, 0, "theory", name)).items():
            kind = f"appendix_{letter}_{table}"
            write_table(found, output[kind])
            if kind == params.page:
                write_text(as_markdown(found), output.page)
