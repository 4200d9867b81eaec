"""Compare each claim of a study's paper with measurements."""

from importlib import import_module

from job import logged

from learnability.claims import judge_conditions, read_claims, score
from learnability.core.store import read_tables, write_table, write_text
from learnability.report.scorecard import ALL_COUNTED, artefact_link, as_html, as_markdown, scale_notice

with logged(snakemake):
    params, output, sources = snakemake.params, snakemake.output, dict(snakemake.input.items())
    study = import_module(params.judged)
    paper = read_claims(sources.pop("claims"))
    tables_by_kind = {
        kind: read_tables([files] if isinstance(files, str) else files) for kind, files in sources.items()
    }
    claims = study.claims(paper, params.labels)
    tables = study.tables(tables_by_kind, params.readings)
    conditions = judge_conditions(claims, tables, params.groups, study.MEASURES)
    scores = score(claims, conditions)
    if hasattr(study, "all_counted"):
        all_conditions = judge_conditions(claims, study.all_counted(tables), params.groups, study.MEASURES)
        scores[ALL_COUNTED] = score(claims, all_conditions)["verdict"]
    scores["link"] = [artefact_link(row, params.suffixes, params.of_no_reading) for row in scores.to_dict("records")]
    reading = snakemake.wildcards.get("reading", "")
    notice = scale_notice(paper, params.scale)
    write_table(scores, output.csv)
    write_table(conditions, output.conditions)
    words = (notice, params.labels, params.get("groups_in_words", ""))
    write_text(as_markdown(scores, reading, *words), output.md)
    write_text(as_html(scores, reading, *words), output.html)
