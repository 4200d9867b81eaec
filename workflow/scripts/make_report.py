"""Write the findings of a study as an article to print."""

from importlib import import_module
from pathlib import Path

from job import logged

from learnability.core.store import read_json, read_table, writing
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import from_records
from learnability.report.pages.printed import Article, as_pdf, limits_of
from learnability.report.scorecard import scale_notice
from studies.files import file_of

with logged(snakemake):
    params, sources = snakemake.params, snakemake.input
    papers = [load_yaml(Path(path).read_text("utf-8")) for path in sources.claims]
    introduction, findings = from_records(read_json(sources.findings, "introduction", "questions"))
    studies = [path.parent.name for path in Path(sources.method).parent.parent.glob("*/method.typ")]
    entries = {(entry["reading"], Path(entry["file"]).stem): entry for entry in params.shown}
    captions = {Path(path).stem: Path(path).read_text("utf-8") for path in sources.captions}
    article = Article(
        **{name: params.get(name) for name in ("title", "about", "groups")},
        source=import_module(f"studies.{params.study}").__doc__ or "",
        notice="".join(scale_notice(paper, params.scale) for paper in papers) or params.small,
        introduction=introduction,
        method=Path(sources.method).read_text("utf-8"),
        findings=findings,
        scores=next(map(read_table, sources.scorecards), None),
        labels=params.labels,
        captions={name: captions[entry["name"]] for (_, name), entry in entries.items()},
        limits=limits_of(params.study, Path(sources.limits).read_text("utf-8"), studies),
        commands=[f"snakemake --cores 8 --config study={params.study} preset={params.preset}"],
    )
    figures = {key: Path(file_of(sources.figures, entry["file"])) for key, entry in entries.items()}
    pdf = as_pdf(article, figures)
    with writing(snakemake.output.pdf) as temporary:
        temporary.write_bytes(pdf)
