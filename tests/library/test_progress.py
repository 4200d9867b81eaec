"""Progress of work: words for times, when to speak, the time left of jobs, and the lines of a training."""

import itertools
import re

import pytest

from learnability.core.jobs import Job, Jobs, Left, Running, time_left
from learnability.core.progress import EPOCH, Spacing, about, duration
from learnability.training import Progress


class Clock:
    """A clock that stands at `now`."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("seconds", "words", "estimate"),
    [
        (0, "0 s", "a few seconds"),
        (44.6, "45 s", "about 40 s"),
        (130, "2 min 10 s", "about 2 min"),
        (3599.7, "1 h", "about 1 h"),
        (3905, "1 h 5 min", "about 1 h 5 min"),
        (3605, "1 h", "about 1 h"),
        (8400, "2 h 20 min", "about 2 h 20 min"),
        (8700, "2 h 25 min", "about 2 h 20 min"),
        (90000, "1 d 1 h", "about 1 d 1 h"),
    ],
)
def test_times_in_words(seconds: float, words: str, estimate: str) -> None:
    assert duration(seconds) == words
    assert about(seconds) == estimate


def test_lines_are_spaced_by_seconds_and_then_by_a_share_of_the_time() -> None:
    clock = Clock()
    spacing, times = Spacing(10, clock), []
    for _ in range(4000):
        if spacing.due():
            times.append(clock.now - 100)
        clock.now += 1
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert times[0] == 0
    assert gaps[:10] == [10] * 10
    assert all(
        max(10, 0.05 * time) <= gap <= max(10, 0.05 * time) + 1 for time, gap in zip(times[1:], gaps, strict=True)
    )
    assert len(times) < 90


def simulate(
    job_counts: dict[str, int], running_jobs: list[tuple[str, float]], takes: dict[str, float], cores: int
) -> float:
    """Seconds until all are done, second by second, the first that waits going first."""
    seconds_left = [takes[rule] - seconds for rule, seconds in running_jobs]
    queue = [takes[rule] for rule, count in job_counts.items() for _ in range(count)]
    seconds = 0
    while seconds_left or queue:
        while queue and len(seconds_left) < cores:
            seconds_left.append(queue.pop(0))
        seconds += 1
        seconds_left = [rest - 1 for rest in seconds_left if rest > 1]
    return seconds


@pytest.mark.parametrize("cores", [1, 2, 4, 50])
def test_time_left_is_what_a_simulation_takes(cores: int) -> None:
    takes = {"train": 60.0, "measure": 20.0, "show": 3.0}
    job_counts = {"train": 3, "measure": 9, "show": 30}
    running_jobs = [("train", 15.0), ("measure", 5.0)][:cores]
    durations = {"train": [50.0, 70.0], "measure": [20.0], "show": [2.0, 3.0, 4.0]}
    estimate = time_left(job_counts, list(itertools.starmap(Running, running_jobs)), durations, cores)
    expected = simulate(job_counts, running_jobs, takes, cores)
    assert estimate.whole
    assert 0.8 * expected <= estimate.seconds <= expected


def test_what_a_job_says_of_itself_comes_before_what_others_took() -> None:
    slow = Running("train", 10, total=100)
    assert time_left({}, [slow], {"train": [20.0]}, 1) == Left(90, True)
    assert time_left({"train": 2}, [slow], {}, 1) == Left(290, True)  # no other has ended: they last as long


def test_what_nothing_is_known_of_makes_an_estimate_the_least() -> None:
    assert time_left({"show": 1}, [], {"train": [20.0]}, 1) == Left(0, False)
    assert time_left({"show": 1, "train": 2}, [], {"train": [20.0]}, 1) == Left(40, False)
    assert time_left({"train": 2}, [Running("show", 5)], {"train": [20.0]}, 1) == Left(40, False)
    assert time_left({"show": 0}, [], {}, 1) == Left(0, True)


def test_a_job_that_outlasts_others_takes_no_time_from_them() -> None:
    assert time_left({"train": 1}, [Running("train", 500)], {"train": [20.0]}, 1) == Left(20, True)


def test_lines_of_a_recorded_run() -> None:
    jobs = Jobs({"train": 3, "show": 1}, {}, began=0)
    assert jobs.line(1) == "0 of 4 jobs · 1 s"
    jobs.begin(1, Job("train", "Train: a", 0))
    assert jobs.line(5) == "0 of 4 jobs · 5 s · Train: a"
    jobs.begin(2, Job("train", "Train: b", 10))
    assert jobs.line(20) == "0 of 4 jobs · 20 s · Train: a and 1 more"
    jobs.end(1, 60)
    jobs.end(2, 70)
    jobs.begin(3, Job("train", "Train: c", 70))
    # two at a time for 50 of 80 seconds
    assert jobs.line(80) == "2 of 4 jobs · 1 min 20 s · at least 50 s left · Train: c"
    jobs.end(3, 130)
    jobs.begin(4, Job("show", "Figures", 130))
    assert jobs.line(131) == "3 of 4 jobs · 2 min 11 s · Figures"
    jobs.end(4, 140)
    assert jobs.line(140) == "4 of 4 jobs · 2 min 20 s"


def test_earlier_runs_count_until_a_job_of_this_one_has_ended() -> None:
    jobs = Jobs({"train": 3}, {"train": [100.0, 200.0]}, began=0)
    jobs.begin(1, Job("train", "Train: a", 0))
    assert jobs.left(30) == Left(120 + 2 * 150, True)
    jobs.end(1, 40)
    jobs.begin(2, Job("train", "Train: b", 40))
    assert jobs.left(50) == Left(30 + 40, True)


def test_after_a_failure_nothing_is_said_of_what_is_left_until_it_is_made_good() -> None:
    jobs = Jobs({"train": 2}, {"train": [60.0]}, began=0)
    jobs.begin(1, Job("train", "Train: a", 0))
    for _ in range(2):  # Snakemake may say so twice
        jobs.fail(1, 30)
    assert jobs.line(30) == "0 of 2 jobs · 1 failed · 30 s"
    jobs.begin(1, Job("train", "Train: a", 30))
    assert jobs.line(30) == "0 of 2 jobs · 30 s · about 2 min left · Train: a"


def test_what_ends_once_a_run_is_stopped_has_not_failed() -> None:
    jobs = Jobs({"train": 3}, {"train": [60.0]}, began=0)
    jobs.begin(1, Job("train", "Train: a", 0))
    jobs.begin(2, Job("train", "Train: b", 0))
    jobs.stop()
    assert jobs.line(30) == "0 of 3 jobs · 30 s · stopping · Train: a and 1 more"
    assert jobs.left(30) is None
    jobs.fail(1, 31)
    jobs.end(2, 40)
    assert jobs.line(40) == "1 of 3 jobs · 40 s · stopping"
    assert jobs.count(40) == ["1 of 3 jobs", "40 s"]


def test_a_training_tells_how_long_it_takes_in_all() -> None:
    says = "Engine\nepoch 201 of 400 · loss 0.5 · more\nepoch 250 of 400 · loss 0.3120 … 0.4000 · more\n"
    job = Job("train", "Train: a", began=100, says=says, spoke=200)
    assert job.total == 100 + 150 * 2  # it went on from a checkpoint at 200: 50 epochs in 100 s
    assert str(job) == "Train: a, epoch 250 of 400, loss 0.3120 … 0.4000"
    assert Job("train", "Train: a", began=100, says=says.splitlines()[1], spoke=200).total is None
    assert str(Job("train", "Train: a", began=100)) == "Train: a"


def test_training_logs_first_and_last_epoch_and_one_line_in_thirty_seconds(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    progress = Progress(400, clock)
    row = {"training_loss": 0.3, "validation_loss": 0.31, "r_squared": 0.5, "milliseconds_per_step": 2.0}
    with caplog.at_level("INFO"):
        for epoch in range(1, 401):
            progress([row | {"epoch": epoch, "seconds": 1.0}, row | {"training_loss": 0.4, "seconds": 1.0}])
            clock.now += 1
        progress([])  # all runs diverged
    lines = caplog.messages
    assert lines[0].startswith(
        "epoch 1 of 400 · loss 0.3000 … 0.4000 · validation 0.3100 · R² 0.5000 · 2.0 ms a step · "
    )
    assert lines[0].endswith("about 7 min left")
    assert [int(re.findall(r"\d+", line)[0]) for line in lines] == [*range(1, 400, 30), 400]
    assert lines[-2].endswith("ms a step · a few seconds left")
    assert lines[-1].endswith("ms a step")
    assert all(EPOCH.match(line) for line in lines)
