import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.workflow.conftest import ROOT, Project, full, miniature, new_project

from .cluster import slurm

__all__ = ["full", "miniature", "new_project"]

PROFILE = ROOT / "profiles" / "slurm"
# what a cluster without accounting wants, and shorter waits: between looks at the queue, and for files to appear
HERE = ["--slurm-status-command", "squeue", "--slurm-no-account", "--latency-wait", "5"]
HERE += ["--slurm-init-seconds-before-status-checks", "4", "--seconds-between-status-checks", "4"]
TARGETS = ["figure_01", "figure_02", "null_control", "windows"]
LOG = "logs/learnability_window/miniature/train_network/diag_gate/adamw/seed0.log"
LIMITS = """
rule all:
    input: "memory", "time", "gpu"

rule hungry: # 2500 MB; the default is 2000, then 4000
    output: "memory"
    params: code="import time; held = b'1' * 2_500_000_000; time.sleep(4)"
    shell: 'python3 -c "{params.code}"; squeue -h -j $SLURM_JOB_ID -o %m > {output}'

rule slow: # more than one minute, less than two
    output: "time"
    params: seconds=lambda wildcards, resources: 300 if resources.runtime == 1 else 1
    resources: runtime=lambda wildcards, attempt: attempt
    shell: "sleep {params.seconds}; squeue -h -j $SLURM_JOB_ID -o %l > {output}"

rule on_gpu:
    output: "gpu"
    resources: gpu=1
    shell: "echo GPU $CUDA_VISIBLE_DEVICES > {output}"
"""


@dataclass
class Outcome:
    """Outcome of runs: the project by Slurm, with its training interrupted, and without; the jobs with limits."""

    by_slurm: Project
    locally: Project
    limits: Path
    output: str


def submit(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "snakemake", "--workflow-profile", str(PROFILE), *HERE, *arguments]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(run: subprocess.Popen[str], timeout: float | None = 1200) -> str:
    output, _ = run.communicate(timeout=timeout)
    assert run.returncode == 0, output
    return output


def cancel_training(project: Project, run: subprocess.Popen[str]) -> None:
    """`scancel` the training of a run when it has got somewhere."""
    log = project.folder / LOG
    while not log.exists() or "epoch 1 of" not in log.read_text():
        assert run.poll() is None, finish(run)
        time.sleep(0.05)
    queue = subprocess.run(["squeue", "-h", "-o", "%i %k"], capture_output=True, text=True, check=True).stdout
    (job,) = [line.split()[0] for line in queue.splitlines() if "rule_train_network" in line]
    subprocess.run(["scancel", job], check=True)


@pytest.fixture(scope="session")
def cluster() -> Iterator[None]:
    with tempfile.TemporaryDirectory(prefix="slurm") as folder, slurm(Path(folder)):
        yield


@pytest.fixture(scope="session")
def outcome(
    cluster: None,
    new_project: Callable[[dict[str, Any]], Project],
    miniature: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Outcome:
    """A network, trained long enough to be interrupted; all side by side, for most of it is waiting."""
    miniature["runs"] = {"adamw": ["diag_gate"], "sgd": []}
    miniature["architecture_groups"] = {"main": dict.fromkeys(miniature["architecture_groups"]["main"], "diag_gate")}
    miniature["training"]["epochs"] = 200
    by_slurm, locally = new_project(miniature), new_project(miniature)
    limits = tmp_path_factory.mktemp("limits")
    (limits / "Snakefile").write_text(LIMITS)
    runs = [submit(by_slurm.folder, *TARGETS), submit(limits)]
    try:
        cancel_training(by_slurm, runs[0])
        undisturbed = locally.snakemake(*TARGETS)
        assert undisturbed.returncode == 0, undisturbed.stdout + undisturbed.stderr
        output, _ = map(finish, runs)
    finally:
        for run in runs:
            run.terminate()
            run.wait()
    return Outcome(by_slurm, locally, limits, output)
