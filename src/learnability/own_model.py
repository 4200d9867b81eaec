"""Measure a recurrent model of your own: any step `(parameters, state, input) -> state` that torch can differentiate.

Its step is linearised by `torch.autograd.grad`; from there everything is what the workflow does. States are float64
vectors: put what your cell keeps (h and c, say) side by side in one. Weights may require a gradient; results never do.
Functions get copies of what they take, so they may change these in place.
"""

import inspect
import logging
import random
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property, partial
from hashlib import blake2b
from numbers import Integral
from types import MethodType
from typing import Any, overload

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Shaped
from numpy.typing import ArrayLike
from torch import Tensor, nn

from learnability.cells import AutomaticLinearization, Cell, Diagonals, Linearization, Parameters
from learnability.cells.automatic import FEW, row_bytes_of
from learnability.core.errors import InputError, in_one_line, require, require_one_of
from learnability.core.memory import BLOCK_BYTES, items_within
from learnability.core.progress import Meter
from learnability.core.streams import check_seed, numpy_generator
from learnability.measurement.limits import FEWEST_SEQUENCES
from learnability.measurement.measured import Measured
from learnability.networks.frozen import Frozen
from learnability.networks.losses import LOSSES
from learnability.networks.network import Network
from learnability.own_formulas import Formulas, StepDerivatives
from learnability.transport import (
    SequenceGradient,
    TorchEngine,
    Trajectory,
    check_lags,
    effective_learning_rates,
    envelope_table,
    exact_table,
    exact_transport,
)
from learnability.transport.torch_engine import CROSSING_SEQUENCES, SEQUENCES
from learnability.windows.noise import warn_of_heavy_tails
from learnability.windows.readings import Reading, StatisticOptions
from learnability.windows.request import Request
from learnability.windows.statistic import matched_statistics
from learnability.windows.windowing import TRANSPORTS, estimate_window

OWN_GRADIENT = Reading(StatisticOptions(probe="own_gradient", directions=1))
"""Reading of each lag along its own gradient, in the noise of the whole: what an optimiser of N sequences can see."""
TOLERANCE = 1e-5
"""Largest difference between outcomes that should be equal, as a share of the largest entry; float32 inside rounds."""
ROUNDING = 1e-12
"""Share of the largest target that counts as an error of 0."""
FULLY_CHECKED = 2
"""Steps at which each function runs four times; later it runs once, and again for some sequences."""
SOME_SEQUENCES = 16
"""About so many sequences have a function run again, others at each step."""
NUMBER_AT_EACH_STEP = ", inputs[..., None] for one number at each step"
"""Hint for inputs that have no axis of numbers."""
TRACED_BYTES = 2**30
"""Most bytes of states and diagonals of Jacobians that are kept rather than made again."""
BLOCK_ROWS = 2048
"""Points whose gradients of parameters are summed in one matrix product."""
PRODUCT_SEQUENCES = 64
"""Sequences, the first ones, of which a window has its whole product of Jacobians and the singular values of it."""

log = logging.getLogger(__name__)

PRECISIONS = {"double": torch.float64, "single": torch.float32}
"""Precisions in which a step and a readout run."""

Step = Callable[[Parameters, Tensor, Tensor], Tensor]
"""s_t from θ, s_{t-1} (sequence, state) and x_t (sequence, input), each row on its own."""
Retention = Callable[[Parameters, Tensor, Tensor], Tensor]
"""a_t (sequence, state), from the same arguments."""
Readout = Callable[[Tensor], Tensor]
"""ŷ_t (sequence,) or (sequence, output) from s_t (sequence, state), each row on its own."""


@dataclass(frozen=True)
class Place:
    """Device and precision in which step and readout run; all else is on the processor, in double precision."""

    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    dtype: torch.dtype = torch.float64

    @classmethod
    def of(cls, device: str | torch.device, precision: str) -> "Place":
        """Place of a device, as torch names it, and a precision; `InputError` if torch has no such device here."""
        require_one_of("precision", precision, PRECISIONS)
        try:
            canonical = torch.empty(0, device=device, dtype=PRECISIONS[precision]).device
        except Exception as error:
            rule = f"a device that torch has here, in {precision} precision"
            reason = in_one_line(error).split(". ")[0].rstrip(".")  # torch lists all that it was not compiled with
            raise InputError(f"'device' must be {rule}. Got {device!r}: {reason}.") from error
        return cls(canonical, PRECISIONS[precision])

    @property
    def name(self) -> str:
        """Name of the type of numbers, "float64" or "float32"."""
        return str(self.dtype).removeprefix("torch.")

    def take(self, tensors: Any) -> Any:
        """A tensor, or tensors by name, on the device and in the precision."""
        if isinstance(tensors, dict):
            return {name: tensor.to(self.device, self.dtype) for name, tensor in tensors.items()}
        return tensors.to(self.device, self.dtype)

    def call(self, function: Callable[..., Any], *given: Any) -> Any:
        """Outcome of a function that runs at this place, on the processor and in double precision."""
        outcome = _call_with_copies(function, *map(self.take, given))
        return outcome.to("cpu", torch.float64)

    @contextmanager
    def by_default(self) -> Iterator[None]:
        """Make tensors without a type or a device, first states of zeros, say, of this type and on this device."""
        before = torch.get_default_dtype()
        torch.set_default_dtype(self.dtype)
        try:
            with self.device:
                yield
        finally:
            torch.set_default_dtype(before)


@overload
def measure_model(
    module: nn.Module,
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    readout: Callable[[Any], Tensor] | None = None,
    state: Any = None,
    lags: ArrayLike | None = None,
    **options: Any,
) -> Measured: ...


@overload
def measure_model(
    step: Step,
    parameters: Mapping[str, ArrayLike],
    readout: Readout,
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    state_size: int,
    lags: ArrayLike | None = None,
    **options: Any,
) -> Measured: ...


