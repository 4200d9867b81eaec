"""Exact transport over a window: M_{t,ℓ} = J_t J_{t-1} … J_{t-ℓ+1}, with nothing expanded and nothing dropped.

Two uses. The row vectors v_{t,ℓ} = ρ_tᵀ M_{t,ℓ} obey v_{t,ℓ+1} = v_{t,ℓ} J_{t-ℓ}: one batched product a lag for all t
and sequences, and v_{t,ℓ} B_{t-ℓ} w is all that lag ℓ adds to the derivative of ŷ_t along w (Eqs. 2 and 27). Whole
products M, on a few windows, show what first-order rates keep of them; of an LSTM's, the block from c_{t-ℓ} to h_t.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
import xarray as xr
from jaxtyping import Float, Float64, Int64
from torch import Tensor

from learnability.cells import Cell, Diagonals, Linearization, Parameters
from learnability.core.errors import InputError
from learnability.core.memory import BLOCK_BYTES, items_within
from learnability.core.streams import numpy_generator
from learnability.networks.network import Network, run
from learnability.stats.proportions import Z95
from learnability.transport.engine import Derivatives, Probes, Trajectory
from learnability.transport.windows import Factors, Window, check_lags, windows

PRODUCTS = 6
"""Matrices of a window that are held at a time: its product before and after a step, and its singular values."""


def exact_sums(steps: Linearization, probes: Probes, lags: Sequence[int]) -> Derivatives:
    """D by row vectors.

    Args:
        steps: t = 1, …, T to first order.
        probes: over the state.
    """
    rho, p, signs = probes.gradient, torch.stack([*probes.projected]), probes.signs
    time = rho.shape[1]
    values = rho.new_zeros(*signs.shape[:2], *rho.shape[:2])
    alignment = rho.new_zeros(len(probes.aligned), *signs.shape[1:])
    magnitude = rho.new_zeros(len(lags))
    size = torch.linalg.vector_norm(rho, dim=-1)
    size = size.where(size > 0, torch.inf)
    for index, (lag, v) in enumerate(row_vectors(steps, rho, lags)):
        zeta = v * p[:, :, : time - lag]
        values[:, index, :, lag:] = torch.einsum("pstu,pu->pst", zeta, signs[:, index])
        for pair, (error, probe) in enumerate(probes.aligned):
            alignment[pair, index] = torch.einsum("st,stu->u", probes.errors[error, :, lag:], zeta[probe])
        magnitude[index] = (torch.linalg.vector_norm(v, dim=-1) / size[:, lag:]).sum()
    sums = torch.einsum("est,plst->epls", probes.errors, values)
    return Derivatives(values[: probes.kept], sums, alignment, magnitude)


def row_vectors(
    steps: Linearization, gradient: Float[Tensor, "sequence time state"], lags: Sequence[int]
) -> Iterator[tuple[int, Float[Tensor, "sequence start state"]]]:
    """Yield (ℓ, v_{t,ℓ}) for each lag, of all t > ℓ, by t - ℓ = 1, …, T - ℓ."""
    v, pull_back = gradient, steps.over_time()
    for previous, lag in pairwise([0, *lags]):
        for _ in range(previous, lag):
            v = pull_back(1, v[:, 1:])
        yield lag, v


def whole_gradient(
    steps: Linearization, error_signal: Float[Tensor, "sequence time state"]
) -> Float[Tensor, "sequence time state"]:
    """Σ_{t ≥ s} δ_tᵀ M_{t,t-s}: the gradient of the loss with regard to every s_s."""
    gradient = error_signal.clone()
    for s in range(error_signal.shape[1] - 2, -1, -1):
        gradient[:, s] += steps[:, s + 1].pull_back(gradient[:, s + 1])
    return gradient


def exact_transport(
    network: Network,
    parameters: Parameters,
    inputs: Float[Tensor, "sequence time input"],
    lags: Sequence[int],
    root_seed: int,
    trajectories: Iterable[Trajectory] | None = None,
    block_bytes: int = BLOCK_BYTES,
) -> xr.Dataset:
    """Whole products M_{t,ℓ} of one window a sequence, its end t drawn uniformly beyond the largest lag.

    Args:
        inputs: sequences to use, all of them.
        root_seed: names the stream of t.
        trajectories: trajectories of these sequences with diagonals, if known already.
        block_bytes: memory of the products that are made together.

    Returns:
        Dataset over (lag, unit): `diagonal` ⟨diag M⟩ and `magnitude` ⟨|diag M|⟩ beside `first_order` ⟨|γ⁰ + γ¹|⟩ on the
        same windows and `error` ⟨|diag M - γ⁰ - γ¹|⟩, of a GRU also `reset` ⟨ρ⁰⟩, `reset_retention` ⟨η⁰⟩ and `eq26`
        ⟨|γ⁰ + γ¹ + ρ⁰ + η⁰|⟩; over (lag, sequence): `spectral_norm` ‖M‖₂, `nuclear_norm` ‖M‖_*,
        `condition` ‖M‖₂‖M⁻¹‖₂, `off_diagonal` 1 - ‖diag M‖²/‖M‖_F², `magnitude_sum` and `error_sum`, Σ_q of one
        window; over (lag, rank): `singular_value`, means of them in falling order. Dimensionless, base rate 1.

    Raises:
        InputError: if the lags do not increase strictly within [1, T - 1], or if a product is beyond float64.
    """
    count, time, _ = inputs.shape
    check_lags(lags, time - 1)
    cell, length = network.cell, lags[-1]
    ends = numpy_generator(root_seed, 0, "windows").integers(length + 1, time + 1, count)
    first = torch.from_numpy(ends)[:, None] + torch.arange(-length, 0)  # entries of the window's steps, from 0
    together = items_within(PRODUCTS * 8 * cell.state_size**2, block_bytes)
    parts: list[_Products] = []
    for states, x, diagonals, at in _windowed(cell, parameters, inputs.double(), first, trajectories, together):
        steps = cell.linearize(parameters, states, x)
        diagonals = steps.diagonals() if diagonals is None else diagonals
        parts.append(_products(cell, steps, windows(Factors.of(diagonals), lags, torch.tensor([length])), lags, at))
    by_unit = {name: torch.stack([part.by_unit[name] for part in parts]).sum(0) / count for name in parts[0].by_unit}
    singular = torch.cat([part.singular for part in parts], 1)
    by_window = {
        "spectral_norm": singular[..., 0],
        "nuclear_norm": singular.sum(-1),
        "condition": singular[..., 0] / singular[..., -1],
        **{name: torch.cat([part.by_window[name] for part in parts], 1) for name in parts[0].by_window},
    }
    return xr.Dataset(
        {
            **{name: (("lag", "unit"), values.numpy()) for name, values in by_unit.items()},
            **{name: (("lag", "sequence"), values.numpy()) for name, values in by_window.items()},
            "singular_value": (("lag", "rank"), singular.mean(1).numpy()),
            "end": ("sequence", ends.astype(np.int32), {"units": "steps"}),
        },
        coords={"lag": ("lag", np.asarray(lags, dtype=np.int32), {"units": "steps"})},
        attrs={"units": "1 (base rate 1)"},
    )


class _Products(NamedTuple):
    """Products of a block of windows: their sums, and values of each window."""

    by_unit: dict[str, Float64[Tensor, "lag unit"]]
    by_window: dict[str, Float64[Tensor, "lag window"]]
    singular: Float64[Tensor, "lag window rank"]


def _windowed(
    cell: Cell,
    parameters: Parameters,
    inputs: Float64[Tensor, "sequence time input"],
    first: Int64[Tensor, "sequence step"],
    trajectories: Iterable[Trajectory] | None,
    together: int,
) -> Iterator[tuple[Tensor, Tensor, Diagonals | None, slice]]:
    """States, inputs and, if known, diagonals along windows of some sequences at a time, and the slice of these."""
    for part in [None] if trajectories is None else trajectories:
        start = 0 if part is None else part.rows.start
        x = inputs if part is None else part.inputs
        for begin in range(0, len(x), together):
            block = slice(begin, begin + together)
            states = run(cell, parameters, x[block]) if part is None else part.states[block]
            at = slice(start + begin, start + min(begin + together, len(x)))
            steps, rows = first[at], torch.arange(len(states))[:, None]
            diagonals = None
            if part is not None:
                by_name = {
                    name: diagonal[block] for name, diagonal in part.diagonals._asdict().items() if diagonal is not None
                }
                diagonals = Diagonals(**{name: diagonal[rows, steps] for name, diagonal in by_name.items()})
            yield states[rows, steps], x[block][rows, steps], diagonals, at


def _products(
    cell: Cell, steps: Linearization, first_order: Iterator[tuple[int, Window]], lags: Sequence[int], at: slice
) -> _Products:
    """Products over windows of steps, beside the rates of these."""
    count, length = at.stop - at.start, lags[-1]
    product = torch.eye(cell.state_size, dtype=torch.float64).expand(count, -1, -1)
    by_unit: dict[str, list[Tensor]] = defaultdict(list)
    by_window: dict[str, list[Tensor]] = defaultdict(list)
    singular = []
    for (lag, window), previous in zip(first_order, [0, *lags], strict=False):
        for back in range(previous + 1, lag + 1):
            product = steps[:, length - back].pull_back_rows(product)
        if not torch.isfinite(product).all():
            raise InputError(f"'lags' must be such that gradients stay within float64. Got more at lag {lag}.")
        block = _block(cell, product)
        by_name = _by_unit(block.diagonal(dim1=-2, dim2=-1), window)
        for name, values in by_name.items():
            by_unit[name].append(values.sum(0))
        diagonal_share = block.diagonal(dim1=-2, dim2=-1).square().sum(-1) / block.square().sum((-2, -1))
        by_window["off_diagonal"].append(1 - diagonal_share)
        by_window["magnitude_sum"].append(by_name["magnitude"].sum(-1))
        by_window["error_sum"].append(by_name["error"].sum(-1))
        singular.append(torch.linalg.svdvals(block))
    return _Products(
        {name: torch.stack(values) for name, values in by_unit.items()},
        {name: torch.stack(values) for name, values in by_window.items()},
        torch.stack(singular),
    )


def _by_unit(diagonal: Float64[Tensor, "sequence unit"], window: Window) -> dict[str, Tensor]:
    """diag M, and beside it the rates of the same windows."""
    strict = window.strict[:, 0]
    quantities = {
        "diagonal": diagonal,
        "magnitude": diagonal.abs(),
        "first_order": strict.abs(),
        "error": (diagonal - strict).abs(),
    }
    if window.reset is None:
        return quantities
    rates = {"reset": window.reset, "reset_retention": window.reset_retention, "eq26": window.rates.abs()}
    return quantities | {name: rate[:, 0] for name, rate in rates.items()}


def _block(cell: Cell, product: Tensor) -> Tensor:
    """The part of M from the memory at t - ℓ to h_t."""
    return cell.memory(cell.output(product.mT).mT)


def exact_table(exact: xr.Dataset) -> pd.DataFrame:
    """Table of exact and first-order transport, a row for each lag.

    Returns:
        * `exact` Σ_q ⟨|diag M|⟩ and, on the same windows, `first_order` Σ_q ⟨|γ⁰ + γ¹|⟩;
        * `relative_error` Σ_q ⟨|diag M - γ⁰ - γ¹|⟩ / `exact`, and the ends of its 95 % interval over windows, which are
          of independent sequences, `relative_error_low` and `relative_error_high`: the error of a ratio of means to
          first order, NaN for a single window;
        * means over windows of `spectral_norm`, `nuclear_norm` and `off_diagonal`, and the median `condition`;
        * for a GRU also sums over units of `reset`, `reset_retention` and `eq26`.
    """
    totals = {str(name): values.sum("unit").to_numpy() for name, values in exact.items() if "unit" in values.dims}
    means = {
        name: exact[name].mean("sequence").to_numpy() for name in ("spectral_norm", "nuclear_norm", "off_diagonal")
    }
    relative_error = exact["error_sum"].mean("sequence") / exact["magnitude_sum"].mean("sequence")
    residual = (exact["error_sum"] - relative_error * exact["magnitude_sum"]).std("sequence", ddof=1)
    half = Z95 * residual / exact["magnitude_sum"].mean("sequence") / np.sqrt(exact.sizes["sequence"])
    return pd.DataFrame(
        {
            "lag": exact["lag"].to_numpy(),
            "exact": totals["magnitude"],
            "first_order": totals["first_order"],
            "relative_error": relative_error.to_numpy(),
            "relative_error_low": np.maximum(relative_error - half, 0).to_numpy(),
            "relative_error_high": (relative_error + half).to_numpy(),
            **means,
            "condition": exact["condition"].median("sequence").to_numpy(),
            **{name: values for name, values in totals.items() if name in ("reset", "reset_retention", "eq26")},
        }
    )
