"""Write the findings of a study as an article to print."""

from importlib import import_module
from pathlib import Path

from job import logged

import yaml

from learnability.core.store import read_json, read_table, writing
from learnability.report.findings import from_records
from learnability.report.pages.printed import Article, as_pdf
from learnability.report.scorecard import scale_notice
from studies.files import file_of

with logged(snakemake):
    params, given = snakemake.params, snakemake.input
    scales = [yaml.safe_load(Path(path).read_text("utf-8"))["paper_scale"] for path in given.claims]
    introduction, findings = from_records(read_json(given.findings, "introduction", "questions"))
    files = {(each["reading"], Path(each["file"]).stem): each for each in params.shown}
    captions = {Path(path).stem: Path(path).read_text("utf-8") for path in given.captions}
    article = Article(
        **{name: params.get(name) for name in ("title", "about", "groups")},
        source=import_module(f"studies.{params.study}").__doc__ or "",
        notice="".join(scale_notice(each, params.scale) for each in scales) or params.small,
        introduction=introduction,
        method=Path(given.method).read_text("utf-8"),
        findings=findings,
        scores=next(map(read_table, given.scorecards), None),
        labels=params.labels,
        captions={name: captions[each["name"]] for (_, name), each in files.items()},
        limits=Path(given.limits).read_text("utf-8"),
        commands=[f"snakemake --cores 8 --config study={params.study} preset={params.preset}"],
    )
    figures = {key: Path(file_of(given.figures, each["file"])) for key, each in files.items()}
    pdf = as_pdf(article, figures)
    with writing(snakemake.output.pdf) as temporary:
        temporary.write_bytes(pdf)
