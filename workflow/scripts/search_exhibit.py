"""Vary each numeric setting of an exhibit of the lecture, and see which verdicts turn and how far statements move."""

from job import logged

from learnability.claims import read_claims
from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table, write_text
from learnability.core.variation import FACTORS, other_seeds, vary_settings
from learnability.report.typeset import as_markdown
from learnability.windows.readings import Reading
from studies.gated import search
from studies.gated.judged import claims_of, verdicts_of

with logged(snakemake):
    keep_freed_memory()
    params, output = snakemake.params, snakemake.output
    notes = read_claims(snakemake.input.claims)
    reading = Reading.of(params.reading, params.window)
    searched = search.Search(params.exhibit, params.runs, params.seeds, reading)
    table = vary_settings(
        search.settings_of(params.settings, params.runs, params.root_seed),
        searched.statements,
        lambda stated: verdicts_of(claims_of(notes, stated), stated),
        search.FACTORS if params.runs else FACTORS,
        search.not_varied(params.runs) if params.runs else (),
        others=other_seeds(params.root_seed),
    )
    write_table(table, output.table)
    write_text(as_markdown(table), output.page)
