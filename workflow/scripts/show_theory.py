"""Draw the theory of recurrence and attention, and answer the questions of the study."""

from job import logged
from learnability.core.store import read_table, write_json, write_text
from learnability.report.findings import as_markdown, as_records
from learnability.report.style import Style, write_figure
from studies.attention.figures import theory_exponents, theory_paths, theory_sparse, theory_sums
from studies.attention.findings import INTRODUCTION, answer

with logged(snakemake):
    output, style = snakemake.output, Style(**snakemake.params.style, architectures=[])
    tables = {name: read_table(file) for name, file in snakemake.input.items()}
    write_figure(theory_paths.draw(tables, style), output.theory_paths)
    write_figure(theory_exponents.draw(tables, style), output.theory_exponents)
    write_figure(theory_sums.draw(tables, style), output.theory_sums)
    write_figure(theory_sparse.draw(tables, style), output.theory_sparse)
    findings = answer(tables)
    write_text(as_markdown(findings, [], INTRODUCTION), output.findings)
    write_json(as_records(findings), output.records)
