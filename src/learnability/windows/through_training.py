"""What is detected in the gradient at every stored epoch of a training, beside what the network has learned by then."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from learnability.cells import Parameters
from learnability.networks.frozen import Frozen
from learnability.tasks import Copy, Task
from learnability.transport import Engine
from learnability.windows.readings import Reading
from learnability.windows.request import Request
from learnability.windows.response import measure_recall, measure_response
from learnability.windows.statistic import matched_statistics
from learnability.windows.windowing import estimate_window

SEEN = [("none", "total"), ("none", "matched"), ("permuted_errors", "total")]
"""Controls and noises of what is shown."""
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
        its interval and factors, and the noise scale B_ℓ with its own. The noise is that of the whole gradient
        (`total`) or of the lag's part alone (`matched`); under the control `permuted_errors`, errors of the next
        sequence, there is nothing to detect. `training_responses`: r(ℓ) of `measure_response`, or of copying
        `measure_recall`, for each epoch, at `lags` and those of the task.
    """
    tables: dict[str, list[pd.DataFrame]] = defaultdict(list)
    own = Request(reading.statistic, lags, product=False)
    requests = {"none": own, "permuted_errors": own._replace(shift_errors=True)}
    for epoch, parameters in snapshots.items():
        at_epoch = frozen._replace(parameters=parameters)
        statistics = matched_statistics(at_epoch, list(requests.values()), 1.0, root_seed, engine)
        by_control = dict(zip(requests, statistics, strict=True))
        for control, noise in SEEN:
            statistic = by_control[control] if noise == "total" else by_control[control].drop_vars("total")
            options = replace(reading, statistic=replace(reading.statistic, noise=noise))
            seen = _by_lag(estimate_window(statistic, options, root_seed, seed))
            tables["training_windows"].append(seen.assign(epoch=epoch, control=control, noise=noise))
        if isinstance(task, Copy):
            response = measure_recall(at_epoch, task, engine)
        else:
            response, _ = measure_response(at_epoch, task, engine)
        asked = response["lag"].isin([*lags, *task.dependencies])
        tables["training_responses"].append(response[asked].assign(epoch=epoch))
    joined = {kind: pd.concat(parts, ignore_index=True) for kind, parts in tables.items()}
    first = ["epoch", "control", "noise"]
    return {kind: table[sorted(table, key=lambda name: name not in first)] for kind, table in joined.items()}


def _by_lag(found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """N̂ of `estimate_window` by the reading's criterion, and B_ℓ."""
    chosen = found["sample_complexity"][found["sample_complexity"]["chosen"]]
    noise_scale = found["noise"][["direction", "lag", *NOISE_SCALE]]
    return chosen[FACTORS + LOG_SAMPLE_COMPLEXITY].merge(noise_scale, on=["direction", "lag"]).drop(columns="direction")
