"""Answer the questions of the study from its tables."""

from job import logged
from learnability.core.store import read_table, write_json, write_text
from learnability.report.findings import as_markdown, as_records
from named import file_of
from studies.learnability_window.findings import INTRODUCTION, Evidence, answer

with logged(snakemake):
    params = snakemake.params
    tables = {tuple(name): read_table(file_of(snakemake.input, file)) for file, name in params.tables.items()}
    findings = answer(Evidence(tables, params.groups, params.labels))
    write_text(as_markdown(findings, params.labels.values(), INTRODUCTION), snakemake.output.page)
    write_json(as_records(findings), snakemake.output.records)
