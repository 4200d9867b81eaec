"""What earlier configurations and killed jobs leave is listed and removed, and nothing else is."""

import json
from collections.abc import Callable
from typing import Any

from .artefacts import RUNS
from .conftest import LOGS, RESULTS, Project

GONE = "models/gone/adamw/seed0/weights.safetensors"
LEFT = [
    "checkpoints/gone/adamw/seed0.0123456789abcdef.pt",
    f"checkpoints/{RUNS[0]}.0123456789abcdef.previous.pt",
    "models/const_gate/adamw/seed7/weights.safetensors",
    GONE,
    "models/.elsewhere.4711.0123abcd.weights.safetensors",
    "models/.elsewhere.4711.weights.safetensors",
    "findings_of_old.md",
    "data/seed7/diagnostic.nc",
]
KEPT = [f"models/{RUNS[0]}/weights.safetensors", f"measured/{RUNS[0]}/rates.nc", "findings.md", "index.html"]
FOREIGN = ["notes.txt", "models/gone/adamw/seed0/mine.txt", ".hidden"]


def test_what_is_left_over_is_listed_and_removed(
    new_project: Callable[[dict[str, Any]], Project], miniature: dict[str, Any]
) -> None:
    project = new_project(miniature)
    for name in [*LEFT, *KEPT, *FOREIGN]:
        (project.folder / RESULTS / name).parent.mkdir(parents=True, exist_ok=True)
        (project.folder / RESULTS / name).write_text(name)
    logs = project.folder / LOGS / "train_network"
    logs.mkdir(parents=True)
    made = [f"{RESULTS}/{name}" for name in [*LEFT, *KEPT]]
    (logs / "jobs.provenance.json").write_text(json.dumps({"files": made}))
    (logs / "damaged.provenance.json").write_text("{")
    listed = project.snakemake("leftovers")
    assert listed.returncode == 0, listed.stdout + listed.stderr
    assert (
        f"{len(LEFT)} files below {RESULTS} are left over; 'snakemake remove_leftovers' removes them" in listed.stderr
    )
    assert {line for line in listed.stderr.splitlines() if line.startswith(str(RESULTS))} == set(made[: len(LEFT)])
    removed = project.snakemake("remove_leftovers")
    assert removed.returncode == 0, removed.stdout + removed.stderr
    found = {path.relative_to(project.folder / RESULTS) for path in (project.folder / RESULTS).rglob("*")}
    assert {path.as_posix() for path in found if (project.folder / RESULTS / path).is_file()} == {*KEPT, *FOREIGN}
    assert "models/const_gate/adamw/seed7" not in {path.as_posix() for path in found}
