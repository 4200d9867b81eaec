"""Progress of work in words: the time it took, the time that is left, and when the next line is due."""

import math
import re
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from typing import TextIO

EPOCH = re.compile(r"epoch (\d+) of (\d+) · loss [^·\n]*[^·\s]")
"""Line of a log about an epoch of training: its number, the number of epochs, its loss."""
SHARE = 0.05
"""Least time between two lines, as a share of the time so far: hours of work do not fill pages."""
LEAST = 0.02
"""Share of work before which an estimate would mislead."""
SHORTEST = 10
"""Seconds below which an estimate has no number."""
STEPS = {90: 10, 2 * 3600: 60, 24 * 3600: 600, math.inf: 3600}
"""Seconds to which an estimate is rounded, below a number of seconds."""
UNITS = ((24 * 3600, "d"), (3600, "h"), (60, "min"), (1, "s"))


def duration(seconds: float) -> str:
    """A time in its largest unit and the next: 45 s, 2 min 10 s, 1 h 5 min."""
    whole = round(seconds)
    for (size, name), (smaller, part) in pairwise(UNITS):
        if whole >= size:
            rest = whole % size // smaller
            return f"{whole // size} {name}" + (f" {rest} {part}" if rest else "")
    return f"{whole} s"


def about(seconds: float) -> str:
    """An estimate: about 40 s, about 3 min; a few seconds, below ten."""
    return f"about {rounded(seconds)}" if seconds >= SHORTEST else "a few seconds"


def rounded(seconds: float) -> str:
    """A time as well as an estimate knows it: 40 s, 3 min, 2 h 20 min."""
    step = next(step for below, step in STEPS.items() if seconds < below)
    return duration(round(seconds / step) * step)


class Spacing:
    """Times at which a line is due: at once, then `seconds` after the last line, or 5 % of the time so far."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self.clock = seconds, clock
        self._began = clock()
        self._last = -math.inf

    def due(self) -> bool:
        """True if a line is due now; the line then counts as said."""
        now = self.clock()
        due = now - self._last >= max(self.seconds, SHARE * (now - self._began))
        if due:
            self._last = now
        return due


class Meter:
    """Lines with the progress of work of a known amount and the time left; none for work that ends before the first.

    Args:
        name: of the work, at the start of each line.
        total: amount of it, in any unit.
        seconds: between two lines, and before the first.
        stream: where lines go; by default standard error.
    """

    def __init__(
        self,
        name: str,
        total: float,
        seconds: float = SHORTEST,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.total, self.done = name, total, 0.0
        self._stream, self._clock, self._began = stream, clock, clock()
        self._spacing = Spacing(seconds, clock)
        self._spacing.due()  # at once there is nothing to say

    def add(self, amount: float) -> None:
        """Count work as done, and say so if a line is due."""
        self.done += amount
        if self._spacing.due():
            share = min(self.done / self.total, 1.0)
            message = "too early to say how long it takes"
            if share >= LEAST:
                rest = (self._clock() - self._began) * (1 - share) / share
                message = f"{about(rest)} left" if share < 1 else "all but tables and intervals"
            print(f"{self.name}: {share:.0%}, {message}", file=self._stream or sys.stderr, flush=True)
