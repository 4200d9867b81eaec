"""Scripts that run as copies of a process with the libraries in it: what passes through, and what ends with what."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from .conftest import ROOT

START = f"""
import os, signal, sys, time
sys.path.insert(0, {str(ROOT / "workflow")!r})
from worker import run_in_copy
run_in_copy()
"""


def wait_until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def folder_of_workers() -> Iterator[Path]:
    """Folder with a short name, as sockets need; its workers end with it."""
    with TemporaryDirectory(prefix=f"learnability-{os.getpid()}-") as name:
        yield Path(name)
    wait_until(lambda: not processes_of(Path(name)))


@pytest.fixture(scope="module")
def workers() -> Iterator[Path]:
    with folder_of_workers() as folder:
        yield folder


def processes_of(folder: Path) -> list[int]:
    """Workers of a folder."""
    commands = {int(path.parent.name): path for path in Path("/proc").glob("[0-9]*/cmdline")}
    numbers = []
    for number, path in commands.items():
        try:
            numbers += [number] * (str(folder).encode() in path.read_bytes())
        except OSError:
            continue
    return numbers


@pytest.fixture
def start(workers: Path, tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    with ExitStack() as stack:

        def start(text: str) -> subprocess.Popen[str]:
            script = tmp_path / "script.py"
            script.write_text(START + text)
            variables = {**os.environ, "LEARNABILITY_WORKERS": str(workers), "OMP_NUM_THREADS": "1"}
            streams: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
            process = subprocess.Popen([sys.executable, str(script)], cwd=tmp_path, env=variables, **streams)
            return stack.enter_context(process)

        yield start


Start = Callable[[str], subprocess.Popen[str]]


def test_a_script_has_its_folder_variables_streams_and_status(start: Start, workers: Path, tmp_path: Path) -> None:
    process = start(
        "print(os.getcwd(), os.getpid(), 'torch' in sys.modules); sys.stderr.write(sys.argv[0]); sys.exit(7)"
    )
    output, errors = process.communicate()
    folder, number, has_torch = output.split()
    assert (folder, has_torch, process.returncode) == (str(tmp_path), "True", 7)
    assert int(number) != process.pid
    assert errors == str(tmp_path / "script.py")
    wait_until(lambda: len(processes_of(workers)) == 1)


def test_a_copy_knows_nothing_of_another(start: Start) -> None:
    assert start("sys.path_of_first = 1; os.environ['FIRST'] = '1'").wait() == 0
    process = start("print(hasattr(sys, 'path_of_first'), 'FIRST' in os.environ, 'LEARNABILITY_WORKERS' in os.environ)")
    assert process.communicate() == ("False False False\n", "")


END = """
import atexit

class Freed:
    def __del__(self, write=os.write):
        write(1, b"freed")

os.imported = Freed()
atexit.register(lambda: print("at exit", end=" "))
print("no newline", end=" ")
"""


def test_a_script_that_ends_well_says_all_and_frees_nothing_that_was_imported(start: Start) -> None:
    """Freeing takes longer than most jobs; functions that a script has registered for its end run."""
    process = start(END)
    assert process.communicate() == ("no newline at exit ", "")
    assert process.returncode == 0


def test_a_script_ends_with_its_last_thread(start: Start) -> None:
    process = start("import threading\nthreading.Thread(target=lambda: (time.sleep(0.3), print('done'))).start()")
    assert process.communicate() == ("done\n", "")


def test_an_error_ends_in_its_traceback(start: Start) -> None:
    process = start("1 / 0")
    assert process.communicate()[1].endswith("ZeroDivisionError: division by zero\n")
    assert process.returncode == 1


def test_an_error_of_a_timeout_is_told_as_any_other(start: Start) -> None:
    """The worker waits with a timeout of its own."""
    process = start("raise TimeoutError('of the script')")
    assert process.communicate()[1].endswith("TimeoutError: of the script\n")
    assert process.returncode == 1


SLEEP = "print(os.getpid(), flush=True); time.sleep(60)"


def test_a_signal_reaches_the_script(start: Start) -> None:
    process = start("signal.signal(signal.SIGTERM, lambda *_: sys.exit(5)); " + SLEEP)
    assert process.stdout
    process.stdout.readline()
    process.terminate()
    assert process.wait() == 5


def test_a_script_that_is_killed_fails_and_one_without_its_job_is_killed(start: Start) -> None:
    process = start(SLEEP)
    assert process.stdout
    os.kill(int(process.stdout.readline()), signal.SIGKILL)
    assert process.wait() == 128 + signal.SIGKILL
    process = start(SLEEP)
    assert process.stdout
    copy = int(process.stdout.readline())
    process.kill()
    wait_until(lambda: not Path(f"/proc/{copy}").exists())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_job_that_ends_while_the_worker_starts_runs_nothing(tmp_path: Path, number: signal.Signals) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text(START + f"open({str(tmp_path / name)!r}, 'w')")
    with folder_of_workers() as folder:
        variables = {**os.environ, "LEARNABILITY_WORKERS": str(folder)}
        with subprocess.Popen([sys.executable, str(tmp_path / "first.py")], env=variables) as job:
            wait_until(lambda: processes_of(folder))
            job.send_signal(number)
            assert job.wait() == -number
        subprocess.run([sys.executable, str(tmp_path / "second.py")], env=variables, check=True)
    assert (tmp_path / "second").exists() and not (tmp_path / "first").exists()


def test_a_worker_that_dies_leaves_the_script_to_its_job(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(START + "print(os.getpid())")
    with folder_of_workers() as folder:
        variables = {**os.environ, "LEARNABILITY_WORKERS": str(folder)}
        with subprocess.Popen([sys.executable, str(script)], env=variables, stdout=subprocess.PIPE) as job:
            wait_until(lambda: processes_of(folder))
            os.kill(processes_of(folder)[0], signal.SIGKILL)
            assert int(job.communicate()[0]) == job.pid


def test_without_a_worker_a_script_runs_itself(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(START + "print(os.getpid())")
    for folder in ("", str(tmp_path / "none"), str(tmp_path / ("long" * 40))):
        variables = {**os.environ, "LEARNABILITY_WORKERS": folder}
        with subprocess.Popen([sys.executable, str(script)], env=variables, stdout=subprocess.PIPE) as process:
            assert int(process.communicate()[0]) == process.pid
