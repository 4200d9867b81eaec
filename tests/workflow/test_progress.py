"""Messages of a run about itself, on a terminal and in a log."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from threading import Thread

import psutil
import pytest

from progress import CLEAR, earlier_durations

from .conftest import ROOT

SNAKEFILE = f"""
import sys
from pathlib import Path

sys.path[:0] = ["{ROOT}/workflow", "{ROOT}/src"]
import progress

progress.SECONDS = 0
PROGRESS = progress.RunProgress(Path("logs"))

onstart:
    targets = [rule.name for rule in workflow.rules if rule.norun]
    PROGRESS.start(targets, lambda: progress.failed_jobs(workflow.scheduler))

rule all:
    input: expand("{{n}}.txt", n=range(3))
    message: "Done: everything."

rule make:
    output: "{{n}}.txt"
    log: "logs/make/{{n}}.log"
    benchmark: "logs/make/{{n}}.benchmark.tsv"
    message: "Work: {{wildcards.n}}"
    shell: "echo epoch 1 of 2 · loss 0.5 > {{log}}; sleep 1.5; echo made > {{output}}"

rule broken:
    output: "broken.txt"
    log: "logs/broken.log"
    message: "Broken"
    shell: "(echo first line; echo the reason) > {{log}}; exit 3"

rule late:
    input: "late.in"
    output: "late.txt"
    log: "logs/late.log"
    message: "Late"
    shell: "echo made > {{output}}"
