"""Jobs of a run on one machine as copies of a process that has imported the libraries, once for each environment.

A small job spends most of its time on the import of torch, scipy and xarray. Where the run names a folder for it in
`LEARNABILITY_WORKERS`, the first job starts a process that imports them and listens at a socket in that folder. A job
asks it for a copy, which runs the script. The process has nothing of the library in it, so that an edit counts at once.
Signals, output and exit status pass through, and it ends with the run.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

FOLDER = "LEARNABILITY_WORKERS"
"""Variable with the folder of sockets, `learnability-<process of the run>-…`."""
LIBRARIES = (
    "jaxtyping",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_pdf",
    "matplotlib.figure",
    "pandas",
    "scipy.interpolate",
    "scipy.optimize",
    "scipy.signal",
    "scipy.stats",
    "snakemake.iocontainers",
    "snakemake.logging",
    "torch._dynamo",  # torch.func imports it when it is first used
    "torch.func",
    "xarray",
    "yaml",
)
"""Modules that a worker imports; an environment may lack some. None has files or threads that copies would share."""
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
READY = b"b"
"""Answer of a worker before it makes a copy: until then a job may still run its script itself."""


def offer_workers() -> None:
    """Name a folder for the workers of this run, which goes with the run, unless one is named or none is wanted."""
    if FOLDER not in os.environ:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix=f"learnability-{os.getpid()}-")
        atexit.register(shutil.rmtree, os.environ[FOLDER], ignore_errors=True)


def run_in_copy() -> None:
    """Run the script of this process in a copy of the worker and exit with its status; without a worker, return."""
    folder = os.environ.pop(FOLDER, "")
    if not folder or sys.platform != "linux":
        return
    try:
        worker = _connect(Path(folder))
        socket.send_fds(worker, [b"."], [0, 1, 2])
        script = {"path": sys.argv[0], "folder": os.getcwd(), "variables": dict(os.environ), "modules": sys.path}
        worker.sendall(json.dumps(script).encode() + b"\n")
        answer = worker.recv(1)
    except OSError:  # the run has ended, or the folder's name is too long for a socket
        return
    if answer != READY:  # the worker could not be started, or was killed
        return

    def pass_on(number: int, _: object) -> None:
        with suppress(OSError):  # the copy has just ended
            worker.sendall(bytes([number]))

    for number in PASSED_ON:
        signal.signal(number, pass_on)
    status = b""
    with suppress(OSError):
        status = worker.recv(1)
    os._exit(status[0] if status else 1)


def _connect(folder: Path) -> socket.socket:
    """Connection to the worker of this environment, which is started if there is none."""
    path = folder / sha256(sys.prefix.encode()).hexdigest()[:16]
    worker = socket.socket(socket.AF_UNIX)
    if not path.exists():
        with socket.socket(socket.AF_UNIX) as listener:
            new_path = path.with_suffix(f".{os.getpid()}")
            listener.bind(str(new_path))
            listener.listen(socket.SOMAXCONN)
            with suppress(FileExistsError):  # another job was faster
                os.link(new_path, path)
                command = [sys.executable, __file__, str(folder), str(listener.fileno())]
                silent: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
                subprocess.Popen(command, pass_fds=[listener.fileno()], start_new_session=True, **silent)
            new_path.unlink()
    worker.connect(str(path))
    return worker


def serve(folder: Path, listener: socket.socket) -> None:
    """Import the libraries and give copies while the run goes on; a copy returns when its script has ended."""
    for name in LIBRARIES:
        with suppress(Exception):  # a job that needs it will say what is wrong
            importlib.import_module(name)
    gc.freeze()  # what a copy never frees stays shared
    run = Path("/proc", folder.name.split("-")[1])
    listener.settimeout(1)
    while folder.is_dir() and run.exists():
        with suppress(ChildProcessError):  # none is left; their time is then the worker's
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        if os.fork() == 0:
            listener.close()
            return _run_script(connection)
        connection.close()
    shutil.rmtree(folder, ignore_errors=True)  # of a run that was killed


def _run_script(connection: socket.socket) -> None:
    """Run what a job asks for in a copy, pass signals on to it, and tell its status; kill it if the job is gone."""
    _, streams, *_ = socket.recv_fds(connection, 1, 3)
    script: dict[str, Any] = json.loads(connection.makefile("rb", buffering=0).readline())
    os.setsid()  # of this process, of the copy and of what it starts
    connection.sendall(READY)
    copy = os.fork()
    if copy == 0:
        connection.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())  # type: ignore[union-attr]
        os.chdir(script["folder"])
        os.environ.clear()
        os.environ.update(script["variables"])
        sys.argv[:], sys.path[:] = [script["path"]], script["modules"]
        runpy.run_path(script["path"], run_name="__main__")
        if threading.active_count() == 1:  # else the interpreter waits for the others
            _end_at_once()
        return
    threading.Thread(target=_pass_on, args=[connection, copy], daemon=True).start()
    status = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    with suppress(OSError):
        connection.sendall(bytes([status if status >= 0 else 128 - status]))
    os._exit(0)


def _end_at_once() -> NoReturn:
    """End well without freeing what was imported: a copy would first have to copy all that it frees."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)


def _pass_on(connection: socket.socket, copy: int) -> None:
    with suppress(OSError):
        while number := connection.recv(1):
            os.kill(copy, number[0])
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    serve(Path(sys.argv[1]), socket.socket(fileno=int(sys.argv[2])))
