"""Kill a run at random moments, go on after each, and compare what it leaves with an undisturbed run.

    PYTHONPATH=src python -m tests.workflow.kills FOLDER --configfile config/quick.yaml [--kills 20] [--seed 0]

FOLDER takes two copies of the project, `undisturbed`, run on one core, and `killed`, on two.
"""

import argparse
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from learnability.core.manifest import files_below, list_files
from learnability.core.yaml_files import load_yaml

from .conftest import ROOT, Project, merged

LONGEST = 1.0
"""Seconds: about as long as a short job."""


def kill_and_resume(project: Project, targets: list[str], kills: int, seed: int, jobs: int) -> Iterator[str]:
    """Start a run of `jobs` jobs `kills` times; each time SIGKILL it and all its jobs at a random moment.

    That is up to LONGEST seconds after a number of jobs has finished, drawn from all numbers that leave one to do, so
    that kills spread over the whole run on a fast machine as on a busy one.

    The last kill's lock is left.

    Yields:
        the moment of each kill; fewer than `kills` if the run ends before.
    """
    moment = random.Random(seed)
    for count in sorted(moment.choices(range(jobs), k=kills)):
        seconds = moment.uniform(0, LONGEST)
        for lock in _locks(project):  # as --unlock does, which looks at all jobs first
            lock.unlink()
        run = subprocess.Popen(
            project.command(*targets),
            cwd=project.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while run.poll() is None and not (is_locked(project) and finished_jobs(project) >= count):
            time.sleep(0.02)
        try:
            run.wait(seconds)
        except subprocess.TimeoutExpired:
            _kill_all(run)
            yield f"{seconds:.1f} s after {count} of {jobs} jobs"


def finished_jobs(project: Project) -> int:
    """Jobs that have ended well; each leaves a benchmark."""
    return sum(1 for _ in (project.folder / "logs").rglob("*.benchmark.tsv"))


def is_locked(project: Project) -> bool:
    """True if a run has, or left, a lock."""
    return bool(_locks(project))


def digests(project: Path) -> pd.DataFrame:
    """SHA-256 of every result in a project's folder but those of volatile facts."""
    folder = project / "results"
    return list_files(folder, files_below(folder))


def _locks(project: Project) -> list[Path]:
    return list((project.folder / ".snakemake" / "locks").glob("*"))


def _kill_all(run: subprocess.Popen[bytes]) -> None:
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    while _is_alive(run.pid):
        time.sleep(0.01)


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def main() -> None:
    """Run the comparison; print what it found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--configfile", nargs="+", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    config = preset(arguments.configfile)
    reference = Project(arguments.folder / "undisturbed", config)
    project = Project(arguments.folder / "killed", config)
    _finish(reference, "--cores", "1")
    for moment in kill_and_resume(project, [], arguments.kills, arguments.seed, finished_jobs(reference)):
        print(f"Killed {moment}.", flush=True)
    _finish(project, "--unlock")
    _finish(project)
    compare(project.folder, reference.folder)


def preset(configfiles: Sequence[Path]) -> dict[str, Any]:
    """The configuration that Snakemake makes of these files and the project's own."""
    config = load_yaml((ROOT / "config" / "config.yaml").read_text())
    for path in configfiles:
        config = merged(config, load_yaml(path.read_text()))
    return config


def compare(folder: Path, expected: Path) -> None:
    """Print that all files are the same; exit with the names of those that are not."""
    files = digests(folder).merge(digests(expected), how="outer", on=["path", "sha256", "bytes"], indicator="of")
    differ = files.loc[files["of"] != "both", "path"].unique().tolist()
    if differ:
        raise SystemExit(f"{len(differ)} files differ or are missing: {', '.join(differ)}")
    print(f"The same {len(files)} files, byte for byte.")


def _finish(project: Project, *arguments: str) -> None:
    result = project.snakemake(*arguments)
    assert result.returncode == 0, result.stdout + result.stderr


if __name__ == "__main__":
    main()
