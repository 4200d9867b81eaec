"""What is recorded of a job: its settings, in what it writes; what it made, where and with what, beside its log."""

import csv
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def settings_of(snakemake: Any) -> dict[str, Any]:
    """The settings of the job, as an attribute of what it writes."""
    return {name: value for name, value in snakemake.params.items() if name != "library"}


def write_provenance(snakemake: Any) -> None:
    """Write files, rule, digest of the settings, host, versions and time beside the log of a job that ends."""
    # here, so that the modules at the top stay those that artefacts depend on, which digests of scripts hold
    from learnability.core.provenance import provenance
    from learnability.core.store import write_json

    settings = json.dumps(settings_of(snakemake), sort_keys=True, default=list).encode()
    made = {
        "files": list(snakemake.output),
        "rule": snakemake.rule,
        "settings": hashlib.sha256(settings).hexdigest()[:16],
        "library": snakemake.params.library,
    }
    write_json(provenance() | made, Path(snakemake.log[0]).with_suffix(".provenance.json"))


def facts_of_files(logs: str) -> Iterator[dict[str, Any]]:
    """What is recorded of each file by the job that made it last; of those whose logs were removed, nothing."""
    recorded = [(path, json.loads(path.read_text())) for path in sorted(Path(logs).rglob("*.provenance.json"))]
    last: dict[str, dict[str, Any]] = {}
    for path, facts in sorted(recorded, key=lambda each: each[1]["finished"]):
        files, versions = facts.pop("files"), facts.pop("versions")
        last |= dict.fromkeys(files, facts | versions | _seconds(path))
    return ({"file": file, **facts} for file, facts in last.items())


def _seconds(provenance: Path) -> dict[str, float]:
    benchmark = provenance.with_name(provenance.name.replace(".provenance.json", ".benchmark.tsv"))
    if not benchmark.exists():
        return {}
    with benchmark.open() as rows:
        return {"seconds": float(next(csv.DictReader(rows, delimiter="\t"))["s"])}
