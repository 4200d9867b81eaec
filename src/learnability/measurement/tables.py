"""Tables of a measurement, and the work that they take."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pandas as pd
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Diagonals
from learnability.measurement.cell import FunctionCell
from learnability.measurement.data import count_sequences
from learnability.measurement.engine import CachingEngine
from learnability.measurement.measured import Measured
from learnability.networks.frozen import Frozen
from learnability.transport import (
    Trajectory,
    effective_learning_rates,
    envelope_table,
    exact_table,
    exact_transport,
)
from learnability.windows.noise import warn_of_heavy_tails
from learnability.windows.readings import Reading
from learnability.windows.request import Request
from learnability.windows.statistic import matched_statistics
from learnability.windows.windowing import estimate_window

PRODUCT_SEQUENCES = 64
"""Sequences, the first ones, of which a window has its whole product of Jacobians and the singular values of it."""


def measure_tables(
    frozen: Frozen, requests: Sequence[Request], reading: Reading, root_seed: int, engine: CachingEngine
) -> Measured:
    """Tables of a network that was checked.

    Args:
        requests: one for each kind of transport, of the same lags.
        reading: whose grid of N has the number of sequences.
        engine: of the network's cell.
    """
    (network, theta, x, _, mask), lags = frozen, list(requests[0].lags)
    rates = effective_learning_rates(network, theta, x, lags, engine, conditions=False)
    first, trajectories = x[:PRODUCT_SEQUENCES], _of_first(PRODUCT_SEQUENCES, engine.trace(network.cell, theta, x))
    exact = exact_transport(network, theta, first, lags, root_seed, trajectories, engine.block_bytes)
    tables: dict[str, list[pd.DataFrame]] = {"noise": [], "sample_complexity": [], "window": []}
    statistics = matched_statistics(frozen, requests, 1.0, root_seed, engine)
    for request, statistic in zip(requests, statistics, strict=True):
        options = request.options
        for noise in ("total", "matched") if options.noise == "total" else ("matched",):
            noise_statistic = statistic if noise == "total" else statistic.drop_vars("total", errors="ignore")
            noise_reading = replace(reading, statistic=replace(options, noise=noise))
            for name, table in estimate_window(noise_statistic, noise_reading, root_seed, 0).items():
                tables[name].append(table.assign(transport=options.transport, noise=noise))
    results = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    results["window"]["steps"] = x.shape[1]
    counts_by_lag = dict(zip(lags, count_sequences(x, mask, lags), strict=True))
    results["noise"]["sequences_with_target"] = results["noise"]["lag"].map(counts_by_lag)
    warn_of_heavy_tails(results["noise"][results["noise"]["transport"] == "exact"])
    return Measured(envelope_table(rates), exact_table(exact), **results)


def _of_first(count: int, trajectories: Iterable[Trajectory]) -> Iterator[Trajectory]:
    """Trajectories of the first sequences."""
    for part in trajectories:
        few = slice(0, count - part.rows.start)
        present = {name: diagonal for name, diagonal in part.diagonals._asdict().items() if diagonal is not None}
        yield part._replace(
            rows=slice(part.rows.start, min(part.rows.stop, count)),
            inputs=part.inputs[few],
            states=part.states[few],
            diagonals=Diagonals(**{name: diagonal[few] for name, diagonal in present.items()}),
            projected=part.projected[:, few],
        )
        if part.rows.stop >= count:
            return


def count_backward_rows(
    cell: FunctionCell, x: Float[Tensor, "sequence time input"], requests: Sequence[Request]
) -> int:
    """Number of rows that go backward through the step: sequences times t, for each covector."""
    (sequences, time, _), size = x.shape, cell.state_size
    lags = list(requests[0].lags)
    crossings = sum(time - distance for distance in range(1, lags[-1] + 1))
    rows: float = 0 if cell.diagonal else time * size  # all diagonals
    options = requests[0].options
    if options.probe == "own_gradient":
        numbers = sum(parameter.numel() for parameter in cell.parameters.values())
        _, kept_count = CachingEngine.kept(8 * ((len(lags) + 1) * numbers + len(lags)), sequences)
        sweeps = 2 - kept_count / sequences
        passes = 1 if CachingEngine.keeps_wholes(sequences * time * size) else sweeps * len(requests)
        rows += (time - 1) * passes
        for request in requests:
            exact = request.options.transport == "exact"
            rows += sweeps * (exact * crossings + (len(lags) + 1) * time)
    else:
        passes = max(2 if request.per_unit else 1 for request in requests)
        has_total = options.noise == "total" or options.parameter_jacobian == "total"
        rows += passes * (time * options.directions * 2 * (1 + 2 * has_total) + crossings + time * size)
    return round(sequences * rows) + min(sequences, PRODUCT_SEQUENCES) * lags[-1] * size
