"""Snakemake in copies of a process that has imported it, in which a run starts in half of the time."""

import atexit
import ctypes
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from costs import ELSEWHERE, processor_time

LIBRARIES = ["pandas", "pydantic", "snakemake.cli", "xarray", "yaml"]
"""Imports of Snakemake and of the rules; nothing of the project, which a test may have changed."""
SITE_PATHS = [path for path in sys.path if "site-packages" in path or path.startswith(sys.base_prefix)]
BECOME_PARENT_OF_ORPHANS = 36
"""PR_SET_CHILD_SUBREAPER of Linux."""
COPIES = multiprocessing.get_context("forkserver")
COPIES.set_forkserver_preload(LIBRARIES)


def run_snakemake(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `python -m snakemake` in `folder`; where costs are measured, note its time and its workers'."""
    environment = dict(os.environ)
    is_measured = environment.get("LEARNABILITY_WORKERS") == ""
    if is_measured:
        del environment["LEARNABILITY_WORKERS"]
    with TemporaryDirectory() as temporary:
        out, err, spent = (Path(temporary) / name for name in ("out", "err", "spent"))
        command = ["snakemake", *arguments]
        process = COPIES.Process(target=_run, args=(command, folder, environment, [out, err], is_measured, spent))
        process.start()
        process.join()
        assert process.exitcode is not None
        if is_measured:
            ELSEWHERE.append(float(spent.read_text()))
        return subprocess.CompletedProcess(command, process.exitcode, out.read_text(), err.read_text())


def _run(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    outputs: Sequence[Path],
    is_measured: bool,
    spent: Path,
) -> None:
    for number, path in enumerate(outputs, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1) for number in (1, 2))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv, sys.path[:] = list(command), [str(folder), *SITE_PATHS]
    if is_measured:
        ctypes.CDLL(None).prctl(BECOME_PARENT_OF_ORPHANS, 1)
    from snakemake.cli import main

    try:
        main()
    finally:
        atexit._run_exitfuncs()
        if is_measured:
            for child in psutil.Process().children():
                if any(part.endswith("/worker.py") for part in child.cmdline()):  # it ends with the run
                    os.waitpid(child.pid, 0)
            spent.write_text(str(processor_time()))
