"""Write each table as a page whose columns sort, and the findings as a page."""

from pathlib import Path

from job import logged

from learnability.core.store import read_json, write_text
from learnability.report.findings import as_markdown, from_records
from learnability.report.pages.caption import caption_markdown
from learnability.report.pages.page import table_page
from learnability.report.typeset import in_markdown
from studies.files import file_of

with logged(snakemake):
    params, sources, output = snakemake.params, snakemake.input, snakemake.output
    captions = {Path(path).stem: Path(path).read_text("utf-8") for path in sources.captions}
    for table in params.tables:
        markdown = Path(file_of(sources.tables, table["file"])).read_text("utf-8")
        html = file_of(output.tables, Path(table["file"]).with_suffix(".html"))
        data = Path(table["data"]).name  # beside the page
        write_text(table_page(captions[table["name"]], table["reading"], markdown, data), html)
    introduction, findings = from_records(read_json(sources.findings, "introduction", "questions"))
    figure_captions = {
        Path(figure["file"]).stem: caption_markdown(captions[figure["name"]]) for figure in params.figures
    }
    write_text(as_markdown(introduction, findings, map(in_markdown, params.labels), figure_captions), output.findings)
