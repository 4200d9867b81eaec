"""Resonances of a network, and how many of them make the comb that solves a delayed sum.

To first order about its mean a state follows s_t = ⟨J⟩ s_{t-1} + …, ⟨J⟩ the one-step Jacobian's mean over sequences and
t. An eigenvalue λ of ⟨J⟩ is a resonance: it turns by arg λ / 2π cycles a step, and keeps |λ| of its size.

Where P divides every lag of a delayed sum (Eq. 44), a comb answers at them all: h(ℓ) = g r^{ℓ/P} at multiples of P
and 0 elsewhere, a sum of resonances at k/P cycles a step, k = 0, …, ⌊P/2⌋, its harmonics, all as much damped.
Resonances half-way between, at (k + ½)/P cycles, are harmonics of 2P. They change sign from one multiple of P to the
next, and so take from the comb what it answers at odd multiples that are no lags.
"""

from collections.abc import Mapping
from math import gcd

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float64
from scipy.optimize import minimize, minimize_scalar
from torch import Tensor

from learnability.cells import Parameters
from learnability.core.errors import InputError
from learnability.networks.frozen import Frozen
from learnability.networks.network import run
from learnability.tasks import Task
from learnability.tasks.delayed_sum import DelayedSum
from learnability.windows.harmonics import HALF, KEPT, harmonic

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
        [0, ½], `modulus` |λ|, and the `harmonic` k that it is, if any. `harmonics` and `wrong_periods`: see
        `count_harmonics`.

    Raises:
        InputError: for a task that is no `DelayedSum`, whose lags are known.
    """
    if not isinstance(task, DelayedSum):
        raise InputError(f"'task' must be a DelayedSum, whose lags are known. Got {type(task).__name__}.")
    period = gcd(*task.lags)
    spectra = {epoch: resonances(frozen._replace(parameters=parameters)) for epoch, parameters in snapshots.items()}
    table = pd.concat(
        [
            spectrum.assign(epoch=epoch, harmonic=harmonic(spectrum, period, period))
            for epoch, spectrum in spectra.items()
        ],
        ignore_index=True,
    )[["epoch", "frequency", "modulus", "harmonic"]]
    return {"resonances": table, **count_harmonics(table, task)}


def count_harmonics(spectra: pd.DataFrame, task: DelayedSum) -> dict[str, pd.DataFrame]:
    """Resonances at harmonics of the lags' largest divisor P, half-way between, and at harmonics of wrong periods.

    Args:
        spectra: `frequency` and `modulus` of resonances by `epoch`.
        task: whose lags are known.

    Returns:
        `harmonics`: a row for each `epoch`: `period` P, steps; `possible` ⌊P/2⌋ + 1; how many harmonics are `carried`,
        having a resonance, see `harmonic`; `places_between`, ⌈P/2⌉, and how many of them have one, `between`; `kept`,
        resonances that keep `KEPT` over P steps, wherever they lie; `comb_loss` with as many harmonics, and
        `comb_and_between_loss` with as many half-way between, too.
        `wrong_periods`: a row for each `epoch` and `period` of `wrong_periods`, with the `possible` and the `carried`
        harmonics of that period. What a resonance keeps is still taken over P steps: only its place is compared.
    """
    period = gcd(*task.lags)
    rows, wrong = [], []
    for epoch, spectrum in spectra.groupby("epoch", sort=False):
        harmonics = harmonic(spectrum, period, period).nunique()
        between = harmonic(spectrum, period, period, HALF).nunique()
        rows.append(
            {
                "epoch": epoch,
                "period": period,
                "possible": period // 2 + 1,
                "carried": harmonics,
                "places_between": (period + 1) // 2,
                "between": between,
                "kept": int((spectrum["modulus"] ** period >= KEPT).sum()),
                "comb_loss": comb_loss(task, harmonics),
                "comb_and_between_loss": comb_loss(task, harmonics, between),
            }
        )
        wrong += [
            {
                "epoch": epoch,
                "period": wrong_period,
                "possible": wrong_period // 2 + 1,
                "carried": harmonic(spectrum, wrong_period, period).nunique(),
            }
            for wrong_period in wrong_periods(period)
        ]
    columns = ["epoch", "period", "possible", "carried"]
    return {"harmonics": pd.DataFrame(rows), "wrong_periods": pd.DataFrame(wrong, columns=columns)}


def wrong_periods(period: int) -> list[int]:
    """Periods that do not divide the lags as P does, as a control: P - 1, P + 1, ¾ P and 2P; none below 2 steps."""
    near = {period - 1, period + 1, 3 * period // 4, 2 * period} - {period}
    return sorted(candidate for candidate in near if candidate >= 2 and period > 1)


def resonances(frozen: Frozen) -> pd.DataFrame:
    """Eigenvalues of the mean Jacobian with Im λ ≥ 0: `frequency` arg λ / 2π, `modulus` |λ|, by frequency."""
    eigenvalues = np.linalg.eigvals(mean_jacobian(frozen).numpy())
    upper = eigenvalues[eigenvalues.imag >= 0]
    table = pd.DataFrame({"frequency": np.angle(upper) / (2 * np.pi), "modulus": np.abs(upper)})
    return table.sort_values(["frequency", "modulus"], ignore_index=True)


def mean_jacobian(frozen: Frozen) -> Float64[Tensor, "state state"]:
    """⟨J_t⟩ over sequences and t = 1, …, T."""
    network, parameters, x = frozen.network, frozen.parameters, frozen.inputs.double()
    steps = network.cell.linearize(parameters, run(network.cell, parameters, x)[:, :-1], x)
    parts = [steps[:, first : first + STEPS].split().whole.sum((0, 1)) for first in range(0, x.shape[1], STEPS)]
    return torch.stack(parts).sum(0) / (x.shape[0] * x.shape[1])


def comb_loss(task: DelayedSum, carried: int, between: int = 0) -> float:
    """Squared error of the best geometric comb with so many of its harmonics, from k = 0 on, and so many between them.

    Teeth g r^m at m P, all of them, take C = max_r (Σ_k w_k c_k r^{ℓ_k/P})² / Σ_m w_m r^{2m} off the variance of y,
    w = (T - ℓ)/T, the share of t that have the lag ℓ. Harmonics are orthogonal and as large: those with k = 0 and P/2
    hold 1/P of it each, all others 2/P. All half-integer resonances together add g' (-s)^m to the teeth; the best teeth
    of both kinds take D ≥ C off, and each half-integer resonance, as large as others, 2/P of D - C.

    A lower loss is possible: teeth need not fall geometrically. Where they fall fast, harmonics are not quite
    orthogonal, so that the parts are approximate.
    """
    period, time = gcd(*task.lags), task.duration
    weight = 1 - np.arange(0, time, period) / time
    teeth = np.zeros(len(weight))
    teeth[np.asarray(task.lags) // period] = task.coefficients

    def gain(*ratios: float) -> float:
        tooth = np.arange(len(weight))
        combs = np.stack([np.where(tooth > 0, ratio**tooth, 0.0) for ratio in ratios], axis=1)
        overlap = combs.T @ (weight * teeth)
        return float(overlap @ np.linalg.lstsq(combs.T @ (weight[:, None] * combs), overlap, rcond=None)[0])

    best = minimize_scalar(lambda ratio: -gain(ratio), bounds=(0, 1), method="bounded").x
    of_comb = gain(best)
    reduction = sum(_part(k, period) for k in range(carried)) * of_comb
    if between:
        optimum = minimize(lambda ratios: -gain(ratios[0], -ratios[1]), [best, best], bounds=[(0, 1)] * 2)
        reduction += sum(_part(k + HALF, period) for k in range(between)) * max(-optimum.fun - of_comb, 0)
    return task.noise_sd**2 + float(weight @ teeth**2) - reduction


def _part(place: float, period: int) -> float:
    """Share of a comb in one resonance at `place` cycles in P steps: 2/P, or 1/P at 0 and ½ cycles a step."""
    return (1 if 2 * place in (0, period) else 2) / period
