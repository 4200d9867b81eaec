"""How windows hang on the options of a reading: each option changed alone, and those that matter crossed.

One frozen network at a time. What is dear, transport, is done once for all options that come after it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from learnability.bootstrap import resample, resampled_needs, window_intervals
from learnability.cells import GRU
from learnability.detection import learnability_window
from learnability.errors import InputError
from learnability.frozen import Frozen
from learnability.readings import DetectionOptions, NoiseOptions, Reading, StatisticOptions
from learnability.statistic import read_statistic, unread_statistic
from learnability.streams import numpy_generator
from learnability.transport import Engine
from learnability.windowing import find_need

Parts = Mapping[str, Mapping[str, Any]]
Change = tuple[str, str, Any]
"""Part of a reading, option, value."""

DIRECTIONS = 8
"""Random directions w whose windows are compared."""
LEVELS: dict[tuple[str, str], Sequence[Any]] = {
    ("noise", "numerical_floor"): (0, 1e-12),
    ("detection", "family_wise"): (0, 0.05),
    ("statistic", "base_rate"): (True, False),
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
CROSSED_BASE: Sequence[Change] = (("statistic", "orientation", "global"), ("noise", "tail_index", "shared"))


def changes(reading: Parts, window: Mapping[str, Any]) -> list[Change]:
    """Each option of a reading set to each other value, but for those that have no meaning with the rest of it.

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
    found = [(part, key, value) for (part, key), each in values.items() for value in each]
    return [change for change in found if change[2] != reading[change[0]][change[1]] and has_meaning(change)]


def changed(reading: Parts, *with_changes: Change) -> Parts:
    """The reading with options set otherwise."""
    found = {part: dict(options) for part, options in reading.items()}
    for part, key, value in with_changes:
        found[part][key] = value
    return found


@dataclass(frozen=True)
class Sensitivity:
    """Windows of one frozen network under many readings.

    Args:
        window: detection levels and the grid of N.
        base_rate: μ, for readings that use it.
        exact_sequences: the statistic by exact transport is taken over so many sequences.
    """

    frozen: Frozen
    lags: Sequence[int]
    window: Mapping[str, Any]
    base_rate: float
    time_stride: int
    exact_sequences: int
    study: int
    seed: int
    engine: Engine
    held: dict[tuple[Any, ...], xr.Dataset] = field(default_factory=dict)

    def of_changes(self, parts: Parts) -> pd.DataFrame:
        """Ĥ_N of the reading as it is, with each option changed alone, and along other directions w.

        Returns:
            A row for each change and N, by the criterion: `option` and `value`, `sample_size`, `horizon` and the ends
            of its bootstrap interval, `extrapolated`. By an estimator other than McCulloch's there is no interval:
            each draw would be a fit of its own.
        """
        rows = [self._window(parts, "as named", "", 0)]
        rows += [self._window(parts, "direction", str(number + 1), number) for number in range(1, DIRECTIONS)]
        for part, key, value in changes(parts, self.window):
            rows.append(self._window(changed(parts, (part, key, value)), key, str(value), 0))
        return pd.concat(rows, ignore_index=True)

    def of_crossed(self, parts: Parts) -> pd.DataFrame:
        """Ĥ_N for every combination of `CROSSED` and every closed criterion, the rest as in the reading."""
        tables = []
        for values in product(*CROSSED.values()):
            set_otherwise = [(*option, value) for option, value in zip(CROSSED, values, strict=True)]
            reading = self._reading(changed(parts, *CROSSED_BASE, *set_otherwise))
            _, need, _, _ = find_need(self._statistic(reading, 0), reading, self._stream, resampling=False)
            window = learnability_window(need, reading.detection).drop(columns="chosen")
            tables.append(window.assign(**{key: value for _, key, value in set_otherwise}))
        return pd.concat(tables, ignore_index=True)

    def _window(self, parts: Parts, option: str, value: str, number: int) -> pd.DataFrame:
        reading = self._reading(parts)
        statistic, detection = self._statistic(reading, number), reading.detection
        resampling = detection.criterion == "resampling"
        noise, need, margins, critical = find_need(statistic, reading, self._stream, resampling)
        window = learnability_window(need, detection)
        if reading.noise.estimator == "mcculloch":
            resampled = resample(statistic, reading, self._stream("bootstrap"))
            needs = resampled_needs(noise, resampled, critical, margins, detection)
            window = window_intervals(window, needs, self.lags, detection)
        return window[window["chosen"]].drop(columns="chosen").assign(option=option, value=value)

    def _reading(self, parts: Parts) -> Reading:
        return Reading.of(parts, self.window, time_stride=self.time_stride)

    @property
    def _stream(self) -> partial[np.random.Generator]:
        return partial(numpy_generator, self.study, self.seed)

    def _statistic(self, reading: Reading, number: int) -> xr.Dataset:
        """Transport is not done again for what comes after it."""
        options = reading.statistic
        unread = replace(options, base_rate=False, error_signal="gradient")
        if options.sampling == "sequence_mean":
            unread = replace(unread, sampling="pooled")
        if options.orientation == "global":
            unread = replace(unread, noise="total")
            # A mean is removed from each half by itself.
            if options.error_mean == "kept":
                unread = replace(unread, sign_estimate="in_sample")
        if not isinstance(self.frozen.network.cell, GRU) or options.transport == "exact":
            unread = replace(unread, gru_rates="strict")
        if (unread, number) not in self.held:
            frozen = self.frozen.first(self.exact_sequences if options.transport == "exact" else None)
            given = (frozen, self.lags, 1.0, self.study, unread, self.engine, [number])
            self.held[unread, number] = unread_statistic(*given)
        # A direction of its own is looked at once.
        found = self.held[unread, number] if number == 0 else self.held.pop((unread, number))
        factor = (self.base_rate if options.base_rate else 1) * (0.5 if options.error_signal == "residual" else 1)
        linear = ("statistic", "total", "product", "envelope")
        scaled = found.assign({name: factor * found[name] for name in linear if name in found})
        return read_statistic(scaled, options).isel(direction=0)
