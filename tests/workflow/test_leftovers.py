"""Listing and removal of what earlier configurations and killed jobs leave, and of nothing else."""

import json
from collections.abc import Callable
from typing import Any

from .artefacts import RUNS
from .conftest import LOGS, RESULTS, Project

OLD_WEIGHTS = "models/gone/adamw/seed0/weights.safetensors"
LEFTOVERS = [
    "checkpoints/gone/adamw/seed0.0123456789abcdef.pt",
    f"checkpoints/{RUNS[0]}.0123456789abcdef.previous.pt",
    "models/const_gate/adamw/seed7/weights.safetensors",
    OLD_WEIGHTS,
    "models/.elsewhere.4711.0123abcd.weights.safetensors",
    "models/.elsewhere.4711.weights.safetensors",
    "findings_of_old.md",
    "data/seed7/diagnostic.nc",
]
OUTPUTS = [f"models/{RUNS[0]}/weights.safetensors", f"measured/{RUNS[0]}/rates.nc", "findings.md", "index.html"]
FOREIGN = ["notes.txt", "models/gone/adamw/seed0/mine.txt", ".hidden"]


def test_what_is_left_over_is_listed_and_removed(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    project = new_project(miniature)
    for name in [*LEFTOVERS, *OUTPUTS, *FOREIGN]:
        (project.folder / RESULTS / name).parent.mkdir(parents=True, exist_ok=True)
        (project.folder / RESULTS / name).write_text(name)
    logs = project.folder / LOGS / "train_network"
    logs.mkdir(parents=True)
    names = [f"{RESULTS}/{name}" for name in [*LEFTOVERS, *OUTPUTS]]
    (logs / "jobs.provenance.json").write_text(json.dumps({"files": names}))
    (logs / "damaged.provenance.json").write_text("{")
    listing = project.snakemake("leftovers")
    assert listing.returncode == 0, listing.stdout + listing.stderr
    assert (
        f"{len(LEFTOVERS)} files below {RESULTS} are left over; 'snakemake remove_leftovers' removes them"
        in listing.stderr
    )
    assert {line for line in listing.stderr.splitlines() if line.startswith(str(RESULTS))} == set(
        names[: len(LEFTOVERS)]
    )
    removal = project.snakemake("remove_leftovers")
    assert removal.returncode == 0, removal.stdout + removal.stderr
    paths = {path.relative_to(project.folder / RESULTS) for path in (project.folder / RESULTS).rglob("*")}
    assert {path.as_posix() for path in paths if (project.folder / RESULTS / path).is_file()} == {*OUTPUTS, *FOREIGN}
    assert "models/const_gate/adamw/seed7" not in {path.as_posix() for path in paths}
