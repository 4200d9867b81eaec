"""Answer what each exhibit of the lecture asks, in the order of the notes."""

from importlib import import_module
from pathlib import Path

from job import logged

from learnability.core.store import read_table, write_json
from learnability.report.findings import as_records
from learnability.report.typeset import in_markdown_by_id
from studies.gated.judged import INTRODUCTION, how_sure, of_sections

with logged(snakemake):
    params = snakemake.params
    tables = {Path(file).stem: read_table(file) for file in snakemake.input.tables}
    searched = {Path(file).stem.removeprefix("sensitivity_"): read_table(file) for file in snakemake.input.searched}
    findings, labels = [], in_markdown_by_id(params.labels)
    for exhibit, sections in params.sections.items():
        finding = import_module(f"studies.gated.{exhibit}.findings").answer(tables, labels)
        findings.append(of_sections(how_sure(finding, searched.get(exhibit)), sections))
    write_json(as_records(INTRODUCTION, findings), snakemake.output.records)
