"""Find which choice of the analysis changes each headline of the trials most."""

from job import logged
from learnability.core.store import read_table, write_table, write_text
from learnability.core.variation import vary_headlines
from learnability.report.typeset import as_markdown
from studies.ground_truth import analysed

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    trials, candidates = read_table(snakemake.input.trials), read_table(snakemake.input.candidates)
    analysis = analysed.Analysis(trials, candidates, params.contest, params.durations, params.root_seed)
    made = analysed.choices(trials), analysis.numbers, analysed.HEADLINES
    table = vary_headlines(*made, analysed.FACTORS, left_out=analysed.LEFT_OUT)
    write_table(table, output.csv)
    write_text(as_markdown(table), output.md)
