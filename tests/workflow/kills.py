"""Kill a run at random moments, go on after each, and compare what it leaves with an undisturbed run.

    PYTHONPATH=src python -m tests.workflow.kills --configfile config/quick.yaml [--kills 20] [--seed 0] [TARGET …]

Both runs go through copies of the project, which stay if they differ.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import yaml

from learnability.manifest import files_below, list_files

from .conftest import ROOT, Project, merged


def kill_and_resume(project: Project, targets: list[str], kills: int, seed: int, longest: float) -> Iterator[float]:
    """Start a run `kills` times; SIGKILL it and all its jobs after up to `longest` seconds, and remove its lock.

    Yields:
        the seconds of each kill that hit jobs; the others hit the start, before Snakemake locks the folder.
    """
    moment = random.Random(seed)
    for _ in range(kills):
        seconds = moment.uniform(0, longest)
        run = subprocess.Popen(
            project.command(*targets),
            cwd=project.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            run.wait(seconds)
        except subprocess.TimeoutExpired:
            _kill_all(run)
        if is_locked(project):
            yield seconds
            unlocked = project.snakemake("--unlock")
            assert unlocked.returncode == 0, unlocked.stderr


def is_locked(project: Project) -> bool:
    """Whether a run has, or left, a lock."""
    return any((project.folder / ".snakemake" / "locks").glob("*"))


def digests(project: Project) -> pd.DataFrame:
    """SHA-256 of every file of the preset but those of volatile facts."""
    folder = project.folder / "results"
    return list_files(folder, files_below(folder))


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
    parser.add_argument("--configfile", nargs="+", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("targets", nargs="*")
    arguments = parser.parse_args()
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    for path in arguments.configfile:
        config = merged(config, yaml.safe_load(path.read_text()))
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    undisturbed, killed = Project(folder / "undisturbed", config), Project(folder / "killed", config)
    start = time.monotonic()
    _finish(undisturbed, arguments.targets)
    seconds = time.monotonic() - start
    print(f"Undisturbed: {seconds:.0f} s.", flush=True)
    # about as long each as lets the run end with the last kill
    longest = 2 * (seconds / arguments.kills + 5)
    for after in kill_and_resume(killed, arguments.targets, arguments.kills, arguments.seed, longest):
        print(f"Killed after {after:.1f} s.", flush=True)
    _finish(killed, arguments.targets)
    expected, found = digests(undisturbed), digests(killed)
    if not found.equals(expected):
        raise SystemExit(
            f"Not the same; see {folder}:\n{expected.compare(found) if len(expected) == len(found) else found}"
        )
    print(f"The same {len(found)} files, byte for byte.")
    shutil.rmtree(folder)


def _finish(project: Project, targets: list[str]) -> None:
    result = project.snakemake(*targets)
    assert result.returncode == 0, result.stdout + result.stderr


if __name__ == "__main__":
    main()
