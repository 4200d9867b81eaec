"""Answer all questions of a study, in the order of its page."""

from importlib import import_module
from pathlib import Path

from job import logged

from learnability.core.store import read_table, write_json
from learnability.report.findings import as_records
from learnability.report.typeset import in_markdown_by_id


def name_of(file: str, results: Path) -> str:
    """Name of a table, behind its reading if it is of one: `floor`, `paper/floor`."""
    *reading, _, name = Path(file).relative_to(results).with_suffix("").parts
    return "/".join([*reading, name])


with logged(snakemake):
    params, sources, records = snakemake.params, snakemake.input, Path(snakemake.output.records)
    tables = {name_of(file, records.parent): read_table(file) for file in sources.tables}
    searches = {Path(file).stem: read_table(file) for file in sources.searched}
    answers = import_module(params.answers)
    findings = answers.answer(tables, in_markdown_by_id(params.labels), searches, **params.settings)
    write_json(as_records(answers.INTRODUCTION, findings), records)
