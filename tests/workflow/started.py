"""Snakemake in copies of a process that has imported it, in which a run starts in half of the time."""

import atexit
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

LIBRARIES = ["pandas", "pydantic", "snakemake.cli", "xarray", "yaml"]
"""Imports of Snakemake and of the rules; nothing of the project, which a test may have changed."""
SITE_PATHS = [path for path in sys.path if "site-packages" in path or path.startswith(sys.base_prefix)]
COPIES = multiprocessing.get_context("forkserver")
COPIES.set_forkserver_preload(LIBRARIES)


def run_snakemake(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `python -m snakemake` in `folder`; in a process of its own, which counts its time, if jobs are."""
    if os.environ.get("LEARNABILITY_WORKERS") == "":
        command = [sys.executable, "-m", "snakemake", *arguments]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    with TemporaryDirectory() as temporary:
        out, err = (Path(temporary) / name for name in ("out", "err"))
        command = ["snakemake", *arguments]
        process = COPIES.Process(target=_run, args=(command, folder, dict(os.environ), [out, err]))
        process.start()
        process.join()
        assert process.exitcode is not None
        return subprocess.CompletedProcess(command, process.exitcode, out.read_text(), err.read_text())


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str], outputs: Sequence[Path]) -> None:
    for number, path in enumerate(outputs, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1) for number in (1, 2))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv, sys.path[:] = list(command), [str(folder), *SITE_PATHS]
    from snakemake.cli import main

    try:
        main()
    finally:
        atexit._run_exitfuncs()
