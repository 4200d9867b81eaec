"""Appendix F: Lemma 5.1, f does not rise with the lag.

The lemma bounds f by Σ_q (γ⁰ + |γ¹|) and calls f nonincreasing because the bound is; and a longer lag adds a new term
to γ¹, which the proof leaves out. With constant a and d of one unit, γ⁰ + γ¹ = a^ℓ (1 + ℓ d/a):

    d > 0    rises from ℓ to ℓ+1 where d (a - ℓ(1-a)) > a (1-a): from lag 1 on only if a > 1/2 and d > a(1-a)/(2a-1)
    d < 0    falls to 0 at ℓ = a/|d|, then its magnitude rises
"""

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float64
from torch import Tensor

from learnability.cells import GATED, Cell, Parameters
from learnability.transport import Factors, windows
from studies.learnability_window.theory.random_networks import random_cell, random_trajectory

SEQUENCES, TIME = 4, 192
LARGEST_LAG = 64
RANDOM_NETWORKS = 5
GATES = (0.5, 0.05)
"""About which the gates of random networks lie."""


def constant_window(retention: float, mixing: float, lag: int) -> float:
    """|γ⁰ + γ¹| = a^ℓ |1 + ℓ d/a| of a unit with constant a > 0 and d."""
    return retention**lag * abs(1 + lag * mixing / retention)


def rises(retention: float, mixing: float, lag: int) -> bool:
    """True if `constant_window` rises from ℓ to ℓ+1, for d ≥ 0."""
    return mixing * (retention - lag * (1 - retention)) > retention * (1 - retention)


def monotonicity(
    cell: Cell,
    parameters: Parameters,
    states: Float64[Tensor, "sequence time state"],
    inputs: Float64[Tensor, "sequence time input"],
    largest_lag: int = LARGEST_LAG,
) -> pd.DataFrame:
    """Shares of magnitudes that rise with the lag, over windows that end at the same t, beyond the largest lag.

    Args:
        states: s_0, …, s_{T-1}; `inputs` x_1, …, x_T.

    Returns:
        A row for each ℓ: `lag`; shares that are larger at ℓ+1 than at ℓ: `zeroth` of γ⁰, `unit` of |μ^{(q)}|, both over
        units, t and sequences, `envelope` of Σ_q |μ^{(q)}|, over t and sequences; `mean_envelope`, 1 if its mean
        is larger, else 0; and `negative`, share of μ^{(q)} < 0 at ℓ, which the paper takes for nonnegative (Sec. 5.1).
    """
    factors = Factors.of(cell.linearize(parameters, states, inputs).diagonals()._replace(reset=None))
    ends = torch.arange(largest_lag + 1, inputs.shape[1] + 1)
    rows, before, negative = [], None, 0.0
    for lag, window in windows(factors, range(1, largest_lag + 2), ends):
        rate = window.strict.abs()
        now = {"zeroth": window.zeroth, "unit": rate, "envelope": rate.sum(-1), "mean_envelope": rate.sum(-1).mean()}
        if before is not None:
            shares = {name: float((values > before[name]).double().mean()) for name, values in now.items()}
            rows.append({"lag": lag - 1, **shares, "negative": negative})
        before, negative = now, float((window.strict < 0).double().mean())
    return pd.DataFrame(rows)


def network_monotonicity(cell: Cell, parameters: Parameters, generator: np.random.Generator) -> pd.DataFrame:
    """`monotonicity` on inputs of the task's law, which no other draw has."""
    trajectory = random_trajectory(cell, parameters, SEQUENCES, TIME, generator)
    return monotonicity(cell, parameters, *trajectory)


def random_monotonicity(generator: np.random.Generator) -> pd.DataFrame:
    """`network_monotonicity` of small cells at random weights.

    Returns:
        Its columns, with `cell`, `gate` and `seed`.
    """
    tables = [
        network_monotonicity(*random_cell(name, generator, gate), generator).assign(
            cell=kind.__name__, gate=gate, seed=seed
        )
        for name, kind in GATED.items()
        for gate in GATES
        for seed in range(RANDOM_NETWORKS)
    ]
    return pd.concat(tables, ignore_index=True)


def compute(generator: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Table `random`."""
    return {"random": random_monotonicity(generator)}