def measure_model(*given: Any, **options: Any) -> Measured:
    """Measure the gradient across each lag, N̂(ℓ) and the window Ĥ_N of a recurrent model, without training it.

    N̂(ℓ) is the number of sequences from which the gradient of lag ℓ is detected, Ĥ_N the longest lag that N sequences
    detect. A module is taken as it is: its state, step and parameters are found. Any other step is given as a function,
    with its parameters, a readout and `state_size`.

    >>> import torch
    >>> from learnability import measure_model
    >>> lstm, head = torch.nn.LSTM(3, 8, batch_first=True), torch.nn.Linear(8, 1)
    >>> inputs = torch.randn(30, 12, 3)
    >>> measured = measure_model(lstm, inputs, inputs.cumsum(1).sum(2), readout=head)
    >>> measured.exact["lag"].tolist()
    [1, 2, 4, 8]

    Args:
        *given: module, inputs and targets, with `readout`, `state` and `lags` by name, as
            `learnability.own_module.measure_module` explains; or step, parameters, readout, inputs and targets, with
            `state_size` and `lags` by name, as `learnability.own_model.measure_step` explains. All may be by name.
        **options: of both forms, `mask`, `reading`, `root_seed`, `block_bytes`, `device`, `precision`, `first_order`
            and `progress`: see `learnability.own_model.measure_step`.

    Raises:
        InputError: for a function without `state_size`, for missing or misplaced arguments, and as in both forms.
    """
    if "state_size" in options or "step" in options:
        check_options("measure_model", options, inspect.signature(measure_step).parameters)
        _check_arguments(inspect.signature(measure_step), given, options)
        return measure_step(*given, **options)
    check_options("measure_model", options, module_signature().parameters)
    if given and not isinstance(given[0], nn.Module):
        refuse_class_or_method(given[0])
        way = "given with a step that is a function: how many numbers its state has"
        require(not callable(given[0]), "state_size", way, None)
    _check_arguments(module_signature(), given, options)
    from learnability.own_module import measure_module  # which imports this module

    return measure_module(*given, **options)


def refuse_class_or_method(module: object) -> None:
    """Raise `InputError` for a class or a method in place of a module."""
    if isinstance(module, type):
        raise InputError(f"'module' must be a module, not its class: {module.__name__}(…). Got {module}.")
    if isinstance(module, MethodType):
        name = module.__name__
        raise InputError(
            f"'module' must be a module, not its method (write a module whose `forward(x, state)` calls it; or, for a "
            f"step that is a function, give `state_size`). Got the method {name!r}."
        )


def _check_arguments(signature: inspect.Signature, given: Sequence[Any], options: Mapping[str, Any]) -> None:
    """Raise `InputError` if an argument is missing, given twice or one too many."""
    try:
        signature.bind(*given, **options)
    except TypeError as error:
        in_order = [name for name, part in signature.parameters.items() if part.kind == part.POSITIONAL_OR_KEYWORD]
        names = f"{', '.join(in_order)}, in this order or by name, and all others by name"
        raise InputError(f"'arguments of measure_model' must be {names}. Got others: {error}.") from error


