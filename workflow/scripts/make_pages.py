"""Write each table as a page whose columns sort."""

from pathlib import Path

from job import logged
from learnability.core.store import write_text
from learnability.report.pages.page import table_page

with logged(snakemake):
    captions = {Path(path).stem: Path(path).read_text("utf-8") for path in snakemake.input.captions}
    files = zip(snakemake.params.shown, snakemake.input.tables, snakemake.output, strict=True)
    for table, markdown, html in files:
        write_text(table_page(captions[table["name"]], table["reading"], Path(markdown).read_text("utf-8")), html)
