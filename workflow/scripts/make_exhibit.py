"""Make an exhibit of the lecture: its tables, and the numbers by which its statements are judged."""

from importlib import import_module

from job import logged

from learnability.core.memory import keep_freed_memory
from learnability.core.store import read_tables, write_table, write_text
from learnability.report.typeset import as_markdown
from named import file_of, file_of_run
from studies.gated.exhibit import Asked, Trained

with logged(snakemake):
    keep_freed_memory()
    params, output, given = snakemake.params, snakemake.output, dict(snakemake.input.items())
    weights, curves = (given.pop(kind, []) for kind in ("weights", "curves"))
    trained = [
        Trained.load(run, file_of_run(weights, run), file_of_run(curves, run), params.root_seed) for run in params.runs
    ]
    measured = {kind: read_tables(tables) for kind, tables in given.items()}
    measure = import_module(f"studies.gated.{params.exhibit}.measure")
    made = measure.make(Asked(params.settings, params.seeds, params.root_seed, trained, measured))
    for name, table in made.tables.items():
        write_table(table, file_of(output.tables, f"{name}.csv"))
        write_text(as_markdown(table), file_of(output.pages, f"{name}.md"))
    write_table(made.statements, output.statements)
