"""The workflow on a cluster with Slurm: the same results, whatever is killed on the way."""

import hashlib
from pathlib import Path

from .conftest import LOG, Outcome


def digests(folder: Path) -> dict[str, str]:
    """Digests of all results but the sidecars that say where and when they were made."""
    files = [path for path in (folder / "results").rglob("*") if path.is_file() and path.name != "provenance.json"]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_results_are_those_of_a_local_run(outcome: Outcome) -> None:
    actual, expected = digests(outcome.by_slurm.folder), digests(outcome.locally.folder)
    assert actual == expected
    assert {Path(name).suffix for name in actual} >= {".safetensors", ".nc", ".csv", ".pdf", ".png"}


def test_a_cancelled_training_went_on_from_its_checkpoint(outcome: Outcome) -> None:
    assert "goes on after epoch" in (outcome.by_slurm.folder / LOG).read_text()
    assert "goes on after epoch" not in (outcome.locally.folder / LOG).read_text()


def test_small_jobs_share_a_submission(outcome: Outcome) -> None:
    # diagnostic sequences; laws; training, twice; what is measured; figures and tables
    assert outcome.output.count("has been submitted with SLURM jobid") == 6


def test_a_job_over_its_memory_gets_more(outcome: Outcome) -> None:
    assert (outcome.limits / "memory").read_text() == "4000M\n"


def test_a_job_over_its_time_gets_more(outcome: Outcome) -> None:
    assert (outcome.limits / "time").read_text() == "2:00\n"


def test_a_job_that_wants_a_gpu_has_one(outcome: Outcome) -> None:
    assert (outcome.limits / "gpu").read_text() == "GPU 0\n"
