"""Progress of many jobs, some side by side, and the time that is left: in jobs, in minutes, in a line."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from learnability.core.progress import EPOCH, SHORTEST, about, duration, rounded


class Running(NamedTuple):
    """A job that runs: its rule, for how many seconds it has, and how many it says that it takes in all."""

    rule: str
    seconds: float
    total: float | None = None


class Left(NamedTuple):
    """Seconds until all jobs are done; where not `whole`, only the known part, a lower bound."""

    seconds: float
    whole: bool


def time_left(
    waiting: Mapping[str, int], running: Sequence[Running], lasted: Mapping[str, Sequence[float]], side_by_side: float
) -> Left:
    """Estimate the time that jobs of the rules r still take, from durations of earlier jobs of these rules.

        T = max( (Σ_waiting d_r + Σ_running (d_j - t_j)⁺) / k,  max d_r,  max (d_j - t_j) )

    with d_r the mean duration of a rule, d_j what job j says that it takes in all, or else its rule's mean, t_j the
    seconds that it has run for. A rule of which no job has ended lasts as its running jobs say; one that nothing is
    known of counts as nothing.

    Args:
        waiting: number of jobs that have not begun, by rule.
        lasted: durations in seconds of jobs that have ended, by rule.
        side_by_side: k, how many jobs run at a time.
    """
    totals_by_rule: dict[str, list[float]] = defaultdict(list)
    for job in running:
        if job.total is not None:
            totals_by_rule[job.rule].append(job.total)
    durations = {rule: fmean(seconds) for rule, seconds in {**totals_by_rule, **lasted}.items() if seconds}
    totals = [(job.seconds, durations.get(job.rule) if job.total is None else job.total) for job in running]
    seconds_left = [max(total - seconds, 0.0) for seconds, total in totals if total is not None]
    ahead = {rule: count for rule, count in waiting.items() if count}
    work = sum(seconds_left) + sum(count * durations.get(rule, 0.0) for rule, count in ahead.items())
    longest = max([*seconds_left, *(durations.get(rule, 0.0) for rule in ahead)], default=0.0)
    return Left(
        max(work / side_by_side, longest), len(seconds_left) == len(totals) and ahead.keys() <= durations.keys()
    )


@dataclass
class Job:
    """A job that has begun at `began`; `says` is the text of its log, last written to at `spoke`."""

    rule: str
    title: str
    began: float
    says: str = ""
    spoke: float = 0.0

    @property
    def total(self) -> float | None:
        """Seconds in all, from the epochs done between two lines of its log at least; none before."""
        epochs = [(int(match[1]), int(match[2])) for match in EPOCH.finditer(self.says)]
        if len(epochs) < 2:
            return None
        (first, _), (last, of) = epochs[0], epochs[-1]
        seconds = self.spoke - self.began
        return seconds + (of - last) * seconds / (last - first + 1)

    def __str__(self) -> str:
        *_, epoch = [None, *EPOCH.finditer(self.says)]
        return f"{self.title}, {epoch[0].replace(' · ', ', ')}" if epoch else self.title


class Jobs:
    """Jobs as they begin, end and fail; times are seconds of any one clock.

    Args:
        expected: number of jobs by rule.
        earlier: durations of jobs of earlier runs by rule, which count until one of this run has ended.
        began: when the run did.
    """

    def __init__(self, expected: Mapping[str, int], earlier: Mapping[str, Sequence[float]], began: float) -> None:
        self.expected, self.earlier, self.began = Counter(expected), earlier, began
        self.running: dict[int, Job] = {}
        self._lasted: dict[str, list[float]] = defaultdict(list)
        self._begun: dict[int, str] = {}
        self._failed: set[int] = set()
        self._failed_for = 0.0
        self._stopping = False

    def begin(self, key: int, job: Job) -> None:
        """A job begins, or does so again after it failed."""
        self.running[key] = job
        self._begun[key] = job.rule
        self._failed.discard(key)

    def end(self, key: int, now: float) -> None:
        """A job has ended well."""
        job = self.running.pop(key)
        self._lasted[job.rule].append(now - job.began)

    def fail(self, key: int, now: float) -> None:
        """A job has failed; a second word on the same changes nothing. Where all stop, it has only been stopped."""
        if key in self.running:
            self._failed_for += now - self.running.pop(key).began
        if not self._stopping:
            self._failed.add(key)

    def stop(self) -> None:
        """No more jobs begin, and those that run are to end."""
        self._stopping = True

    def left(self, now: float) -> Left | None:
        """Time that is left; None once a job has failed or all stop, for then not all will be done."""
        if self._failed or self._stopping:
            return None
        jobs = [Running(job.rule, now - job.began, job.total) for job in self.running.values()]
        busy = self._failed_for + sum(map(sum, self._lasted.values())) + sum(job.seconds for job in jobs)
        side_by_side = busy / (now - self.began) if busy else 1.0
        return time_left(
            self.expected - Counter(self._begun.values()), jobs, {**self.earlier, **self._lasted}, side_by_side
        )

    def line(self, now: float) -> str:
        """Jobs done of all, time so far, time left, and the job that runs longest: 3 of 9 jobs · 2 min 10 s · …"""
        return " · ".join([*self.count(now), *self._words_left(now), *self._doing()])

    def count(self, now: float) -> list[str]:
        """Jobs done of all, how many failed, and the time so far."""
        completions = sum(map(len, self._lasted.values()))
        failures = [f"{len(self._failed)} failed"] if self._failed else []
        return [f"{completions} of {self.expected.total()} jobs", *failures, duration(now - self.began)]

    def _words_left(self, now: float) -> Iterable[str]:
        rest = self.left(now)
        if self._stopping:
            yield "stopping"
        elif rest and rest.whole and rest.seconds >= 1:
            yield f"{about(rest.seconds)} left"
        elif rest and rest.seconds >= SHORTEST:
            yield f"at least {rounded(rest.seconds)} left"

    def _doing(self) -> Iterable[str]:
        if self.running:
            first = min(self.running.values(), key=lambda job: job.began)
            yield f"{first} and {len(self.running) - 1} more" if len(self.running) > 1 else str(first)
