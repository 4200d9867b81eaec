"""Write the page to open first, with all that it shows inside."""

import json
from pathlib import Path

import yaml

from job import logged
from learnability.pages.index import Shown, index_page
from learnability.scorecard import scale_notice
from learnability.store import read_table, read_text, write_text

with logged(snakemake):
    params, given = snakemake.params, snakemake.input
    contents = [Path(path).read_bytes() if path.endswith(".png") else read_text(path) for path in given.shown]
    names = [{key: value for key, value in entry.items() if key != "file"} for entry in params.shown]
    page = index_page(
        params.config["preset"],
        scale_notice(yaml.safe_load(read_text(given.claims))["paper_scale"], params.scale),
        {reading: read_table(path) for reading, path in zip(params.readings, given.scorecards, strict=True)},
        [Shown(**name, content=content) for name, content in zip(names, contents, strict=True)],
        {Path(path).stem: read_text(path) for path in given.captions},
        yaml.safe_dump(params.config, sort_keys=False, default_flow_style=None, allow_unicode=True, width=100),
        [json.loads(read_text(path)) for path in given.trainings],
    )
    write_text(page, snakemake.output.html)
