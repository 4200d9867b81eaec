"""Measure a step that is a function, `(parameters, state, input) -> state`, of any kind that torch can differentiate.

It is linearised by `torch.autograd.grad`; from there everything is what the workflow does. States are float64 vectors:
put what your cell keeps (h and c, say) side by side in one. Weights may require a gradient; results never do. Functions
get copies of what they take, so they may change these in place.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from learnability.core.errors import require
from learnability.core.memory import BLOCK_BYTES
from learnability.core.progress import Meter
from learnability.core.streams import check_seed
from learnability.measurement.cell import FunctionCell, Retention, Step
from learnability.measurement.data import as_inputs, as_lags, as_mask, as_parameters, check_draws, require_count
from learnability.measurement.engine import CachingEngine
from learnability.measurement.measured import Measured
from learnability.measurement.network import FunctionNetwork, Readout
from learnability.measurement.place import Place
from learnability.measurement.tables import count_backward_rows, measure_tables
from learnability.measurement.targets import warn_of_equal_targets, with_loss
from learnability.measurement.trials import check_derivatives, check_steps_apart, try_run
from learnability.networks.frozen import Frozen
from learnability.windows.readings import Reading, StatisticOptions
from learnability.windows.request import Request
from learnability.windows.windowing import TRANSPORTS

OWN_GRADIENT = Reading(StatisticOptions(probe="own_gradient", directions=1))
"""Reading of each lag along its own gradient, in the noise of the whole: what an optimiser of N sequences can see."""


@torch.inference_mode(False)
@torch.no_grad()
def measure_step(
    step: Step,
    parameters: Mapping[str, ArrayLike],
    readout: Readout,
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    state_size: int,
    lags: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    retention: Retention | None = None,
    reading: Reading = OWN_GRADIENT,
    root_seed: int = 0,
    block_bytes: int = BLOCK_BYTES,
    device: str | torch.device = "cpu",
    precision: str = "double",
    progress: bool | None = None,
    first_order: bool = True,
    diagonal: Retention | None = None,
) -> Measured:
    """Results of `measure_model` for a step that is a function.

    Args:
        step: s_t from (θ, s_{t-1}, x_t), differentiable; s_0 = 0. `step`, `readout` and `retention` take float64 (with
            another `device` or `precision`, tensors of these), treat each sequence on its own, and are not random:
            they behave as a module does after `.double().eval()`.
        parameters: θ by name, of the cell alone; like inputs and targets, arrays or tensors.
        readout: ŷ_t from s_t, differentiable: (sequence,) or (sequence, 1), or, of several outputs, (sequence, output).
        inputs: fresh sequences, (sequence, time, input).
        targets: y_t. If the readout gives one number, they are numbers (sequence, time), and the loss is (ŷ_t - y_t)².
            If it gives several, (sequence, output), they are vectors (sequence, time, output) with the loss
            ‖ŷ_t - y_t‖², or integers (sequence, time) that name a class with the loss -log softmax(ŷ_t)_y.
        state_size: how many numbers a state has.
        lags: ℓ, steps, increasing, below the number of steps; by default 1, 2, 4, … as far as the steps go.
        mask: booleans (sequence, time), true where a target counts, for example at the last step alone. By default
            every target counts.
        retention: the part of the diagonal of J_t that counts as retention a_t (1 - z_t of a GRU, say); the rest is
            then d_t. Without it the whole diagonal is a_t.
        reading: the statistic, the law of the noise and the criterion of detection. Whatever it says of transport,
            both kinds are measured, without a base rate. The number of sequences joins its grid of N.
        first_order: False leaves out N̂ and windows of first-order transport, half of the work; `summary`, `limits` and
            `plot` are of exact transport.
        root_seed: seed of the random streams of directions, resamples and the windows of exact transport.
        block_bytes: memory that one block of work may take, beside weights, tables, a few gradients at each lag, and up
            to 1 GiB of states and 1.5 GiB of gradients that are kept. It changes results by rounding alone.
        device: where step and readout run, as torch names it. The rest is on the processor.
        precision: the precision of step and readout, "double" or "single"; all else is in double precision. In single
            precision a gradient that has crossed ℓ steps has a relative error of about 10⁻⁷ √ℓ.
        progress: True if long work reports progress on standard error; by default where standard error is a terminal.
        diagonal: a function that gives the diagonal of J_t from the arguments of `step`, if there is a formula for it;
            otherwise each unit takes a backward pass of its own at every step.

    Raises:
        InputError: before the work, for arrays, lags or settings that do not fit, fewer than 20 draws at the largest
            lag (sequences or, of a reading that pools them, pairs of a sequence and t); a `step`, `readout` or
            `retention` that fails, gives anything but one finite float64 tensor of the right shape, is random or mixes
            sequences; a step that ignores its state or its parameters, a readout without a gradient, or errors that
            are all 0. During the work, for gradients that are not finite at some t or beyond float64 at some lag.
    """
    check_seed("root_seed", root_seed)
    require_count("block_bytes", block_bytes)
    require(progress is None or isinstance(progress, bool), "progress", "True, False or None", progress)
    for name, function in {"step": step, "readout": readout}.items():
        require(callable(function), name, "a function", function)
    for name, optional in {"retention": retention, "diagonal": diagonal}.items():
        require(optional is None or callable(optional), name, "a function or None", optional)
    require(isinstance(first_order, bool), "first_order", "True or False", first_order)
    place = Place.of(device, precision)
    require(isinstance(reading, Reading), "reading", "a learnability.windows.readings.Reading", reading)
    require_count("state_size", state_size)
    x = as_inputs(inputs)
    grid = as_lags(lags, x.shape[1])
    counts = as_mask(mask, x, grid)
    options = replace(reading.statistic, base_rate=False)
    sizes = sorted({*reading.detection.sample_sizes, len(x)})
    reading = replace(reading, statistic=options, detection=replace(reading.detection, sample_sizes=sizes))
    check_draws(options, x, counts, grid)
    theta = as_parameters(parameters)
    cell = FunctionCell(x.shape[-1], int(state_size), step, retention, theta, int(block_bytes), place, diagonal)
    network, y = with_loss(
        FunctionNetwork(cell, readout=lambda s: _without_single_output(readout(s))), x, targets, counts
    )
    warn_of_equal_targets(y, counts)
    run = try_run(network, x, y, counts, grid[0])
    check_derivatives(network, x, run.last, options.probe)
    check_steps_apart(cell, x, run.few)
    network = network.with_known_memory(run.last[-1], x[:, -1])
    transports = TRANSPORTS if first_order else ["exact"]
    requests = [Request(replace(options, transport=transport), grid) for transport in transports]
    if sys.stderr.isatty() if progress is None else progress:
        network = network.counting_rows(Meter("measure_model", count_backward_rows(cell, x, requests)).add)
    frozen, engine = Frozen(network, theta, x, y, counts), CachingEngine(network.cell, x)
    return measure_tables(frozen, requests, reading, root_seed, engine)


def _without_single_output(y: Any) -> Any:
    """Predictions (sequence,) if they are (sequence, 1), others as they are."""
    return y[:, 0] if isinstance(y, Tensor) and y.ndim == 2 and y.shape[1] == 1 else y
