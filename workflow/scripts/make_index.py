"""Write the page to open first, with all that it shows inside."""

from importlib import import_module
from pathlib import Path

from job import logged

import yaml

from learnability.core.store import read_by_name, read_json, read_table, write_text
from learnability.core.yaml_files import load_yaml
from learnability.report.findings import from_records
from learnability.report.pages.index import Shown, index_page
from learnability.report.scorecard import scale_notice
from studies.files import file_of

with logged(snakemake):
    params, sources = snakemake.params, snakemake.input
    scorecards, conditions = (
        {reading: read_table(file_of(files, Path(reading, name))) for reading in params.readings}
        for files, name in ((sources.scorecards, "scorecard.csv"), (sources.conditions, "scorecard.conditions.csv"))
    )
    papers = [load_yaml(Path(path).read_text("utf-8")) for path in sources.claims]
    labels, colours = (params.config["figures"][name] for name in ("labels", "colours"))
    tables = read_by_name(sources.plays)
    _, findings = from_records(read_json(sources.findings, "introduction", "questions"))
    page = index_page(
        *(params.title, params.about, params.config["preset"]),
        "".join(scale_notice(paper, params.scale) for paper in papers) or params.small,
        findings,
        *(scorecards, conditions, labels),
        [Shown.read(**{**entry, "file": Path(file_of(sources.shown, entry["file"]))}) for entry in params.shown],
        {Path(path).stem: Path(path).read_text("utf-8") for path in sources.captions},
        yaml.safe_dump(params.config, sort_keys=False, default_flow_style=None, allow_unicode=True, width=100),
        [read_json(path, "finished", "versions") for path in sources.trainings],
        {place: import_module(module).play(tables, labels, colours) for place, module in params.plays.items()},
        params.groups,
    )
    write_text(page, snakemake.output.html)
