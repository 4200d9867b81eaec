"""Draw the figure and judge the claim."""

from job import logged
from learnability.claims import judge_conditions, score
from learnability.core.store import read_tables, write_table
from learnability.report.style import Style, write_figure
from studies.recall.measures import CLAIMS, MEASURES, draw

with logged(snakemake):
    accuracy = read_tables(snakemake.input.accuracy)
    write_figure(draw(accuracy, Style(**snakemake.params.style, architectures=["plain"])), snakemake.output.figure)
    conditions = judge_conditions(CLAIMS, {"accuracy": accuracy}, {"main": {"plain": "plain"}}, MEASURES)
    write_table(score(CLAIMS, conditions), snakemake.output.scorecard)