def check_options(of: str, options: Mapping[str, Any], choices: Collection[str]) -> None:
    """Raise `InputError` for the first option that is not allowed, and suggest the most similar name."""
    names = list(choices)
    for name in options:
        if name not in names:
            nearest = "".join(f" (did you mean {like!r}?)" for like in get_close_matches(name, names, 1))
            raise InputError(f"'options of {of}' must be among {', '.join(names)}. Got {name!r}{nearest}.")


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
    require(_is_count(block_bytes), "block_bytes", "a positive integer", block_bytes)
    require(progress is None or isinstance(progress, bool), "progress", "True, False or None", progress)
    for name, function in {"step": step, "readout": readout}.items():
        require(callable(function), name, "a function", function)
    require(retention is None or callable(retention), "retention", "a function or None", retention)
    require(diagonal is None or callable(diagonal), "diagonal", "a function or None", diagonal)
    require(isinstance(first_order, bool), "first_order", "True or False", first_order)
    place = Place.of(device, precision)
    require(isinstance(reading, Reading), "reading", "a learnability.windows.readings.Reading", reading)
    require(_is_count(state_size), "state_size", "a positive integer", state_size)
    x = as_numbers("inputs", inputs)
    way = "of shape (sequence, time, input)" + (NUMBER_AT_EACH_STEP if x.ndim == 2 else "")
    require(x.ndim == 3, "inputs", way, tuple(x.shape))
    require(x.shape[1] >= 2, "inputs", "of two steps at least", x.shape[1])
    grid = _grid(_powers_of_2(x.shape[1]) if lags is None else lags)
    require(len(x) >= 2, "inputs", "of two sequences at least, for what differs between them is the noise", len(x))
    counts = _as_mask(mask, x)
    pools = reading.statistic.sampling == "pooled"
    require(counts is None or not pools, "mask", "None, for a reading that pools pairs of a sequence and t", "a mask")
    check_lags(grid, x.shape[1] - 1)
    usable = counts is None or bool(counts[:, grid[0] :].any())
    require(usable, "mask", f"true for a target after the smallest lag, at t > {grid[0]}", "none")
    sequence_counts = [len(x) if counts is None else int(counts[:, lag:].any(1).sum()) for lag in grid]
    in_sequences = f"true at t > {grid[0]} in {FEWEST_SEQUENCES} sequences at least"
    if counts is not None and len(x) >= FEWEST_SEQUENCES:  # fewer are refused below, with or without a mask
        require(sequence_counts[0] >= FEWEST_SEQUENCES, "mask", in_sequences, sequence_counts[0])
    options = replace(reading.statistic, base_rate=False)
    sizes = sorted({*reading.detection.sample_sizes, len(x)})
    detection = replace(reading.detection, sample_sizes=sizes)
    times = sum(t > grid[-1] for t in Request(options, grid).times(x.shape[1]))
    draws = len(x) * (times if options.sampling == "pooled" else 1)
    draw = "pairs of a sequence and t at the largest lag" if options.sampling == "pooled" else "sequences"
    require(draws >= FEWEST_SEQUENCES, "inputs", f"of {FEWEST_SEQUENCES} {draw} at least", draws)
    has_names = isinstance(parameters, Mapping) and len(parameters) > 0
    require(has_names, "parameters", "one or more by name, dict(cell.named_parameters()), say", parameters)
    theta = {name: as_numbers(name, parameter) for name, parameter in parameters.items()}
    cell = FunctionCell(x.shape[-1], int(state_size), step, retention, theta, int(block_bytes), place, diagonal)
    network, y = _with_loss(cell, lambda s: without_single_output(readout(s)), x, targets, counts)
    _warn_of_equal_targets(y, counts)
    few_states, (*before, last) = _checked_run(network, theta, x, y, counts, grid[0])
    _check_derivatives(network, theta, x, [*before, last], options.probe)
    _check_steps_apart(cell, theta, x, few_states)
    transports = TRANSPORTS if first_order else ["exact"]
    requests = [Request(replace(options, transport=transport), grid) for transport in transports]
    meter = Meter("measure_model", _backward_rows(x, cell, requests))
    shows_progress = sys.stderr.isatty() if progress is None else progress
    cell = replace(cell, row_bytes=_row_bytes(cell, last, x), add_rows=meter.add if shows_progress else None)
    network = replace(network, cell=cell, row_bytes=network.tried_bytes(last))
    engine = OwnEngine(int(block_bytes), x.shape[1] * cell.row_bytes, x.shape[0] * x.shape[1] * cell.state_size)
    rates = effective_learning_rates(network, theta, x, grid, engine, conditions=False)
    trajectories = _of_first(PRODUCT_SEQUENCES, engine.trace(cell, theta, x))
    exact = exact_transport(network, theta, x[:PRODUCT_SEQUENCES], grid, root_seed, trajectories, int(block_bytes))
    statistics = matched_statistics(Frozen(network, theta, x, y, counts), requests, 1.0, root_seed, engine)
    tables: dict[str, list[pd.DataFrame]] = {"noise": [], "sample_complexity": [], "window": []}
    for request, statistic in zip(requests, statistics, strict=True):
        for noise in ("total", "matched") if options.noise == "total" else ("matched",):
            noise_statistic = statistic if noise == "total" else statistic.drop_vars("total", errors="ignore")
            noise_reading = replace(reading, statistic=replace(request.options, noise=noise), detection=detection)
            for name, table in estimate_window(noise_statistic, noise_reading, root_seed, 0).items():
                tables[name].append(table.assign(transport=request.options.transport, noise=noise))
    results = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    results["window"]["steps"] = x.shape[1]
    counts_by_lag = dict(zip(grid, sequence_counts, strict=True))
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


def module_signature() -> inspect.Signature:
    """Parameters of `measure_model` of a module; a step that is a function takes parameters of `measure_step`."""
    parameter = inspect.Parameter
    first = [parameter(name, parameter.POSITIONAL_OR_KEYWORD) for name in ("module", "inputs", "targets")]
    by_name = [parameter(name, parameter.KEYWORD_ONLY, default=None) for name in ("readout", "state", "lags")]
    step_parameters = inspect.signature(measure_step).parameters.values()
    more = [
        option
        for option in step_parameters
        if option.kind == option.KEYWORD_ONLY and option.name not in ("state_size", "lags")
    ]
    return inspect.Signature([*first, *by_name, *more], return_annotation=Measured)


measure_model.__signature__ = module_signature()  # type: ignore[attr-defined]


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) > 0


def _powers_of_2(steps: int) -> list[int]:
    """1, 2, 4, … below the number of steps."""
    return [2**power for power in range((steps - 1).bit_length())]


def without_single_output(y: Any) -> Any:
    """Predictions (sequence,) if they are (sequence, 1), others as they are."""
    return y[:, 0] if isinstance(y, Tensor) and y.ndim == 2 and y.shape[1] == 1 else y


def _grid(lags: ArrayLike) -> list[int]:
    """Lags as integers; a float that equals one is none."""
    try:
        grid = np.asarray(lags)
    except ValueError:  # rows of different lengths
        grid = np.empty((1, 1), object)
    require(grid.shape != (0,), "lags", "a list of at least one integer", lags)
    require(grid.ndim == 1 and grid.dtype.kind in "iu", "lags", "a list of integers", lags)
    return grid.tolist()


def as_numbers(name: str, array: ArrayLike, counts: Bool[Tensor, "..."] | None = None) -> Float[Tensor, "..."]:
    """An array or a tensor as float64, with 0 where `counts` is False."""
    try:
        tensor = array.detach() if isinstance(array, Tensor) else torch.from_numpy(np.array(array))
        dtype, numbers = tensor.dtype, tensor.to_dense() if tensor.layout != torch.strided else tensor
        numbers = numbers if dtype.is_complex else numbers.to("cpu", torch.float64, copy=True)
    except Exception as error:
        kind, reason = type(array).__name__, in_one_line(error)
        raise InputError(f"'{name}' must be an array of numbers. Got {kind}: {reason}") from error
    way = f"real numbers: torch.view_as_real({name}) beside another axis, and torch.view_as_complex where it is used"
    require(not dtype.is_complex, name, way, dtype)
    require(dtype != torch.bool, name, "real numbers", dtype)
    if counts is not None and numbers.shape[:2] == counts.shape:
        numbers[~counts] = 0
    for place in (~torch.isfinite(numbers)).nonzero().tolist()[:1]:
        at = f" at {place}" if place else ""
        raise InputError(f"'{name}' must be finite. Got {float(numbers[tuple(place)])}{at}.")
    return numbers


