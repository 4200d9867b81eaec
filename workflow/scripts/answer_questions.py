"""Answer the questions of the study from its tables."""

from job import logged

from learnability.core.store import read_table, write_json
from learnability.report.findings import as_records
from learnability.report.typeset import in_markdown_by_id
from named import file_of
from studies.learnability_window.findings import INTRODUCTION, Evidence, answer

with logged(snakemake):
    params = snakemake.params
    tables = {tuple(name): read_table(file_of(snakemake.input, file)) for file, name in params.tables.items()}
    searched = [read_table(file) for file in snakemake.input.searched]
    findings = answer(Evidence(tables, params.groups, in_markdown_by_id(params.labels)), *searched)
    write_json(as_records(INTRODUCTION, findings), snakemake.output.records)
