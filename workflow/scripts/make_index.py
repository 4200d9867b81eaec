"""Write the page to open first, with all that it shows inside."""

import json
from pathlib import Path

import yaml

from job import logged
from learnability.core.store import read_table, write_text
from learnability.report.findings import from_records
from learnability.report.pages.index import Shown, index_page
from learnability.report.scorecard import scale_notice

with logged(snakemake):
    params, given = snakemake.params, snakemake.input
    files = [Path(path) for path in given.shown]
    contents = [file.read_bytes() if file.suffix == ".png" else file.read_text("utf-8") for file in files]
    names = [{key: value for key, value in entry.items() if key != "file"} for entry in params.shown]
    claims = [yaml.safe_load(Path(path).read_text("utf-8")) for path in given.claims]
    page = index_page(
        params.title,
        params.about,
        params.config["preset"],
        "".join(scale_notice(each["paper_scale"], params.scale) for each in claims),
        from_records(json.loads(Path(given.findings).read_text("utf-8"))),
        {reading: read_table(path) for reading, path in zip(params.readings, given.scorecards, strict=True)},
        {reading: read_table(path) for reading, path in zip(params.readings, given.conditions, strict=True)},
        params.config["figures"]["labels"],
        [Shown(**name, content=content) for name, content in zip(names, contents, strict=True)],
        {Path(path).stem: Path(path).read_text("utf-8") for path in given.captions},
        yaml.safe_dump(params.config, sort_keys=False, default_flow_style=None, allow_unicode=True, width=100),
        [json.loads(Path(path).read_text("utf-8")) for path in given.trainings],
    )
    write_text(page, snakemake.output.html)