def _as_mask(array: ArrayLike | None, x: Tensor) -> Bool[Tensor, "sequence time"] | None:
    """The mask as a tensor, if there is one; `InputError` for another type or shape, or if no target counts."""
    if array is None:
        return None
    try:
        mask = torch.as_tensor(array)
    except (TypeError, ValueError, RuntimeError) as error:
        given = f"{type(array).__name__}: {in_one_line(error)}"
        raise InputError(f"'mask' must be booleans of shape {tuple(x.shape[:2])}. Got {given}.") from error
    fits = mask.dtype == torch.bool and mask.shape == x.shape[:2]
    hint = " (mask.bool())" if mask.dtype != torch.bool else ""
    way = f"booleans{hint} of shape {tuple(x.shape[:2])}"
    require(fits, "mask", way, f"{mask.dtype} of shape {tuple(mask.shape)}")
    require(bool(mask.any()), "mask", "true for some targets", "none")
    return mask.detach().cpu()


def _with_loss(
    cell: "FunctionCell", readout: Readout, x: Tensor, targets: ArrayLike, counts: Tensor | None
) -> tuple["FunctionNetwork", Shaped[Tensor, "sequence time *output"]]:
    """The network with the loss that fits its readout and targets, and the targets in the form of that loss.

    Raises:
        InputError: if targets do not have the shape that the readout's outputs ask for, or name a class that is none.
    """
    shape = tuple(x.shape[:2])
    y, outputs = as_numbers("targets", targets, counts), 0
    y = y[..., 0] if tuple(y.shape) == (*shape, 1) else y
    try:
        with _same_random_numbers():
            sample = cell.place.call(readout, x.new_zeros(len(x), cell.state_size))
        outputs = sample.shape[1] if sample.ndim == 2 else 0
    except InputError:
        raise
    except (Exception, SystemExit):  # a readout that fails is refused at the model's own states
        pass
    if y.shape != shape and tuple(y.shape) in ((shape[0],), (shape[0], 1), (shape[0], outputs)):
        repeat = f"targets[:, None].expand(-1, {shape[1]}{', -1' * (y.ndim - 1)})"
        raise InputError(
            f"'targets' must be of shape {(*shape, *y.shape[1:])}: repeat one of each sequence, {repeat}, and let "
            f"`mask` be true at its step alone. Got {tuple(y.shape)}."
        )
    if outputs < 2 or y.ndim != 2:
        expected = (*shape, outputs) if outputs else shape
        require(tuple(y.shape) == expected, "targets", f"of shape {expected}", tuple(y.shape))
        return FunctionNetwork(cell, outputs=outputs, readout=readout), y
    kind = (targets if isinstance(targets, Tensor) else torch.as_tensor(np.asarray(targets))).dtype
    whole = not kind.is_floating_point and kind != torch.bool
    has_shape = tuple(y.shape) == shape
    if not (whole and has_shape and bool(((y >= 0) & (y < outputs)).all())):
        actual = f"{kind} of shape {tuple(y.shape)}"
        if has_shape and whole:
            actual = f"classes from {int(y.min())} to {int(y.max())}"
        elif has_shape and torch.equal(y, y.round()):
            actual += " (for classes use targets.long())"
        single = f"; numbers of shape {shape} need a `readout` of one output" if has_shape and not whole else ""
        raise InputError(
            f"'targets' must be integers from 0 to {outputs - 1} of shape {shape}, or numbers of shape "
            f"{(*shape, outputs)}, for predictions of {outputs} numbers at each step{single}. Got {actual}."
        )
    return FunctionNetwork(cell, outputs=outputs, loss="cross_entropy", readout=readout), y.long()


def _warn_of_equal_targets(y: Tensor, mask: Tensor | None) -> None:
    """Log a warning if targets at each t are the same in all sequences that have one."""
    counts = torch.ones(y.shape[:2], dtype=torch.bool) if mask is None else mask
    left_out, numbers = ~counts.view(*y.shape[:2], *[1] * (y.dim() - 2)), y.double()
    least, most = (numbers.masked_fill(left_out, end) for end in (torch.inf, -torch.inf))
    if (most.amax(0) <= least.amin(0)).all():
        log.warning("Targets are the same in all sequences: gradients only pull outputs of the sequences together.")


def _checked_run(
    network: "FunctionNetwork", theta: Parameters, x: Tensor, y: Tensor, mask: Tensor | None, least_lag: int
) -> tuple[list[Float[Tensor, "few state"]], list[Float[Tensor, "sequence state"]]]:
    """s_0 to s_{T-1} of a few sequences; s_{T-2} (if T > 2) and s_{T-1} of all.

    Raises:
        InputError: for functions that are not maps of single sequences, and for errors that are all 0.
    """
    cell, sequences = network.cell, len(x)
    state, has_error = x.new_zeros(sequences, cell.state_size), False
    few_states: list[Tensor] = []
    last: list[Tensor] = []
    for t in range(1, x.shape[1] + 1):
        before = {"state": state, "input": x[:, t - 1]}
        weights, apply = cell.place.take(theta), partial(_apply, place=cell.place)
        for name, function in {"retention": cell.retention, "diagonal": cell.diagonal}.items():
            if function is not None and not isinstance(function, Formulas):
                apply(name, partial(_call_with_copies, function, weights), before, state.shape, t)
        few_states.append(state[:FEW].clone())  # a view would keep all of it
        last = [*last[-1:], state] if t > 2 else [state]
        state = apply("step", partial(_call_with_copies, cell.function, weights), before, state.shape, t)
        shape = (sequences, network.outputs) if network.outputs else (sequences,)
        predictions = apply("readout", network.readout, {"state": state}, shape, t)
        counts = slice(None) if mask is None else mask[:, t - 1]
        target = y[counts, t - 1]
        if t > least_lag and len(target):
            error = LOSSES[network.loss].gradient(predictions[counts], target).abs().max()
            has_error |= bool(error > ROUNDING * (1 if network.loss == "cross_entropy" else target.abs().max()))
    if not has_error:
        raise InputError(f"'targets' must differ from predictions. Got errors that are 0 at all t > {least_lag}.")
    return few_states, last


