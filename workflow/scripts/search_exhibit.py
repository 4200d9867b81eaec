"""Vary each numeric setting of an exhibit of the lecture, and see which verdicts turn and how far statements move."""

from importlib import import_module
from pathlib import Path

import yaml

from job import logged
from learnability.core.store import write_table, write_text
from learnability.core.variation import vary_settings
from learnability.report.typeset import as_markdown
from studies.gated.exhibit import Asked
from studies.gated.judged import claims_of, seeds_of, verdicts_of

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    exhibit = import_module(f"studies.gated.exhibits.{params.exhibit}")
    notes = yaml.safe_load(Path(snakemake.input.claims).read_text(encoding="utf-8"))
    table = vary_settings(
        params.settings,
        lambda settings: seeds_of(exhibit.make(Asked(settings, params.seeds, params.root_seed)).statements),
        lambda stated: verdicts_of(claims_of(notes, stated), stated),
    )
    write_table(table, output.table)
    write_text(as_markdown(table), output.page)
