"""Find N₅₀ of all settings, hold the contest, draw both, and answer the questions of the study."""

from job import logged

from learnability.core.store import read_tables, write_json, write_table, write_text
from learnability.report.findings import as_records
from learnability.report.style import Style, write_figure
from learnability.report.typeset import as_markdown, in_markdown_by_id
from named import file_of
from studies.ground_truth.contest import sizes_of
from studies.ground_truth.figures.contest import draw as draw_contest
from studies.ground_truth.figures.phases import draw as draw_phases
from studies.ground_truth.findings import INTRODUCTION, answer
from studies.ground_truth.tables import last_look, tabulate

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    trials, candidates = read_tables(snakemake.input.trials), read_tables(snakemake.input.candidates)
    write_table(trials, output.trials)
    write_table(candidates, output.candidates)
    tables = tabulate(trials, candidates, params.contest, params.durations, params.root_seed)
    for name, table in tables.items():
        write_table(table, output[name])
        write_text(as_markdown(table), file_of(output.pages, f"{name}.md"))
    last, n50 = last_look(trials), last_look(tables["half_learned"])
    own = [table[table["grid"].isin(params.contest)] for table in (n50, candidates, last)]
    everyone = Style(**params.style, architectures=list(own[0]["architecture"].unique()))
    write_figure(
        draw_contest(tables["contest"], tables["left_out"], own[0], own[1], sizes_of(own[2]), everyone), output.figure
    )
    for grid, architectures in params.grids.items():
        tried, found = (table[table["grid"] == grid] for table in (last, n50))
        phases = draw_phases(tried, found, Style(**params.style, architectures=architectures))
        write_figure(phases, file_of(output.phases, f"phases_{grid}.png"))
    searched = read_tables(snakemake.input.searched) if snakemake.input.searched else None
    findings = answer(tables, in_markdown_by_id(params.style["labels"]), searched)
    write_json(as_records(INTRODUCTION, findings), output.records)