def _apply(
    name: str, function: Callable[..., object], rows: Mapping[str, Tensor], shape: Sequence[int], t: int, place: Place
) -> Tensor:
    """Outcome of a function of rows; `InputError` unless it is one finite tensor that ignores other rows and chance."""

    def apply(index: slice) -> Tensor:
        selection = {label: place.take(tensor[index]) for label, tensor in rows.items()}
        outcome = _call_or_refuse(name, function, selection)
        if not isinstance(outcome, Tensor):
            kind = type(outcome).__name__
            raise InputError(f"'{name}' must give one tensor (torch.cat joins several into one state). Got a {kind}.")
        expected = len(selection["state"]), *shape[1:]
        axes = "(sequence, state_size)" if shape[1:] else "(sequence,)"
        require(tuple(outcome.shape) == expected, name, f"a map to {axes} = {expected}", tuple(outcome.shape))
        way = "torch.view_as_real(state).flatten(1)" if outcome.is_complex() else "module.double()"
        require(outcome.dtype == place.dtype, name, f"a map to {place.name} ({way})", outcome.dtype)
        if not torch.isfinite(outcome).all():
            raise InputError(f"'{name}' must give finite numbers. Got others at t = {t}.")
        return outcome.to("cpu", torch.float64)

    full, even, odd = slice(None), slice(0, None, 2), slice(1, None, 2)
    with _same_random_numbers():
        outcome = apply(full)
    if t > FULLY_CHECKED:
        stride = max(2, len(outcome) // SOME_SEQUENCES)
        sample = slice(t % stride, None, stride)
        try:  # a function that draws at random, or remembers, differs here too; the calls below tell which
            if almost_equal(outcome[sample], apply(sample)):
                return outcome
        except InputError:
            pass
    with _same_random_numbers():
        again = apply(full)
    if not almost_equal(outcome, again):
        raise InputError(
            f"'{name}' must give the same twice, but it keeps something from call to call: all that it keeps belongs "
            f"in the state, which it takes and gives (buffers through torch.func.functional_call). "
            f"Got another at t = {t}."
        )
    if not almost_equal(outcome, apply(full)):
        raise InputError(f"'{name}' must give the same twice (module.eval() ends dropout). Got another at t = {t}.")
    if not (almost_equal(outcome[even], apply(even)) and almost_equal(outcome[odd], apply(odd))):
        raise InputError(
            f"'{name}' must take each sequence on its own (module.eval() ends batch statistics). "
            f"Got others without every second sequence, at t = {t}."
        )
    return outcome


@contextmanager
def _same_random_numbers() -> Iterator[None]:
    """Give the block the same random numbers each time, and leave the generators as they were before it."""
    python, numpy = random.getstate(), np.random.get_state()
    with torch.random.fork_rng(devices=range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []):
        if torch.cuda.is_initialized() or torch.backends.mps.is_available():
            torch.manual_seed(0)
        else:  # without a device in use `torch.manual_seed` keeps a stack trace for it at each call
            torch.default_generator.manual_seed(0)
        np.random.seed(0)
        random.seed(0)
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(numpy)


def says_types(error: BaseException) -> bool:
    """True if torch complains of tensors of different types."""
    return any(kind in str(error) for kind in ("dtype", "scalar type"))


def _call_or_refuse(name: str, function: Callable[..., object], rows: Mapping[str, Tensor]) -> object:
    try:
        return _call_with_copies(function, *rows.values())
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        took = ", ".join(f"{label} {tuple(tensor.shape)}" for label, tensor in rows.items())
        of = str(next(iter(rows.values())).dtype).removeprefix("torch.")
        single = ", or set precision='single'" if of == "float64" else ""
        hint = f" (convert its weights to {of}{single})" if says_types(error) else ""
        raise InputError(f"'{name}' must take {of} {took}{hint}. Got {in_one_line(error)}") from error


def _call_with_copies(function: Callable[..., Any], *arguments: Any) -> Any:
    """Outcome of a function that takes copies, with gradients on: it may change the copies, and differentiate."""
    with torch.enable_grad():
        copies = [
            {name: tensor.clone() for name, tensor in argument.items()}
            if isinstance(argument, dict)
            else argument.clone()
            for argument in arguments
        ]
        outcome = function(*copies)
    return outcome.detach() if isinstance(outcome, Tensor) and not torch.is_grad_enabled() else outcome


def almost_equal(first: Tensor, second: Tensor) -> bool:
    """True if two outcomes differ by rounding alone."""
    return bool((first - second).abs().max() <= TOLERANCE * first.abs().max())


def _check_derivatives(
    network: "FunctionNetwork", theta: Parameters, x: Tensor, states: Sequence[Tensor], probe: str
) -> None:
    """Raise `InputError` unless derivatives of s and ŷ at the last states are finite and not all 0.

    Two steps are tried together: a truncation may cut the gradient off at one of them, and that is to be measured.
    """
    cell = network.cell
    few = slice(0, FEW * FEW)
    state = torch.cat([at_step[few] for at_step in states])
    inputs = torch.cat([x[few, -back] for back in range(len(states), 0, -1)])
    steps = cell.linearize(theta, state, inputs)
    covector = torch.from_numpy(numpy_generator(0, 0, "covector").standard_normal(tuple(state.shape)))
    with torch.no_grad():
        after = cell.step(theta, state, inputs)
    if cell.diagonal is not None:
        automatic = replace(cell, diagonal=None).linearize(theta, state, inputs)
        actual, expected = (linearization.diagonals() for linearization in (steps, automatic))
        agree = almost_equal(actual.retention + actual.mixing, expected.retention + expected.mixing)
        if isinstance(cell.diagonal, Formulas):
            agree = agree and almost_equal(steps.pull_back(covector), automatic.pull_back(covector))
            unpatched = "torch's own, which no hook or patch changes (diagonal=None measures it as it is)"
            require(agree, "step of the module", unpatched, "other derivatives")
        require(agree, "diagonal", "the diagonal of the Jacobian of step", "another")
    derivatives: dict[str, tuple[str, Callable[[], Tensor]]] = {
        "its state": ("step", lambda: steps.pull_back(covector)),
        "its parameters (torch.func.functional_call)": (
            "step",
            lambda: torch.cat([tensor.flatten() for tensor in steps.gradient(covector).values()]),
        ),
        "the state": ("readout", lambda: network.readout_gradient(theta, after, network.some_signal(len(after)))),
    }
    if probe == "random":
        w = {name: torch.ones_like(tensor) for name, tensor in theta.items()}
        derivatives["directions of its parameters"] = "step", lambda: 1 + steps.along_parameters(w).square()
    for of, (name, derivative) in derivatives.items():
        try:
            values = derivative()
        except (Exception, SystemExit) as error:
            hint = _gradient_hint(error)
            raise InputError(
                f"'{name}' must be differentiable by torch.autograd.grad{hint}. Got {in_one_line(error)}"
            ) from error
        if not torch.isfinite(values).all() or not values.any():
            kind = "0" if torch.isfinite(values).all() else "not finite"
            hint = " (not detached, left out or saturated)" if kind == "0" and of == "its state" else ""
            raise InputError(f"'{name}' must be differentiable in {of}{hint}. Got a derivative that is {kind}.")


def _check_steps_apart(
    cell: "FunctionCell", theta: Parameters, x: Tensor, few_states: Sequence[Float[Tensor, "few state"]]
) -> None:
    """Raise `InputError` if the derivative of a step depends on which other steps are differentiated with it."""
    if isinstance(cell.diagonal, Formulas):
        return
    rows, after_first = len(few_states[0]), few_states[1:]  # nothing goes back through the first step to s_0
    state, inputs = torch.cat([*after_first]), x[:rows, 1:].transpose(0, 1).flatten(0, 1)
    covector = torch.from_numpy(numpy_generator(0, 0, "covector").standard_normal(tuple(state.shape)))
    together = cell.linearize(theta, state, inputs).pull_back(covector)
    parts = zip(*(tensor.split(rows) for tensor in (state, inputs, covector)), strict=True)
    apart = torch.cat([cell.linearize(theta, s, step_x).pull_back(v) for s, step_x, v in parts])
    differs = ((together - apart).abs() > TOLERANCE * apart.abs().max()).view(len(after_first), -1).any(1)
    if differs.any():
        raise InputError(
            "'step' must treat each row on its own, for rows of several steps are differentiated together (what one "
            "row decides, as a counter that `.item()` reads, holds for all of them: torch.where decides by row). Got "
            f"another derivative at t = {2 + int(differs.int().argmax())}."
        )


def _gradient_hint(error: BaseException) -> str:
    """Hint for a gradient that torch cannot take, from its error message."""
    message = str(error)
    if "modified by an inplace operation" in message:
        return " (a tensor is changed in place after its use: clone it before)"
    if "second time" in message:
        return " (what a module keeps from call to call belongs in the state)"
    if "numpy()" in message:
        return " (NumPy hides it: torch.autograd.Function can say what its gradient is)"
    return ""


def _row_bytes(cell: "FunctionCell", state: Tensor, x: Tensor) -> int:
    """Memory that a row takes while the step is differentiated."""
    rows = state[:FEW], x[:FEW, -1]
    return row_bytes_of(lambda s, inputs: cell.step(cell.parameters, s, inputs), *rows) if len(state) >= FEW else 1


def _backward_rows(x: Tensor, cell: "FunctionCell", requests: Sequence[Request]) -> int:
    """Number of rows that go backward through the step: sequences times t, for each covector."""
    (sequences, time, _), size = x.shape, cell.state_size
    lags = list(requests[0].lags)
    crossings = sum(time - distance for distance in range(1, lags[-1] + 1))
    rows: float = 0 if cell.diagonal else time * size  # all diagonals
    options = requests[0].options
    if options.probe == "own_gradient":
        numbers = sum(parameter.numel() for parameter in cell.parameters.values())
        _, kept_count = OwnEngine.kept(8 * ((len(lags) + 1) * numbers + len(lags)), sequences)
        sweeps = 2 - kept_count / sequences
        rows += (time - 1) * (1 if OwnEngine.keeps_wholes(sequences * time * size) else sweeps * len(requests))
        for request in requests:
            exact = request.options.transport == "exact"
            rows += sweeps * (exact * crossings + (len(lags) + 1) * time)
    else:
        passes = [2 if request.per_unit else 1 for request in requests]
        kinds = len({"total" for _ in requests if options.noise == "total" or options.parameter_jacobian == "total"})
        rows += max(passes) * time * options.directions * 2 * (1 + 2 * kinds)
        rows += max(passes) * crossings + max(passes) * time * size
    return round(sequences * rows) + min(sequences, PRODUCT_SEQUENCES) * lags[-1] * size


@dataclass(frozen=True)
class FunctionCell(Cell):
    """A cell given as a function; the whole state counts as hidden units.

    Args:
        block_bytes, row_bytes, add_rows: of `AutomaticLinearization`.
        place, diagonal: of `measure_step`.
    """

    function: Step
    retention: Retention | None
    parameters: Parameters
    block_bytes: int = BLOCK_BYTES
    place: Place = field(default_factory=Place)
    diagonal: Retention | None = None
    row_bytes: int = 0
    add_rows: Callable[[int], None] | None = None

    def initial_parameters(self, root_seed: int, seed: int) -> Parameters:
        return self.parameters

    def step(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor:
        try:
            after = self.place.call(self.function, parameters, state, inputs)
            return after.reshape(state.shape)  # lest one row be squeezed
        except (Exception, SystemExit) as error:
            if not self.row_bytes:  # while it is looked at
                raise
            shape = tuple(state.shape)
            raise InputError(
                f"'step' must take states of {shape}, as it took others. Got {in_one_line(error)}"
            ) from error

    def retained(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Tensor | None:
        if self.retention is None:
            return None
        return self.place.call(self.retention, parameters, state, inputs).detach()

    def linearize(self, parameters: Parameters, state: Tensor, inputs: Tensor) -> Linearization:
        rescales = self.place.dtype != torch.float64
        arguments = (self, parameters, state, inputs, self.block_bytes, self.row_bytes, self.add_rows, rescales)
        if self.diagonal is None:
            return AutomaticLinearization(*arguments)
        return (ByFormula if isinstance(self.diagonal, Formulas) else KnownDiagonal)(*arguments)


class KnownDiagonal(AutomaticLinearization):
    """A step whose Jacobian has a diagonal by formula, and all else by automatic differentiation."""

    cell: FunctionCell

    def _diagonal(self, state: Tensor, inputs: Tensor) -> Tensor:
        assert self.cell.diagonal is not None
        return self.cell.place.call(self.cell.diagonal, self.parameters, state, inputs).detach()


class ByFormula(KnownDiagonal):
    """A step of which vᵀ ∂s_t/∂s_{t-1} and vᵀ ∂s_t/∂θ are known by formula too."""

    def pull_back_rows(self, covectors: Tensor) -> Tensor:
        together = max(1, self._together(self.state, self.inputs) // covectors.shape[1])
        parts = zip(*(tensor.split(together) for tensor in (self.state, self.inputs, covectors)), strict=True)
        return torch.cat([self._pulled_back(self._at(state, x), block) for state, x, block in parts])

    def _back(self, state: Tensor, inputs: Tensor, of_state: bool = True) -> Callable[..., Tensor]:
        if not of_state:
            return super()._back(state, inputs, of_state)
        derivatives = self._at(state, inputs)
        return lambda covector, rows=None: self._pulled_back(derivatives, covector[:, None], rows)[:, 0]

    def _pulled_back(self, derivatives: StepDerivatives, covectors: Tensor, rows: int | None = None) -> Tensor:
        """vᵀ ∂s_t/∂s_{t-1} of several covectors at each point."""
        self._count(covectors.shape[0] * covectors.shape[1] if rows is None else rows)
        if not self.rescales:
            return derivatives.pull_back(covectors)
        size = covectors.abs().amax(-1, keepdim=True)
        size = size.where(size > 0, 1)
        return size * derivatives.pull_back(self.cell.place.take(covectors / size)).to("cpu", torch.float64)

    def write_gradients(self, covectors: Tensor, names: Sequence[str], result: Tensor) -> None:
        sums, size = result, torch.ones(())
        if self.rescales:
            size = torch.linalg.vector_norm(covectors, torch.inf, (1, 2), keepdim=True)
            size = size.where(size > 0, 1)
            covectors, sums = covectors / size, self.cell.place.take(torch.empty_like(result))
        points = zip(*(tensor.split(BLOCK_ROWS) for tensor in (self.state, self.inputs)), strict=True)
        for number, (state, inputs) in enumerate(points):
            start = number * BLOCK_ROWS
            part = self.cell.place.take(covectors[:, start : start + len(state)])
            derivatives = self._all_derivatives if len(state) == len(self.state) else self._at(state, inputs)
            derivatives.add_gradient(part, sums, number == 0)
            self._count(part.shape[0] * part.shape[1])
        if self.rescales:
            result.copy_(sums).mul_(size[..., 0])

    @cached_property
    def _all_derivatives(self) -> StepDerivatives:
        return self._at(self.state, self.inputs)

    def _at(self, state: Tensor, inputs: Tensor) -> StepDerivatives:
        assert isinstance(self.cell.diagonal, Formulas)
        take = self.cell.place.take
        return self.cell.diagonal.at(take(self.parameters), take(state), take(inputs))

    def _count(self, rows: int) -> None:
        if self.add_rows is not None:
            self.add_rows(rows)


@dataclass(frozen=True)
class FunctionNetwork(Network):
    """A cell with a readout given as a function.

    Args:
        row_bytes: memory of a row while the readout is differentiated; 0: as a trial finds each time.
    """

    cell: FunctionCell
    readout: Readout = field(kw_only=True)
    row_bytes: int = 0

    def predict(self, parameters: Parameters, states: Tensor) -> Tensor:
        call = partial(self.cell.place.call, self.readout)
        parts = [call(rows).reshape(len(rows), *self._outputs) for rows in self._blocks(states)]
        return torch.cat(parts).view(*states.shape[:-1], *self._outputs)

    def readout_gradient(self, parameters: Parameters, states: Tensor, signal: Tensor | None = None) -> Tensor:
        parts, start = [], 0
        for rows in self._blocks(states):
            with torch.enable_grad():
                leaf = rows.detach().requires_grad_()
                predictions = self.cell.place.call(self.readout, leaf).reshape(len(rows), *self._outputs)
            covector = torch.ones_like(predictions)
            if signal is not None:
                covector = signal.reshape(-1, *self._outputs)[start : start + len(rows)]
            start += len(rows)
            gradient = torch.zeros_like(leaf)
            if predictions.requires_grad:
                options: dict[str, Any] = {"allow_unused": True, "materialize_grads": True}
                with torch.enable_grad():
                    (gradient,) = torch.autograd.grad((predictions * covector).sum(), leaf, **options)
            parts.append(gradient.detach())
        return torch.cat(parts).view(states.shape)

    @property
    def _outputs(self) -> tuple[int, ...]:
        return (self.outputs,) if self.outputs else ()

    def some_signal(self, rows: int) -> Tensor | None:
        """A random signal over the outputs to try a derivative with; None if the readout gives one number."""
        if not self.outputs:
            return None
        return torch.from_numpy(numpy_generator(0, 0, "signal").standard_normal((rows, self.outputs)))

    def tried_bytes(self, rows: Tensor) -> int:
        """Memory that a row takes while the readout is differentiated."""
        return row_bytes_of(partial(self.cell.place.call, self.readout), rows[:FEW]) if len(rows) >= FEW else 1

    def _blocks(self, states: Tensor) -> Sequence[Tensor]:
        """States whose predictions are made together."""
        rows = states.reshape(-1, states.shape[-1])
        row_bytes = (self.row_bytes or self.tried_bytes(rows)) if len(rows) >= FEW else 1
        return rows.tensor_split(max(1, -(-len(rows) // items_within(row_bytes, self.cell.block_bytes))))


class OwnEngine(TorchEngine):
    """Keeps states and diagonals of Jacobians, which everything starts from, and refuses what is not finite.

    Args:
        sequence_bytes: memory that all steps of a sequence take while they are differentiated.
        states: numbers in states of all sequences at all t.
    """

    kept_bytes = 3 * 2**29

    def __init__(self, block_bytes: int, sequence_bytes: int, states: int) -> None:
        super().__init__(block_bytes)
        self._states = states
        self._sequence_bytes = sequence_bytes
        self._kept: list[Trajectory] | None = None
        self._gradient_space = torch.empty(0)
        self._wholes: dict[str, Tensor] = {}

    @classmethod
    def kept(cls, double_bytes: int, count: int) -> tuple[torch.dtype, int]:
        precisions = torch.float64, torch.float32, torch.float16
        numbers = [min(count, (cls.kept_bytes << halvings) // double_bytes) for halvings in range(len(precisions))]
        best = numbers.index(count) if count in numbers else -1
        return precisions[best], numbers[best]

    @classmethod
    def keeps_wholes(cls, states: int) -> bool:
        """True if whole gradients by so many numbers in states of all sequences are kept."""
        return 8 * states <= cls.kept_bytes // 6

    def _whole(self, steps: Linearization, error_signal: Tensor) -> Tensor:
        """The whole gradient is exact whichever the transport, so that it is made once for all passes."""
        if not self.keeps_wholes(self._states):
            return super()._whole(steps, error_signal)
        digest = blake2b(error_signal.contiguous().numpy().data).hexdigest()
        if digest not in self._wholes:
            self._wholes[digest] = super()._whole(steps, error_signal)
        return self._wholes[digest]

    def _space(self, like: Tensor, sizes: tuple[int, ...]) -> Tensor:
        """The same for each sequence: to fill memory for the first time takes longer than to fill it again."""
        if self._gradient_space.shape != sizes:
            self._gradient_space = super()._space(like, sizes)
        return self._gradient_space

    def _together(self, sequence_bytes: int) -> int:
        return min(CROSSING_SEQUENCES, items_within(2 * sequence_bytes + self._sequence_bytes, self.block_bytes))

    def trace(
        self,
        cell: Cell,
        parameters: Parameters,
        inputs: Float[Tensor, "sequence time input"],
        directions: Sequence[Parameters] = (),
        kind: str = "immediate",
        diagonals: bool = True,
    ) -> Iterator[Trajectory]:
        if self._kept is not None and not directions and len(inputs) == sum(len(part.inputs) for part in self._kept):
            yield from self._kept
            return
        size = inputs.shape[1] * cell.state_size * 8
        keeps = diagonals and not directions and 3 * size * len(inputs) <= TRACED_BYTES
        trajectories = []
        together = min(SEQUENCES, items_within(size if keeps else 3 * size, self.block_bytes))
        for start in range(0, len(inputs), together):
            x = inputs[start : start + together]
            for part in super().trace(cell, parameters, x, directions, kind, diagonals):
                if diagonals:
                    _require_finite(part.diagonals.mixing[:, 1:] + part.diagonals.retention[:, 1:], "state", 2)
                for projection in part.projected:
                    _require_finite(projection, "state and its parameters", 1)
                trajectory = part._replace(rows=slice(start, start + len(x)))
                if keeps:
                    if not (mixing := part.diagonals.mixing).any():  # as without a retention: one number for all
                        zeros = mixing.new_zeros(()).expand_as(mixing)
                        trajectory = trajectory._replace(diagonals=part.diagonals._replace(mixing=zeros))
                    trajectories.append(trajectory)
                yield trajectory
        if keeps:
            self._kept = trajectories

    def gradients(self, *arguments: Any) -> Iterator[SequenceGradient]:
        lags = arguments[4]
        for gradient in super().gradients(*arguments):
            norms = torch.linalg.vector_norm(gradient.by_lag, dim=-1)  # not finite if squares are not
            if not torch.isfinite(torch.linalg.vector_norm(gradient.whole) + norms.sum()):
                ends = torch.isfinite(norms).all(0)
                at = f"at lag {lags[int(ends.int().argmin())]}" if not ends.all() else "over all lags"
                raise InputError(f"'lags' and 'targets' must keep squares of gradients within float64. Got more {at}.")
            yield gradient


def _require_finite(derivative: Float[Tensor, "sequence time state"], of: str, first: int) -> None:
    """Raise `InputError` for derivatives at t = `first`, `first` + 1, … that are not finite."""
    finite = torch.isfinite(derivative).all(-1).all(0)
    if not finite.all():
        at = first + int(finite.int().argmin())
        raise InputError(f"'step' must be differentiable in its {of}. Got a derivative that is not finite at t = {at}.")
