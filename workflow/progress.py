"""Progress of a run in a line: running jobs, time so far, work left; kept up to date, or in a log written now and then.

It takes the place of Snakemake's own lines about each job. All else that Snakemake says, failures first of all, stays
as it is, and so does the log file that it keeps of each run.
"""

import logging
import os
import re
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from threading import Event, Thread
from types import FrameType
from typing import Any

from snakemake.logging import ColorizingTextHandler, logger
from snakemake_interface_logger_plugins.common import LogEvent

from learnability.core.jobs import Job, Jobs
from learnability.core.progress import Spacing

ABOUT_JOBS = {LogEvent.GROUP_INFO, LogEvent.JOB_STARTED, LogEvent.JOB_FINISHED, LogEvent.PROGRESS}
SELECTION = "Select jobs to execute..."  # has no event
SECONDS = 10
"""Least time between two lines in a log."""
MOMENT = 0.3
"""Seconds before an error is told: a signal to all may end a job before the run hears of it, which is no failure."""
CLEAR = "\r\x1b[K"
BENCHMARK = ".benchmark.tsv"
STOPS = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}


class RunProgress(logging.Handler):
    """Learns of a run from what Snakemake logs, and tells of it once `start` is called.

    Args:
        logs: folder of the run's logs, with the benchmarks of earlier runs.
        clock: seconds.
    """

    plain: logging.StreamHandler
    """Snakemake's own handler, which writes all that is said."""

    def __init__(self, logs: Path, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.logs, self.clock = logs, clock
        self._expected: dict[str, int] = {}
        self._jobs: Jobs | None = None
        self._files: dict[int, Path] = {}
        self._speaking: set[int] = set()
        self._over = Event()
        self._stopped_by = ""
        self._failed: Callable[[], Iterable[int]] = tuple
        self._heed(signal.SIGINT, lambda *_: sys.exit("Stopped by Ctrl-C"))
        logger.addHandler(self)

    def start(self, targets: Iterable[str], failures: Callable[[], Iterable[int]] = tuple) -> None:
        """Tell of the run from now on, unless a logger plugin does, or Snakemake is to be quiet of progress.

        Args:
            targets: rules that run nothing, and so take no time.
            failures: numbers of jobs that have failed, of which some are not logged: those whose outputs are refused.
        """
        handlers = [handler for handler in logger.handlers if isinstance(handler, ColorizingTextHandler)]
        if not handlers or not handlers[0].filter(logging.makeLogRecord({"event": LogEvent.PROGRESS})):
            return
        self._failed = failures
        with self.lock:  # type: ignore[union-attr]
            (self.plain,) = handlers
            logger.removeHandler(self.plain)
            self._terminal = self.plain.stream.isatty() and os.environ.get("TERM") != "dumb"
            self._spacing = Spacing(SECONDS, self.clock)
            self._spacing.due()
            earlier = {**earlier_durations(self.logs), **{rule: [0.0] for rule in targets}}
            self._jobs = Jobs(self._expected, earlier, self.clock())
        for number in STOPS:
            self._heed(number, partial(self._stop, self._jobs, signal.getsignal(number)))
        Thread(target=self._keep_up, args=[self._jobs], daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Pass on what is not about a job; then the line anew."""
        message: Any = record
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self._expected = {rule: count for rule, count in message.stats.items() if rule != "total"}
        if self._jobs:
            if record.levelno >= logging.ERROR and not self._stopped_by:
                time.sleep(MOMENT)
            if not self._stopped_by and is_passed_on(message, event):
                self._clear()
                self.plain.handle(record)
            try:
                self._follow(self._jobs, message, event)
                self._tell(self._jobs)
            except Exception:
                self.handleError(record)  # is shown, and no reason to end a run

    def close(self) -> None:
        """Say how far the run came."""
        with self.lock:  # type: ignore[union-attr]
            if self._jobs and not self._over.is_set():
                self._over.set()
                self._clear()
                self._note_failures(self._jobs)
                words = self._jobs.count(self.clock())
                if self._stopped_by:
                    words = [f"Stopped by {self._stopped_by}", *words, "the same command goes on from there"]
                self._say(" · ".join(words))
                self.plain.close()
        super().close()

    @staticmethod
    def _heed(number: signal.Signals, handler: Callable[[int, FrameType | None], object]) -> None:
        if threading.current_thread() is threading.main_thread():  # no other may
            signal.signal(number, handler)

    def _stop(self, jobs: Jobs, before: Any, number: int, frame: FrameType | None) -> None:
        """Stop the run: a job that ends from now on is no failure. Snakemake hears of each signal once."""
        by = STOPS[signal.Signals(number)]
        if by != self._stopped_by:
            self._stopped_by = by
            self._spacing = Spacing(SECONDS, self.clock)  # a line is due
            jobs.stop()
            before(number, frame)

    def _follow(self, jobs: Jobs, message: Any, event: LogEvent | None) -> None:
        now = self.clock()
        if event == LogEvent.JOB_INFO:
            title, *_ = (message.rule_msg or message.rule_name).splitlines()
            jobs.begin(message.jobid, Job(message.rule_name, title, now))
            if message.log:
                self._files[message.jobid] = Path(message.log[0])
            if not message.output:
                self._speaking.add(message.jobid)
        elif event == LogEvent.JOB_FINISHED:
            jobs.end(message.job_id, now)
        elif event == LogEvent.JOB_ERROR:
            jobs.fail(message.jobid, now)

    def _note_failures(self, jobs: Jobs) -> None:
        for number in self._failed():
            jobs.fail(number, self.clock())

    def _keep_up(self, jobs: Jobs) -> None:
        while not self._over.wait(1):
            with self.lock:  # type: ignore[union-attr]
                if not self._over.is_set():
                    self._tell(jobs)

    def _tell(self, jobs: Jobs) -> None:
        """Write the line; in a log where one is due, and not over the words of a job that speaks for itself."""
        self._note_failures(jobs)
        if jobs.running and self._speaking >= jobs.running.keys():
            return
        if self._terminal:
            self._listen(jobs)
            stream = self.plain.stream
            columns = os.get_terminal_size(stream.fileno()).columns or 80
            stream.write(CLEAR + jobs.line(self.clock())[: columns - 1])
            stream.flush()
        elif self._spacing.due():
            self._listen(jobs)
            self._say(jobs.line(self.clock()))

    def _say(self, line: str) -> None:
        self.plain.handle(logging.makeLogRecord({"msg": line, "levelno": logging.INFO, "levelname": "INFO"}))

    def _clear(self) -> None:
        if self._terminal:
            self.plain.stream.write(CLEAR)

    def _listen(self, jobs: Jobs) -> None:
        """Read the logs of jobs that run, as far as they are of this attempt."""
        for key, job in jobs.running.items():
            file = self._files.get(key)
            if file and file.is_file():
                spoke = self.clock() - (time.time() - file.stat().st_mtime)
                if spoke >= job.began:
                    job.says, job.spoke = file.read_text(encoding="utf-8", errors="replace"), spoke


def failed_jobs(scheduler: Any) -> set[int]:
    """Numbers of the jobs that Snakemake's scheduler counts as failed."""
    return {member.jobid for job in tuple(scheduler.failed) for member in (job if job.is_group() else [job])}


def is_passed_on(message: Any, event: LogEvent | None) -> bool:
    """True if a message of Snakemake is shown; of messages about jobs, only for jobs that make no file."""
    if event == LogEvent.JOB_INFO:
        return not message.output
    return event not in ABOUT_JOBS and message.msg != SELECTION


def earlier_durations(logs: Path) -> dict[str, list[float]]:
    """Seconds of jobs by rule, from Snakemake's benchmarks below `logs`; one that a kill cut short tells nothing."""
    durations: dict[str, list[float]] = defaultdict(list)
    for file in logs.rglob(f"*{BENCHMARK}"):
        rule = file.relative_to(logs).parts[0].removesuffix(BENCHMARK)
        durations[rule] += map(float, re.findall(r"^s\t.*\n([\d.]+)\t", file.read_text()))
    return durations
