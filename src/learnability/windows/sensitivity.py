"""Windows under other options of a reading: each option changed alone, and the options that matter crossed.

One frozen network at a time; transport, which takes longest, is done once for all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from learnability.core.errors import InputError
from learnability.core.streams import numpy_generator
from learnability.networks.frozen import Frozen
from learnability.transport import Engine
from learnability.windows.bootstrap import Resampled, resample, resampled_sample_complexities, window_intervals
from learnability.windows.detection import learnability_window
from learnability.windows.noise import fit_noise
from learnability.windows.readings import DetectionOptions, NoiseOptions, Reading, StatisticOptions
from learnability.windows.request import Request
from learnability.windows.statistic import matched_statistics
from learnability.windows.windowing import find_sample_complexity, lags_of

Parts = Mapping[str, Mapping[str, Any]]
Change = tuple[str, str, Any]
"""Part of a reading, option, value."""

DIRECTIONS = 8
"""Random directions w whose windows are compared."""
LEVELS: dict[tuple[str, str], Sequence[Any]] = {
    ("noise", "numerical_floor"): (0, 1e-12),
    ("noise", "least_tail_index"): (0.8, 1.0),
    ("detection", "family_wise"): (0, 0.05),
    ("statistic", "base_rate"): (True, False),
    ("statistic", "time_stride"): (1, 8),
    ("statistic", "sign_batch"): (0, 128),
    ("statistic", "further_lags"): (False, True),
}
"""Values of options that are no choice of names."""
CROSSED: dict[tuple[str, str], Sequence[Any]] = {
    ("statistic", "transport"): ("first_order", "exact"),
    ("statistic", "noise"): ("matched", "total"),
    ("statistic", "sampling"): ("pooled", "sequence_mean"),
    ("statistic", "sign_estimate"): ("in_sample", "cross_fit"),
    ("detection", "family_wise"): (0, 0.05),
}
"""Options that are crossed, with every closed criterion; one sign for all units and one tail index for all lags."""
CROSSED_BASE: Sequence[Change] = (
    ("statistic", "orientation", "global"),
    ("statistic", "probe", "random"),
    ("statistic", "sign_batch", 0),
    ("noise", "tail_index", "shared"),
)


def changes(reading: Parts, window: Mapping[str, Any]) -> list[Change]:
    """Changes of one option of a reading to one other value, without changes that the rest of the reading excludes.

    Args:
        window: detection levels and the grid of N.
    """

    def has_meaning(change: Change) -> bool:
        try:
            Reading.of(changed(reading, change), window)
        except InputError:
            return False
        return True

    values = dict(LEVELS)
    for part, options in (("statistic", StatisticOptions), ("noise", NoiseOptions), ("detection", DetectionOptions)):
        values |= {(part, key): choices for key, choices in options.CHOICES.items()}
    candidates = [(part, key, value) for (part, key), choices in values.items() for value in choices]
    return [change for change in candidates if change[2] != reading[change[0]][change[1]] and has_meaning(change)]


def changed(reading: Parts, *with_changes: Change) -> Parts:
    """The reading with options set otherwise."""
    parts = {part: dict(options) for part, options in reading.items()}
    for part, key, value in with_changes:
        parts[part][key] = value
    return parts


class _Case(NamedTuple):
    """A reading along one direction w, the columns that name it, and whether its options are crossed."""

    reading: Reading
    number: int
    names: dict[str, Any]
    is_crossed: bool

    @property
    def statistic(self) -> tuple[StatisticOptions, int, bool]:
        """Settings that determine the statistic: options, number of w, and whether m̄ f̂ is needed."""
        return replace(self.reading.statistic, directions=1), self.number, self.reading.detection.signal == "product"


class _Known:
    """What is found of a statistic once for all options of detection."""

    def __init__(self, statistic: xr.Dataset) -> None:
        self.statistic = statistic
        self._noise: dict[NoiseOptions, pd.DataFrame] = {}
        self._resampled: dict[tuple[NoiseOptions, int], Resampled] = {}

    def noise(self, reading: Reading) -> pd.DataFrame:
        if reading.noise not in self._noise:
            self._noise[reading.noise] = fit_noise(self.statistic, reading.noise)
        return self._noise[reading.noise]

    def resampled(self, reading: Reading, generator: np.random.Generator) -> Resampled:
        key = (reading.noise, reading.detection.draws)
        if key not in self._resampled:
            self._resampled[key] = resample(self.statistic, reading, generator)
        return self._resampled[key]


@dataclass(frozen=True)
class Sensitivity:
    """Windows of one frozen network under many readings.

    Args:
        window: detection levels and the grid of N.
        base_rate: μ, for readings that use it.
        lags, further_lags: ℓ of every reading, and further ℓ of readings with `further_lags`.
    """

    frozen: Frozen
    lags: Sequence[int]
    further_lags: Sequence[int]
    window: Mapping[str, Any]
    base_rate: float
    root_seed: int
    seed: int
    engine: Engine

    def vary(self, parts: Parts) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Ĥ_N of a reading as it is, with each option changed alone, along other directions w, and with some crossed.

        Returns:
            A row for each change and N, by the criterion: `option` and `value`, `sample_size`, `horizon` and the ends
            of its bootstrap interval, `extrapolated`; by an estimator other than McCulloch's there is no interval, each
            draw would be a fit of its own. And a row for every combination of `CROSSED`, closed criterion and N.
        """
        cases = [*self._changed(parts), *self._crossed(parts)]
        distinct = list(dict.fromkeys(case.statistic for case in cases))
        requests = [
            Request(options, lags_of(options, self.lags, self.further_lags), numbers=[number], product=product)
            for options, number, product in distinct
        ]
        statistics = matched_statistics(self.frozen, requests, self.base_rate, self.root_seed, self.engine)
        windows: dict[int, pd.DataFrame] = {}
        for key, statistic in zip(distinct, statistics, strict=True):
            known = _Known(statistic.isel(direction=0))
            for place, case in enumerate(cases):
                if case.statistic == key:
                    windows[place] = self._window(case, known)
        tables = (
            [windows[place] for place, case in enumerate(cases) if case.is_crossed is kind] for kind in (False, True)
        )
        single, factorial = (pd.concat(parts, ignore_index=True) for parts in tables)
        return single, factorial

    def _changed(self, parts: Parts) -> list[_Case]:
        plain = self._reading(parts)
        cases = [_Case(plain, 0, {"option": "as named", "value": ""}, False)]
        for number in range(1, DIRECTIONS if plain.statistic.probe == "random" else 1):
            cases.append(_Case(plain, number, {"option": "direction", "value": str(number + 1)}, False))
        for part, key, value in changes(parts, self.window):
            reading = self._reading(changed(parts, (part, key, value)))
            cases.append(_Case(reading, 0, {"option": key, "value": str(value)}, False))
        return cases

    def _crossed(self, parts: Parts) -> list[_Case]:
        cases = []
        for values in product(*CROSSED.values()):
            settings = [(*option, value) for option, value in zip(CROSSED, values, strict=True)]
            reading = self._reading(changed(parts, *CROSSED_BASE, *settings))
            cases.append(_Case(reading, 0, {key: value for _, key, value in settings}, True))
        return cases

    def _window(self, case: _Case, known: _Known) -> pd.DataFrame:
        reading, detection, statistic = case.reading, case.reading.detection, known.statistic
        resampling = not case.is_crossed and detection.criterion == "resampling"
        noise, sample_complexity, margins, critical = find_sample_complexity(
            statistic, reading, self._stream, resampling, known.noise(reading)
        )
        window = learnability_window(sample_complexity, detection)
        if case.is_crossed:
            return window.drop(columns="chosen").assign(**case.names)
        if reading.noise.estimator == "mcculloch":
            draws = known.resampled(reading, self._stream("bootstrap"))
            sample_complexities = resampled_sample_complexities(noise, draws, critical, margins, detection)
            window = window_intervals(window, sample_complexities, noise["lag"].tolist(), detection)
        return window[window["chosen"]].drop(columns="chosen").assign(**case.names)

    def _reading(self, parts: Parts) -> Reading:
        return Reading.of(parts, self.window)

    @property
    def _stream(self) -> partial[np.random.Generator]:
        return partial(numpy_generator, self.root_seed, self.seed)
