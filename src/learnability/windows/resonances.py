"""Resonances of a network, and how many of them make the comb that solves a delayed sum.

To first order about its mean a state follows s_t = ⟨J⟩ s_{t-1} + …, ⟨J⟩ the one-step Jacobian's mean over sequences and
t. An eigenvalue λ of ⟨J⟩ is a resonance: it turns by arg λ / 2π cycles a step, and keeps |λ| of its size.

Where P divides every lag of a delayed sum (Eq. 44), a comb answers at them all: h(ℓ) = g r^{ℓ/P} at multiples of P
and 0 elsewhere, a sum of resonances at k/P cycles a step, k = 0, …, ⌊P/2⌋, its harmonics, all as much damped.
"""

from collections.abc import Mapping
from math import gcd

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float64
from scipy.optimize import minimize_scalar
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.networks.network import run
from learnability.tasks import DelayedSum, Task

NEAR = 0.1
"""Of the distance of two harmonics, within which a resonance is at one."""
KEPT = 0.5
"""Least share of its size that a resonance keeps over P steps to be counted."""
BESIDE = 0.25
"""Of the distance of two harmonics, so far beside each the same is counted, as a control."""
STEPS = 64
"""t whose Jacobians are held at a time."""


def measure_resonances(frozen: Frozen, snapshots: Mapping[int, Parameters], task: Task) -> dict[str, pd.DataFrame]:
    """Resonances of a network at each of its epochs, and how many are harmonics of the task's lags.

    Args:
        frozen: the network and sequences to average over; its own parameters are not used.
        snapshots: parameters by epoch.
        task: of the sequences.

    Returns:
        `resonances`: a row for each `epoch` and eigenvalue λ of ⟨J⟩ with Im λ ≥ 0: `frequency`, cycles a step, in
        [0, ½], `modulus` |λ|, and the `harmonic` k that it is, if any. `harmonics`: a row for each `epoch`: `period` P,
        steps, the largest divisor of all lags; `possible` ⌊P/2⌋ + 1; how many harmonics are `carried`, having a
        resonance, see `harmonic`; how many have one `BESIDE` them; and `comb_loss`, of `comb_loss` with as many.

    Raises:
        InputError: for a task that is no `DelayedSum`, whose lags are known.
    """
    if not isinstance(task, DelayedSum):
        raise InputError(f"'task' must be a DelayedSum, whose lags are known. Got {type(task).__name__}.")
    period = gcd(*task.lags)
    spectra = {epoch: resonances(frozen._replace(parameters=each)) for epoch, each in snapshots.items()}
    found = {epoch: spectrum.assign(harmonic=harmonic(spectrum, period)) for epoch, spectrum in spectra.items()}
    rows = [
        {
            "epoch": epoch,
            "period": period,
            "possible": period // 2 + 1,
            "carried": (carried := spectrum["harmonic"].nunique()),
            "beside": harmonic(spectrum, period, BESIDE).nunique(),
            "comb_loss": comb_loss(task, carried),
        }
        for epoch, spectrum in found.items()
    ]
    joined = pd.concat([spectrum.assign(epoch=epoch) for epoch, spectrum in found.items()], ignore_index=True)
    return {"resonances": joined[["epoch", "frequency", "modulus", "harmonic"]], "harmonics": pd.DataFrame(rows)}


def resonances(frozen: Frozen) -> pd.DataFrame:
    """Eigenvalues of the mean Jacobian with Im λ ≥ 0: `frequency` arg λ / 2π, `modulus` |λ|, by frequency."""
    found = np.linalg.eigvals(mean_jacobian(frozen).numpy())
    upper = found[found.imag >= 0]
    table = pd.DataFrame({"frequency": np.angle(upper) / (2 * np.pi), "modulus": np.abs(upper)})
    return table.sort_values(["frequency", "modulus"], ignore_index=True)


def mean_jacobian(frozen: Frozen) -> Float64[Tensor, "state state"]:
    """⟨J_t⟩ over sequences and t = 1, …, T."""
    network, parameters, x = frozen.network, frozen.parameters, frozen.inputs.double()
    steps = network.cell.linearize(parameters, run(network.cell, parameters, x)[:, :-1], x)
    parts = [steps[:, first : first + STEPS].split().whole.sum((0, 1)) for first in range(0, x.shape[1], STEPS)]
    return torch.stack(parts).sum(0) / (x.shape[0] * x.shape[1])


def harmonic(spectrum: pd.DataFrame, period: int, beside: float = 0.0) -> "pd.Series[float]":
    """k of each resonance within `NEAR` of (k + beside)/P, k = 0, …, ⌊P/2⌋, with |λ|^P ≥ `KEPT`; NaN of any other."""
    place = spectrum["frequency"] * period - beside
    nearest = place.round()
    near = (place - nearest).abs().lt(NEAR) & nearest.between(0, period // 2)
    return nearest.where(near & (spectrum["modulus"] ** period >= KEPT))


def comb_loss(task: DelayedSum, carried: int) -> float:
    """Squared error of the best comb with so many of its harmonics, from k = 0 on.

    A whole comb of teeth g r^m at m P takes C = max_r (Σ_k w_k c_k r^{ℓ_k/P})² / Σ_m w_m r^{2m} off the variance of y,
    w = (T - ℓ)/T, the share of t that have the lag ℓ. Its harmonics are orthogonal and as large: those with k = 0 and
    P/2 hold 1/P of it each, all others 2/P.
    """
    period, time = gcd(*task.lags), task.duration
    weight = 1 - np.arange(0, time, period) / time
    teeth = np.zeros(len(weight))
    teeth[np.asarray(task.lags) // period] = task.coefficients

    def gain(ratio: float) -> float:
        comb = np.where(np.arange(len(weight)) > 0, ratio ** np.arange(len(weight)), 0.0)
        return float((weight @ (comb * teeth)) ** 2 / (weight @ comb**2))

    best = minimize_scalar(lambda ratio: -gain(ratio), bounds=(0, 1), method="bounded")
    share = sum(1 if 2 * k in (0, period) else 2 for k in range(carried)) / period
    return task.noise_sd**2 + float(weight @ teeth**2) - share * gain(best.x)
