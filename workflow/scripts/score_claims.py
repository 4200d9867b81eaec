"""Hold each claim of the paper against what was measured."""

from pathlib import Path

import yaml

from job import logged
from learnability.claims import judge_conditions, score
from learnability.core.store import read_tables, write_table, write_text
from learnability.report.scorecard import artefact_link, as_html, as_markdown, scale_notice
from studies.learnability_window.measures import MEASURES
from studies.learnability_window.views import view

with logged(snakemake):
    params, output = snakemake.params, snakemake.output
    paper = yaml.safe_load(Path(snakemake.input.claims).read_text(encoding="utf-8"))
    measured = {kind: read_tables(snakemake.input[kind]) for kind in params.kinds}
    tables = {kind: view(kind, measured, params.readings) for kind in params.kinds}
    conditions = judge_conditions(paper["claims"], tables, params.groups, MEASURES)
    scores = score(paper["claims"], conditions)
    scores["link"] = [artefact_link(row, params.suffixes, params.of_no_reading) for row in scores.to_dict("records")]
    notice = scale_notice(paper["paper_scale"], params.scale)
    write_table(scores, output.csv)
    write_table(conditions, output.conditions)
    write_text(as_markdown(scores, snakemake.wildcards.reading, notice), output.md)
    write_text(as_html(scores, snakemake.wildcards.reading, notice), output.html)
