"""Write each table as a page whose columns sort."""

from pathlib import Path

from job import logged
from learnability.core.store import write_text
from learnability.report.pages.page import table_page
from named import file_of

with logged(snakemake):
    captions = {Path(path).stem: Path(path).read_text("utf-8") for path in snakemake.input.captions}
    for table in snakemake.params.shown:
        markdown = Path(file_of(snakemake.input.tables, table["file"])).read_text("utf-8")
        html = file_of(snakemake.output, Path(table["file"]).with_suffix(".html"))
        write_text(table_page(captions[table["name"]], table["reading"], markdown), html)
