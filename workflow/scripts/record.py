"""What is recorded of a job: its settings, in what it writes; where, when and with what it ran, beside its log."""

import csv
import json
from pathlib import Path
from typing import Any


def settings_of(snakemake: Any) -> dict[str, Any]:
    """The settings of the job, as an attribute of what it writes."""
    return {name: value for name, value in snakemake.params.items() if name != "library"}


def write_provenance(log: str) -> None:
    """Write host, versions and time beside the log of a job that ends."""
    # here, so that the modules at the top stay those that artefacts depend on, which digests of scripts hold
    from learnability.core.provenance import provenance
    from learnability.core.store import write_json

    write_json(provenance(), Path(log).with_suffix(".provenance.json"))


def facts_of(log: str) -> dict[str, Any]:
    """Seconds, end, host and versions of the job with this log; empty where they were removed."""
    facts: dict[str, Any] = {}
    benchmark, provenance = (Path(log).with_suffix(suffix) for suffix in (".benchmark.tsv", ".provenance.json"))
    if benchmark.exists():
        with benchmark.open() as rows:
            facts["seconds"] = float(next(csv.DictReader(rows, delimiter="\t"))["s"])
    if provenance.exists():
        facts |= json.loads(provenance.read_text())
        facts |= facts.pop("versions")
    return facts
