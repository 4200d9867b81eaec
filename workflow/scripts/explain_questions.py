"""Answer all questions of a study, in the order of its page."""

from importlib import import_module
from pathlib import Path

from job import logged

from learnability.core.store import read_table, write_json
from learnability.report.findings import as_records
from learnability.report.typeset import in_markdown_by_id

with logged(snakemake):
    params, given = snakemake.params, snakemake.input
    tables, searched = (
        {Path(file).stem: read_table(file) for file in files} for files in (given.tables, given.searched)
    )
    answers = import_module(params.answers)
    findings = answers.answer(tables, in_markdown_by_id(params.labels), searched)
    write_json(as_records(answers.INTRODUCTION, findings), snakemake.output.records)
