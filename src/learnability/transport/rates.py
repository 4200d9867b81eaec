"""Effective learning rates μ_{t,ℓ} of a frozen network (paper Secs. 4 and 6.1, Appendix B).

    μ_{t,ℓ} = μ (γ⁰_{t,ℓ} + γ¹_{t,ℓ}),      f̂(ℓ) = Σ_q ⟨|μ^{(q)}_{t,ℓ}|⟩     over valid t and sequences

The base rate μ is the optimiser's; here μ = 1, and who needs it multiplies. The GRU's rates exist twice: `strict`, as
for every cell, and with ρ⁰ + η⁰ added, as in the paper's Eq. 26 (see windows.py).
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch
import xarray as xr
from jaxtyping import Float
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import require_one_of
from learnability.networks.network import Network
from learnability.stats.fits import fit_envelope, time_scale_spectrum
from learnability.transport.engine import Engine
from learnability.transport.windows import check_lags

GRU_RATES = ("strict", "eq26")
QUANTITIES = ("zeroth", "first", "magnitude", "reset", "reset_retention", "magnitude_eq26")
"""Quantities in the order of `Engine.rates`; the last three with a reset gate."""
UNIT_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
CONDITION_SEQUENCES = 512
"""Sequences whose last one-step Jacobian J_T is decomposed."""


def effective_learning_rates(
    network: Network,
    parameters: Parameters,
    inputs: Float[Tensor, "sequence time input"],
    lags: Sequence[int],
    engine: Engine,
    conditions: bool = True,
) -> xr.Dataset:
    """Averages of γ⁰, γ¹ and |γ⁰ + γ¹| over sequences and all t with t - ℓ ≥ 1.

    Args:
        conditions: True adds `jacobian_condition`, which takes whole Jacobians.

    Returns:
        Dataset over (unit, lag): `zeroth` ⟨γ⁰⟩, `first` ⟨γ¹⟩, `magnitude` ⟨|γ⁰ + γ¹|⟩, of a GRU also `reset` ⟨ρ⁰⟩,
        `reset_retention` ⟨η⁰⟩ and `magnitude_eq26` ⟨|γ⁰ + γ¹ + ρ⁰ + η⁰|⟩, dimensionless, and over (sequence):
        `jacobian_condition`, the 2-norm condition number of J_T, for the first sequences.

    Raises:
        InputError: if the lags do not increase strictly within [1, T - 1].
    """
    time = inputs.shape[1]
    check_lags(lags, time - 1)
    condition_numbers, parts = torch.empty(0, dtype=torch.float64), []
    for _, x, states, diagonals, _ in engine.trace(network.cell, parameters, inputs):
        if conditions and len(condition_numbers) < CONDITION_SEQUENCES:
            last = network.cell.linearize(parameters, states[:, -2], x[:, -1])
            condition_numbers = torch.cat([condition_numbers, torch.linalg.cond(last.split().whole)])[
                :CONDITION_SEQUENCES
            ]
        parts.append(engine.rates(diagonals, lags))
    counts = len(inputs) * (time - torch.tensor(lags, dtype=torch.float64))
    means = (torch.stack(parts).sum(0) / counts[:, None]).numpy()
    attributes = {"units": "1 (base rate 1)"}
    dataset = xr.Dataset(
        {name: (("lag", "unit"), mean, attributes) for name, mean in zip(QUANTITIES, means, strict=False)},
        coords={
            "lag": ("lag", np.asarray(lags, dtype=np.int32), {"units": "steps"}),
            "unit": np.arange(network.cell.hidden_size, dtype=np.int32),
        },
    )
    if conditions:
        dataset["jacobian_condition"] = ("sequence", condition_numbers.numpy())
    return dataset


def read_rates(rates: xr.Dataset, gru_rates: str) -> xr.Dataset:
    """The rates with `magnitude` as an option of a reading has it, `strict` or `eq26`: the same but for a GRU.

    Raises:
        InputError: for another option.
    """
    require_one_of("gru_rates", gru_rates, GRU_RATES)
    if gru_rates == "strict" or "magnitude_eq26" not in rates:
        return rates
    return rates.assign(magnitude=rates["magnitude_eq26"])


def rate_tables(rates: xr.Dataset) -> dict[str, pd.DataFrame]:
    """Tables of the rates, by lag and by unit.

    Returns:
        `envelope` of `envelope_table`, `fits` of `learnability.stats.fits.fit_envelope` and `spectrum` of
        `time_scale_spectrum`, each with a column `gru_rates`: of a GRU `strict` and `eq26`, of other cells, which have
        one kind, `both`; `conditioning` of `conditioning_table`.
    """
    kinds = GRU_RATES if "magnitude_eq26" in rates else ("both",)
    tables = defaultdict(list)
    for kind in kinds:
        kind_rates = rates if kind == "both" else read_rates(rates, kind)
        lag_table = envelope_table(kind_rates)
        kind_tables = {
            "envelope": lag_table,
            "fits": fit_envelope(lag_table),
            "spectrum": time_scale_spectrum(kind_rates),
        }
        for name, table in kind_tables.items():
            table.insert(0, "gru_rates", kind)
            tables[name].append(table)
    all_tables = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    return all_tables | {"conditioning": conditioning_table(rates)}


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
