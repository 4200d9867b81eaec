"""Find which choice of the analysis changes each headline of the trials most."""

from job import logged

from learnability.core.store import read_table, write_table, write_text
from learnability.core.variation import other_seeds, vary_headlines
from learnability.report.typeset import as_markdown
from studies.ground_truth import analysed

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    trials, candidates = read_table(snakemake.input.trials), read_table(snakemake.input.candidates)
    analysis = analysed.Analysis(trials, candidates, params.contest, params.durations)
    made = analysed.choices(trials, params.root_seed), analysis.numbers, analysed.HEADLINES
    redrawn = other_seeds(params.root_seed)
    table = vary_headlines(*made, analysed.FACTORS, left_out=analysed.LEFT_OUT, others=redrawn)
    write_table(table, output.csv)
    write_text(as_markdown(table), output.md)
