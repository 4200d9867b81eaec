"""Windows from the matched statistic: law, N̂ and Ĥ_N, with their intervals and the sign-flip test."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import xarray as xr
from torch import Tensor

from learnability.core.streams import numpy_generator
from learnability.networks.frozen import Frozen
from learnability.transport import Engine
from learnability.windows.bootstrap import (
    noise_intervals,
    resample,
    resampled_sample_complexities,
    sample_complexity_intervals,
    window_intervals,
)
from learnability.windows.detection import Margins, estimate_sample_complexity, learnability_window
from learnability.windows.detectors import resampled_margins
from learnability.windows.noise import check_law, clipped_tail_index, fit_noise, warn_of_heavy_tails
from learnability.windows.own_gradient import noise_scales
from learnability.windows.readings import Reading, StatisticOptions
from learnability.windows.request import Request
from learnability.windows.sign_flips import critical_value, family_wise_bound, null_control
from learnability.windows.statistic import matched_statistics

TRANSPORTS = ("first_order", "exact")

Stream = Callable[[str], np.random.Generator]


def find_window(statistic: xr.Dataset, reading: Reading, root_seed: int, seed: int) -> dict[str, pd.DataFrame]:
    """The tables that a reading derives from the statistic of one network.

    Args:
        statistic: along each `direction` (`learnability.windows.statistic.matched_statistic`).
        root_seed, seed: name the streams of signs and resamples, the same for every reading and transport.

    Returns:
        `noise`: a row for each direction and lag, of `fit_noise`, `check_law` and `clipped_tail_index`, with intervals,
        and `lower`, the bound over all lags if the reading has one; `sample_complexity` and `window` of
        `estimate_sample_complexity` and `learnability_window` with intervals; `sign_flips` of `null_control`.
    """
    stream = partial(numpy_generator, root_seed, seed)
    parts = [_estimate_and_check(along, reading, stream) for along in _directions(statistic)]
    return {kind: _concatenate([part[kind] for part in parts]) for kind in parts[0]}


def estimate_window(statistic: xr.Dataset, reading: Reading, root_seed: int, seed: int) -> dict[str, pd.DataFrame]:
    """The tables of `find_window` without its checks: no test of the law, no sign flips, `resampling` only on request.

    Args:
        statistic, root_seed, seed: as in `find_window`.

    Returns:
        `noise`, `sample_complexity` and `window`, with intervals.
    """
    stream = partial(numpy_generator, root_seed, seed)
    parts = [_estimate(along, reading, stream, asks_for_resampling(reading))[0] for along in _directions(statistic)]
    return {kind: _concatenate([part[kind] for part in parts]) for kind in parts[0]}


def measured_window(statistic: xr.Dataset, reading: Reading, root_seed: int, seed: int) -> pd.DataFrame:
    """The `window` of `find_window` alone, without intervals; by `resampling` only if the reading asks for that."""
    stream = partial(numpy_generator, root_seed, seed)
    sample_complexities = [
        find_sample_complexity(along, reading, stream, asks_for_resampling(reading))[1]
        for along in _directions(statistic)
    ]
    return _concatenate(
        [learnability_window(sample_complexity, reading.detection) for sample_complexity in sample_complexities]
    )


def measure_windows(
    frozen: Frozen,
    granted: Tensor,
    readings: Mapping[str, Reading],
    lags: Sequence[int],
    further_lags: Sequence[int],
    base_rate: float,
    root_seed: int,
    seed: int,
    engine: Engine,
) -> dict[str, pd.DataFrame]:
    """Tables of one network under each reading, with both kinds of transport and both controls.

    Args:
        granted: targets that hold what predictions echo (`learnability.windows.echoes.granted_targets`).
        readings: by name; transport is taken both ways.
        lags, further_lags: ℓ of every reading, and further ℓ of readings with `further_lags`.
        base_rate: μ of the optimiser.

    Returns:
        The tables of `find_window` with columns `reading` and `transport`, `sample_complexity` without the columns of
        `noise`. `window` has a column `control`: `none`; `permuted_errors`, the windows with errors of the next
        sequence; and, by the reading's own transport, `granted_echoes`, those with the granted targets.
    """
    cases: list[tuple[str, str, Reading]] = []  # reading, control
    requests: list[Request] = []
    for name, reading in readings.items():
        for transport in TRANSPORTS:
            options = replace(reading.statistic, transport=transport)
            request = Request(options, lags_of(options, lags, further_lags))
            product = reading.detection.signal == "product"
            by_control = {"none": request, "permuted_errors": request._replace(shift_errors=True, product=product)}
            if transport == reading.statistic.transport:
                by_control["granted_echoes"] = request._replace(targets=granted, product=product)
            requests += by_control.values()
            cases += [(name, control, replace(reading, statistic=options)) for control in by_control]
    tables: dict[str, list[pd.DataFrame]] = defaultdict(list)
    statistics = matched_statistics(frozen, requests, base_rate, root_seed, engine)
    for (name, control, reading), statistic in zip(cases, statistics, strict=True):
        if control == "none":
            measures = find_window(statistic, reading, root_seed, seed)
            measures["sample_complexity"] = _without(
                measures["sample_complexity"], measures["noise"], reading.detection.signal
            )
        else:
            measures = {"window": measured_window(statistic, reading, root_seed, seed)}
        measures["window"].insert(0, "control", control)
        for kind, table in measures.items():
            labels = {"reading": name, "transport": reading.statistic.transport}
            tables[kind].append(table.assign(**labels)[[*labels, *table]])
    results = {kind: pd.concat(parts, ignore_index=True) for kind, parts in tables.items()}
    warn_of_heavy_tails(results["noise"])
    return results


def _without(sample_complexity: pd.DataFrame, noise: pd.DataFrame, signal: str) -> pd.DataFrame:
    """`sample_complexity` without what `noise` says of the same lags and directions.

    Args:
        signal: of the reading; unless it is `mean`, the column `signal` differs from the one in `noise`, and stays.
    """
    keys = ["direction", "lag", *(["signal"] if signal != "mean" else [])]
    return sample_complexity.drop(columns=[name for name in noise if name in sample_complexity and name not in keys])


def lags_of(options: StatisticOptions, lags: Sequence[int], further_lags: Sequence[int]) -> Sequence[int]:
    """The lags that a reading looks at."""
    return [*lags, *further_lags] if options.further_lags else lags


def _directions(statistic: xr.Dataset) -> list[xr.Dataset]:
    return [statistic.isel(direction=number) for number in range(statistic.sizes["direction"])]


def _concatenate(tables: list[pd.DataFrame]) -> pd.DataFrame:
    parts = [table.assign(direction=number) for number, table in enumerate(tables)]
    return pd.concat(parts, ignore_index=True)


def find_sample_complexity(
    statistic: xr.Dataset,
    reading: Reading,
    stream: Stream,
    resampling: bool = True,
    noise: pd.DataFrame | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame, Margins, float | None]:
    """The measured numbers alone, along one direction.

    Args:
        resampling: whether the criterion of that name, which takes longest, is wanted.
        noise: of `fit_noise`, where it is known.

    Returns:
        `noise` and `sample_complexity`, and behind them the margins of the criterion `resampling` and the critical
        value of the bound over all lags, None without one.
    """
    margins = resampled_margins(statistic, reading.detection, stream("resampled draws")) if resampling else None
    critical = critical_value(statistic, reading, stream("sign flips"))
    noise = fit_noise(statistic, reading.noise) if noise is None else noise.copy()
    if critical is not None:
        noise["lower"] = family_wise_bound(statistic, reading.statistic, critical)
    return noise, estimate_sample_complexity(noise, reading.detection, margins), margins, critical


def asks_for_resampling(reading: Reading) -> bool:
    """True if the reading's own criterion is `resampling`, which takes longest."""
    return reading.detection.criterion == "resampling"


