"""Make an exhibit of the lecture: its tables, and the numbers by which its statements are judged."""

from importlib import import_module

from job import logged
from learnability.core.memory import keep_freed_memory
from learnability.core.store import read_tables, write_table, write_text
from learnability.report.typeset import as_markdown
from studies.gated.exhibit import Asked, Trained

with logged(snakemake):
    keep_freed_memory()
    params, output, given = snakemake.params, snakemake.output, dict(snakemake.input.items())
    files = zip(params.runs, given.pop("weights", []), given.pop("curves", []), strict=True)
    trained = [Trained.load(*each, params.root_seed) for each in files]
    measured = {kind: read_tables(tables) for kind, tables in given.items()}
    exhibit = import_module(f"studies.gated.exhibits.{params.exhibit}")
    made = exhibit.make(Asked(params.settings, params.seeds, params.root_seed, trained, measured))
    for table, file, page in zip(made.tables.values(), output.tables, output.pages, strict=True):
        write_table(table, file)
        write_text(as_markdown(table), page)
    write_table(made.statements, output.statements)