"""
LINE = re.compile(r"(\d) of 4 jobs · \d[^·]* ?s(?: · [^·]+ left)?(?: · Work: \d(?:, epoch 1 of 2, loss 0.5)?)?")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    return tmp_path


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "snakemake", "--cores", "1", "--show-failed-logs", *arguments]


def in_a_log(folder: Path, *arguments: str, stop: signal.Signals | None = None) -> str:
    return written_to(*os.pipe(), folder, *arguments, stop=stop)


def on_a_terminal(folder: Path, *arguments: str, columns: int = 100, stop: signal.Signals | None = None) -> str:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    return written_to(ours, theirs, folder, *arguments, stop=stop)


def written_to(ours: int, theirs: int, folder: Path, *arguments: str, stop: signal.Signals | None) -> str:
    """Output of a run; once its second job runs, its jobs and then the run get the signal, as of Ctrl-C."""
    settings = {"cwd": folder, "env": os.environ | {"TERM": "xterm"}, "start_new_session": True}
    with subprocess.Popen(command(*arguments), stdout=theirs, stderr=theirs, **settings) as run:
        os.close(theirs)
        if stop:
            Thread(target=stop_in_the_second_job, args=[run, folder, stop], daemon=True).start()
        output = b""
        try:
            while part := os.read(ours, 4096):
                output += part
        except OSError:  # Linux's word for the end of a terminal
            pass
    os.close(ours)
    return output.decode()


def stop_in_the_second_job(run: subprocess.Popen, folder: Path, stop: signal.Signals) -> None:
    while sum(file.stat().st_size > 0 for file in folder.glob("logs/make/*.log")) < 2:
        time.sleep(0.05)
    for job in psutil.Process(run.pid).children(recursive=True):
        job.send_signal(stop)
    time.sleep(0.1)  # the worst order: the run hears of a job that ended before it hears why
    run.send_signal(stop)


def screen(output: str) -> list[str]:
    """Lines that a terminal shows in the end."""
    text = re.sub(r"\x1b\[\d+m", "", output.replace("\r\n", "\n"))
    return [line.split(CLEAR)[-1] for line in text.split("\n")]


def test_a_log_has_plain_lines(folder: Path) -> None:
    output = in_a_log(folder)
    lines = [line for line in output.splitlines() if "of 4 jobs" in line]
    assert "\r" not in output
    assert "\x1b" not in output
    assert all(LINE.fullmatch(line) for line in lines), lines
    assert {line[0] for line in lines} >= {"0", "1", "2", "4"}
    assert any("left" in line for line in lines)
    assert re.fullmatch(r"4 of 4 jobs · \d[^·]* s", lines[-1])
    assert not re.search("Finished jobid|Execute|Select jobs|Job [1-9]:|steps", output)
    assert "Done: everything." in output  # of a job that makes no file
    assert "Traceback" not in output
    (log,) = (folder / ".snakemake" / "log").iterdir()
    assert log.read_text().count("Finished jobid") == 4


def test_a_terminal_has_one_line_that_is_kept_up_to_date(folder: Path) -> None:
    output = on_a_terminal(folder)
    updates = [part for part in re.split(r"[\r\n]", output.replace(CLEAR, "\n")) if "of 4 jobs" in part]
    lines = [line for line in screen(output) if "of 4 jobs" in line]
    assert all(LINE.search(line) for line in updates), updates
    assert len(updates) > 5
    assert any("Work" in line for line in updates)
    assert len(lines) == 1
    assert re.fullmatch(r"4 of 4 jobs · \d[^·]* s", lines[0])


def test_a_narrow_terminal_has_one_line_all_the_same(folder: Path) -> None:
    output = on_a_terminal(folder, columns=20)
    parts = [re.split(r"[\r\n]", part)[0] for part in output.split(CLEAR)[1:]]
    assert max(len(part) for part in parts if "of 4 jobs" in part and "\x1b" not in part) == 19


@pytest.mark.parametrize("run", [in_a_log, on_a_terminal])
def test_a_failure_is_told_in_the_words_of_snakemake(folder: Path, run) -> None:
    def failure(output: str) -> list[str]:
        lines = [line for line in screen(output) if "Finished" not in line]
        begin = next(number for number, line in enumerate(lines) if line.startswith("Error in rule broken:"))
        end = next(number for number, line in enumerate(lines) if line.startswith("====") and number > begin)
        return lines[begin : end + 4]

    output, plain = run(folder, "broken"), run(folder, "broken", "--no-hooks")
    assert failure(output) == failure(plain)
    assert "the reason" in failure(output)
    assert any("0 of 1 jobs · 1 failed" in line for line in screen(output))


def test_a_job_whose_output_snakemake_refuses_is_told_as_failed(folder: Path) -> None:
    (folder / "late.in").touch()
    os.utime(folder / "late.in", (2**31, 2**31))
    assert re.search(r"^0 of 1 jobs · 1 failed", in_a_log(folder, "late"), re.MULTILINE)


@pytest.mark.parametrize(
    ("run", "stop", "by"), [(on_a_terminal, signal.SIGINT, "Ctrl-C"), (in_a_log, signal.SIGTERM, "SIGTERM")]
)
def test_a_run_that_is_stopped_ends_in_one_line_and_goes_on_at_the_next(folder: Path, run, stop, by) -> None:
    output = run(folder, stop=stop)
    *lines, last = [line for line in screen(output) if line]
    assert re.fullmatch(rf"Stopped by {by} · 1 of 4 jobs · \d[^·]*s · the same command goes on from there", last)
    assert not re.search(r"Error|\d failed|Traceback|died", output)
    assert "stopping" in output
    if run is on_a_terminal:
        assert not any("of 4 jobs" in line for line in lines)  # nothing is left of the line that was kept up to date
    (log,) = (folder / ".snakemake" / "log").iterdir()
    assert "Error in rule make" in log.read_text()
    assert re.search(r"^3 of 3 jobs · \d[^·]*s$", in_a_log(folder), re.MULTILINE)


def test_ctrl_c_before_a_run_begins_ends_in_one_line(folder: Path) -> None:
    with (folder / "Snakefile").open("a") as snakefile:
        snakefile.write("\nimport os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    *_, last = in_a_log(folder).splitlines()
    assert last == "Stopped by Ctrl-C"


def test_ctrl_c_ends_a_job_as_sigterm_does_and_without_a_word() -> None:
    job = "import job, os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(9)"
    process = subprocess.run(
        [sys.executable, "-c", job], cwd=ROOT / "workflow" / "scripts", capture_output=True, check=False
    )
    assert (process.returncode, process.stdout, process.stderr) == (-signal.SIGTERM, b"", b"")


def test_asked_to_be_quiet_it_is(folder: Path) -> None:
    assert "of 4 jobs" not in in_a_log(folder, "--quiet", "progress")


def test_neither_a_dry_run_nor_no_hooks_change_what_snakemake_says(folder: Path) -> None:
    for argument in ("--dry-run", "--no-hooks"):
        output = in_a_log(folder, argument)
        assert "of 4 jobs" not in output
        assert output.count("Work: ") == 3


def test_earlier_durations_are_those_of_benchmarks(tmp_path: Path) -> None:
    for name, text in {
        "train_network/a/seed0": "s\th:m:s\tmax_rss\n3.5\t0:00:03\t10\n",
        "train_network/b/seed0": "s\th:m:s\tmax_rss\n5.5\t0:00:05\t10\n",
        "make_index": "s\th:m:s\tmax_rss\n1\t0:00:01\t10\n",
        "show_rates": "",
        "show_windows": "s\th:m:s\n",
    }.items():
        file = tmp_path / f"{name}.benchmark.tsv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    durations = {rule: sorted(seconds) for rule, seconds in earlier_durations(tmp_path).items() if seconds}
    assert durations == {"train_network": [3.5, 5.5], "make_index": [1.0]}