def _estimate(
    statistic: xr.Dataset, reading: Reading, stream: Stream, resampling: bool
) -> tuple[dict[str, pd.DataFrame], Margins]:
    noise, sample_complexity, margins, critical = find_sample_complexity(statistic, reading, stream, resampling)
    detection = reading.detection
    draws = resample(statistic, reading, stream("bootstrap"))
    sample_complexities = resampled_sample_complexities(noise, draws, critical, margins, detection)
    window = learnability_window(sample_complexity, detection)
    with_intervals = noise_intervals(noise, draws)
    if reading.statistic.probe == "own_gradient":
        with_intervals = with_intervals.join(noise_scales(statistic, detection.draws, stream("noise scale")))
    tables = {
        "noise": with_intervals,
        "sample_complexity": sample_complexity_intervals(sample_complexity, sample_complexities, draws, detection),
        "window": window_intervals(window, sample_complexities, noise["lag"].tolist(), detection),
    }
    return tables, margins


def _estimate_and_check(statistic: xr.Dataset, reading: Reading, stream: Stream) -> dict[str, pd.DataFrame]:
    tables, margins = _estimate(statistic, reading, stream, resampling=True)
    noise = tables["noise"]
    law = check_law(statistic, noise, reading.noise, stream("law"))
    return tables | {
        "noise": noise.join(law).join(clipped_tail_index(statistic)),
        "sign_flips": null_control(statistic, reading, margins, stream("null control")),
    }
