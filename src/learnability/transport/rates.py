"""Effective learning rates μ_{t,ℓ} of a frozen network (paper Secs. 4 and 6.1, Appendix B).

    μ_{t,ℓ} = μ (γ⁰_{t,ℓ} + γ¹_{t,ℓ}),      f̂(ℓ) = Σ_q ⟨|μ^{(q)}_{t,ℓ}|⟩     over valid t and sequences

The base rate μ is the optimiser's; here μ = 1, and who needs it multiplies.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
import xarray as xr
from jaxtyping import Float, Float64
from torch import Tensor

from learnability.cells import JacobianDiagonals, Parameters
from learnability.network import Network, run
from learnability.transport.windows import check_lags, windows

FORWARD_CHUNK = 32
"""Sequences run forward at once: wide enough for an efficient matrix product."""
CACHED_NUMBERS = 2**16
"""Numbers a window pass touches at once (0.5 MiB): its working set stays in cache."""
UNIT_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
CONDITION_SEQUENCES = 512
"""Sequences whose last one-step Jacobian J_T is decomposed."""


def effective_learning_rates(
    network: Network,
    parameters: Parameters,
    inputs: Float[Tensor, "sequence time input"],
    lags: Sequence[int],
) -> xr.Dataset:
    """Averages of γ⁰, γ¹ and |γ⁰ + γ¹| over sequences and all t with t - ℓ ≥ 1.

    Returns:
        Dataset over (unit, lag): `zeroth` ⟨γ⁰⟩, `first` ⟨γ¹⟩, `magnitude` ⟨|γ⁰ + γ¹|⟩, dimensionless, and over
        (sequence): `jacobian_condition`, the 2-norm condition number of J_T, for the first sequences.

    Raises:
        InputError: if the lags do not increase strictly within [1, T - 1].
    """
    time = inputs.shape[1]
    check_lags(lags, time - 1)
    sums = torch.zeros(3, len(lags), network.cell.hidden_size, dtype=torch.float64)
    conditions = torch.empty(0, dtype=torch.float64)
    for states, x, _ in forward(network, parameters, inputs):
        if len(conditions) < CONDITION_SEQUENCES:
            last = network.cell.jacobian(parameters, states[:, -2], x[:, -1])
            condition = torch.linalg.cond(last.whole)
            conditions = torch.cat([conditions, condition])[:CONDITION_SEQUENCES]
        for diagonals in cached_blocks(network.cell.jacobian_diagonals(parameters, states[:, :-1], x)):
            for index, (_, window) in enumerate(windows(diagonals, lags)):
                zeroth, first = window.zeroth[:, 1:], window.first[:, 1:]
                for quantity, values in enumerate((zeroth, first, (zeroth + first).abs_())):
                    sums[quantity, index] += values.sum((0, 1))
    counts = len(inputs) * (time - torch.tensor(lags, dtype=torch.float64))
    means = (sums / counts[:, None]).numpy()
    names = ("zeroth", "first", "magnitude")
    described = {"units": "1 (base rate 1)"}
    dataset = xr.Dataset(
        {name: (("lag", "unit"), mean, described) for name, mean in zip(names, means, strict=True)},
        coords={
            "lag": ("lag", np.asarray(lags, dtype=np.int32), {"units": "steps"}),
            "unit": np.arange(network.cell.hidden_size, dtype=np.int32),
        },
    )
    dataset["jacobian_condition"] = ("sequence", conditions.numpy())
    return dataset


def envelope(rates: xr.Dataset) -> xr.DataArray:
    """f̂(ℓ) = Σ_q ⟨|μ^{(q)}_{t,ℓ}|⟩ over (lag), base rate 1 (Sec. 6.1)."""
    return rates["magnitude"].sum("unit")


def envelope_table(rates: xr.Dataset) -> pd.DataFrame:
    """The envelope at each lag, base rate 1.

    Returns:
        A row for each lag: `envelope` f̂(ℓ), `mean_rate` μ̄(ℓ) = f̂(ℓ)/H, and `rate_q05` … `rate_q95`, quantiles over
        units of ⟨|μ^{(q)}_{t,ℓ}|⟩ (Appendix I).
    """
    f, units = envelope(rates), rates.sizes["unit"]
    table = {"lag": rates["lag"].to_numpy(), "envelope": f.to_numpy(), "mean_rate": f.to_numpy() / units}
    for level in UNIT_QUANTILES:
        table[f"rate_q{100 * level:02.0f}"] = rates["magnitude"].quantile(level, "unit").to_numpy()
    return pd.DataFrame(table)


def conditioning_table(rates: xr.Dataset) -> pd.DataFrame:
    """Median and largest 2-norm condition number of the one-step Jacobians in `rates`, one row."""
    conditions = rates["jacobian_condition"].to_numpy()
    return pd.DataFrame(
        {"median": [np.median(conditions)], "largest": [conditions.max()], "jacobians": len(conditions)}
    )


class Chunk(NamedTuple):
    """A few sequences run forward: their states h_0 … h_T, inputs, and rows among all sequences."""

    states: Float64[Tensor, "chunk start_and_time hidden"]
    inputs: Float64[Tensor, "chunk time input"]
    rows: slice


def forward(network: Network, parameters: Parameters, inputs: Float[Tensor, "sequence time input"]) -> Iterator[Chunk]:
    """Run the sequences in chunks, in float64."""
    for start in range(0, len(inputs), FORWARD_CHUNK):
        rows = slice(start, start + FORWARD_CHUNK)
        x = inputs[rows].double()
        yield Chunk(run(network.cell, parameters, x), x, rows)


def cached_blocks(diagonals: JacobianDiagonals) -> Iterator[JacobianDiagonals]:
    """Split over sequences into blocks whose windows stay in cache."""
    _, time, units = diagonals.mixing.shape
    size = max(1, CACHED_NUMBERS // (time * units))
    retentions, mixings = diagonals.retention.split(size), diagonals.mixing.split(size)
    for retention, mixing in zip(retentions, mixings, strict=True):
        yield JacobianDiagonals(retention.contiguous(), mixing)
