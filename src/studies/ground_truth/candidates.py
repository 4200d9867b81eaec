"""Candidates: numbers from gradients that might foretell from how many sequences a lag is learned."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.streams import numpy_generator
from learnability.networks.frozen import Frozen
from learnability.tasks import Task
from learnability.transport import Engine
from learnability.windows.error_signals import ErrorSignals
from learnability.windows.readings import Reading
from learnability.windows.request import Request
from learnability.windows.statistic import matched_statistics
from learnability.windows.through_training import measure_training
from learnability.windows.windowing import asks_for_resampling, find_sample_complexity

SCALES = ["noise_scale", "total_variance"]


def measure_candidates(
    frozen: Frozen,
    path: Mapping[int, Parameters],
    task: Task,
    own_gradient: Reading,
    readings: Mapping[str, Reading],
    lags: Sequence[int],
    batch_size: int,
    root_seed: int,
    seed: int,
    engine: Engine,
) -> pd.DataFrame:
    """log N̂(ℓ) by readings and along the own gradient, and log B_ℓ, at points of a path of training.

    Args:
        frozen: a network and sequences that it was not trained on; its own parameters are not used.
        path: parameters by number of updates.
        own_gradient: reading of `measure_training`.
        readings: by random directions, by name; of several directions the median of log N̂ counts.
        batch_size: of the updates, for `preconditioned_noise_scales`.

    Returns:
        A row for each number of `updates`, `lag` and `candidate`, with the natural logarithm of its `value`:
        `own_gradient_total` and `own_gradient_matched` N̂, by either noise; `noise_scale` B_ℓ,
        `preconditioned_noise_scale` and `total_variance` tr C; N̂ of each reading. ∞ where no N suffices.
    """
    windows = measure_training(frozen, path, task, own_gradient, lags, root_seed, seed, engine)["training_windows"]
    real = windows[windows["control"] == "none"].rename(columns={"epoch": "updates"})
    parts = [real.assign(candidate="own_gradient_" + real["noise"], value=real["log_sample_complexity"])]
    of_total = real[real["noise"] == "total"]
    parts += [of_total.assign(candidate=name, value=np.log(of_total[name])) for name in SCALES]
    stream = partial(numpy_generator, root_seed, seed)
    for updates, parameters in path.items():
        at = frozen._replace(parameters=parameters)
        requests = [Request(reading.statistic, lags) for reading in readings.values()]
        statistics = matched_statistics(at, requests, 1.0, root_seed, engine)
        for (name, reading), statistic in zip(readings.items(), statistics, strict=True):
            along = [
                find_sample_complexity(statistic.isel(direction=number), reading, stream, asks_for_resampling(reading))[
                    1
                ]
                for number in range(statistic.sizes["direction"])
            ]
            rows = pd.concat(along).query("chosen")
            median = rows.groupby("lag")["log_sample_complexity"].median().rename("value").reset_index()
            parts.append(median.assign(candidate=name, updates=updates))
        errors = ErrorSignals(at, [Request(own_gradient.statistic, lags)], engine).values
        gradients = list(engine.gradients(*at[:3], errors, lags, own_gradient.statistic.transport))
        by_lag, whole = (torch.stack([gradient[part][0] for gradient in gradients]) for part in (0, 1))
        table = pd.DataFrame({"lag": lags, "value": np.log(preconditioned_noise_scales(by_lag, whole, batch_size))})
        parts.append(table.assign(candidate="preconditioned_noise_scale", updates=updates))
    return pd.concat(parts, ignore_index=True)[["updates", "lag", "candidate", "value"]]


def preconditioned_noise_scales(
    by_lag: Float[Tensor, "sequence lag parameter"], whole: Float[Tensor, "sequence parameter"], batch_size: int
) -> Float[np.ndarray, "lag"]:
    """B_ℓ of gradients as AdamW divides them: Σ_j C_jj/v_j over Σ_j G_{ℓ,j}²/v_j, j the parameters of the cell.

    v_j = g_j² + C_jj/b is the mean square of a batch's gradient, of which AdamW has a running mean. G_{ℓ,j}² is
    estimated by the mean of g_{i,ℓ,j} g_{k,ℓ,j} over all pairs of different sequences i ≠ k, without bias:

        ((Σ_i g_{i,ℓ,j})² - Σ_i g_{i,ℓ,j}²) / (n (n - 1))

    Args:
        by_lag: g_{i,ℓ} of `learnability.transport.SequenceGradient`, of n sequences.
        whole: g_i.
        batch_size: b.

    Returns:
        B_ℓ, ∞ where the denominator is not positive.
    """
    count = len(by_lag)
    pairs = (by_lag.sum(0).square() - by_lag.square().sum(0)) / (count * (count - 1))
    variance = whole.var(0)
    square = whole.mean(0).square() + variance / batch_size
    positive = square > 0
    noise, signal = (part[..., positive] / square[positive] for part in (variance, pairs))
    quotient = (noise.sum() / signal.sum(-1)).numpy()
    return np.where(quotient > 0, quotient, np.inf)
