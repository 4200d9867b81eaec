"""Draw the study of recurrence and attention, tabulate what it costs, and answer its questions."""

from importlib import import_module

from job import logged

from learnability.core.store import read_table, read_tables, write_json, write_table, write_text
from learnability.report.findings import as_records
from learnability.report.style import Style, write_figure
from learnability.report.typeset import as_markdown as table_as_markdown
from learnability.report.typeset import in_markdown_by_id
from named import file_of
from studies.attention.findings import INTRODUCTION, answer
from studies.attention.measured_tables import tabulate

with logged(snakemake):
    params, output, given = snakemake.params, snakemake.output, dict(snakemake.input.items())
    searched = [read_table(file) for file in given.pop("searched")]
    parts = {kind: read_tables(files) for kind, files in given.items() if not isinstance(files, str)}
    tables = tabulate(parts, params.trainings, params.rated)
    for name, table in tables.items():
        write_table(table, output[name])
        write_text(table_as_markdown(table), file_of(output.pages, f"{name}.md"))
    tables |= parts | {name: read_table(file) for name, file in given.items() if name not in parts}
    style = Style(**params.style, architectures=params.architectures)
    for name in params.figures:
        figure = import_module(f"studies.attention.figures.{name}").draw(tables, style)
        write_figure(figure, file_of(output.figures, f"{name}.png"))
    findings = answer(tables, in_markdown_by_id(params.style["labels"]), *searched)
    write_json(as_records(INTRODUCTION, findings), output.records)
