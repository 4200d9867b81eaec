"""Lags that are detected in the gradient at each stored epoch of a training, and lags that are learned by then."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from learnability.cells import Parameters
from learnability.networks.frozen import Frozen
from learnability.networks.network import Network
from learnability.tasks import Task, build_task
from learnability.tasks.copying import Copy
from learnability.transport import Engine, choose_engine
from learnability.windows.readings import Reading
from learnability.windows.request import Request
from learnability.windows.response import measure_recall, measure_response
from learnability.windows.statistic import matched_statistics
from learnability.windows.windowing import estimate_window

CASES = [("none", "total"), ("none", "matched"), ("permuted_errors", "total")]
"""Controls and noises of the tables."""
FACTORS = ["lag", "direction", "signal", "lower", "alpha", "scale", "sequences"]
LOG_SAMPLE_COMPLEXITY = [f"log_sample_complexity{end}" for end in ("", "_low", "_high")]
NOISE_SCALE = ["gradient_square", "total_variance", *(f"noise_scale{end}" for end in ("", "_low", "_high"))]


def measure_training(
    frozen: Frozen,
    snapshots: Mapping[int, Parameters],
    task: Task,
    reading: Reading,
    lags: Sequence[int],
    root_seed: int,
    seed: int,
    engine: Engine,
) -> dict[str, pd.DataFrame]:
    """N̂(ℓ), B_ℓ and the response r(ℓ) of a network at each of its epochs, on the same fresh sequences.

    Args:
        frozen: the network and the sequences; its own parameters are not used.
        snapshots: parameters by epoch.
        task: of the sequences, with a known response at every lag: a delayed sum, or copying.
        reading: along each lag's own gradient, with the noise `total`.
        lags: ℓ.
        root_seed, seed: name the streams of resamples, the same at all epochs.

    Returns:
        `training_windows`: a row for each `epoch`, `control`, `noise` and `lag`, with N̂(ℓ) by the reading's criterion,
        its interval and factors, and the noise scale B_ℓ with its own. The noise is taken from the whole gradient
        (`total`) or from the lag's part alone (`matched`); under the control `permuted_errors`, errors of the next
        sequence, there is nothing to detect. `training_responses`: r(ℓ) of `measure_response`, or of copying
        `measure_recall`, for each epoch, at `lags` and the lags of the task.
    """
    tables: dict[str, list[pd.DataFrame]] = defaultdict(list)
    request = Request(reading.statistic, lags, product=False)
    requests = {"none": request, "permuted_errors": request._replace(shift_errors=True)}
    for epoch, parameters in snapshots.items():
        at_epoch = frozen._replace(parameters=parameters)
        statistics = matched_statistics(at_epoch, list(requests.values()), 1.0, root_seed, engine)
        by_control = dict(zip(requests, statistics, strict=True))
        for control, noise in CASES:
            statistic = by_control[control] if noise == "total" else by_control[control].drop_vars("total")
            options = replace(reading, statistic=replace(reading.statistic, noise=noise))
            rows = _by_lag(estimate_window(statistic, options, root_seed, seed))
            tables["training_windows"].append(rows.assign(epoch=epoch, control=control, noise=noise))
        if isinstance(task, Copy):
            response = measure_recall(at_epoch, task, engine)
        else:
            response, _ = measure_response(at_epoch, task, engine)
        in_table = response["lag"].isin([*lags, *task.dependencies])
        tables["training_responses"].append(response[in_table].assign(epoch=epoch))
    results = {kind: pd.concat(parts, ignore_index=True) for kind, parts in tables.items()}
    first = ["epoch", "control", "noise"]
    return {kind: table[sorted(table, key=lambda name: name not in first)] for kind, table in results.items()}


def measure_run(
    run: Mapping[str, Any],
    windows: Mapping[str, Any],
    snapshots: Mapping[int, Parameters],
    reading: Reading,
    root_seed: int,
    engine: str = "auto",
    precision: str = "single",
) -> dict[str, pd.DataFrame]:
    """`measure_training` of a network of an experiment, on diagnostic sequences of its own task.

    Args:
        run: `experiment`, `architecture`, `architecture_settings`, `seed`, `task`, `network` and `training`.
        windows: the `lags`, and how many `sequences`.
        snapshots, reading, root_seed: as of `measure_training`.
        engine, precision: as of `learnability.transport.choose_engine`.

    Returns:
        Tables of `measure_training`, with the names of the run, its `units` and `parameters`, and how many different
        sequences it was `trained_on`.
    """
    task = build_task(run["task"], root_seed, run["seed"])
    network = Network.for_task(run["architecture_settings"], task, **run["network"])
    frozen = Frozen.of(network, snapshots[0], task.generate("diagnostic", windows["sequences"]))
    backend = choose_engine(engine, network.cell, precision)
    tables = measure_training(frozen, snapshots, task, reading, windows["lags"], root_seed, run["seed"], backend)
    epochs = run["training"]["epochs"] if run["training"].get("fresh") else 1
    names = {name: run[name] for name in ("experiment", "architecture", "seed")}
    names |= {"units": network.cell.hidden_size, "parameters": network.count_parameters()}
    names["trained_on"] = epochs * run["task"]["training_sequences"]
    return {kind: table.assign(**names)[[*names, *table]] for kind, table in tables.items()}


def _by_lag(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """N̂ of `estimate_window` by the reading's criterion, and B_ℓ."""
    sample_complexity = tables["sample_complexity"][tables["sample_complexity"]["chosen"]]
    noise_scale = tables["noise"][["direction", "lag", *NOISE_SCALE]]
    return (
        sample_complexity[FACTORS + LOG_SAMPLE_COMPLEXITY]
        .merge(noise_scale, on=["direction", "lag"])
        .drop(columns="direction")
    )
