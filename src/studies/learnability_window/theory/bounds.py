"""Appendix F: Lemma 5.2, N(ℓ) lies between two multiples of f(ℓ)^{-κ}.

The lemma needs bounds c_m ≤ m̄(ℓ) ≤ C_m, c_σ ≤ σ(ℓ) ≤ C_σ; it then holds by arithmetic, with

    c⋆ = k (c_σ/C_m)^κ,   C⋆ = k (C_σ/c_m)^κ,   k = (log(1/2ε)/c_α)^{κ/2}      Eq. 41

What can be measured is how wide it is: C⋆/c⋆ = (C_σ C_m/(c_σ c_m))^κ. Eq. 42 leaves out k^{1/κ}.
"""

import numpy as np
import pandas as pd

from studies.learnability_window.theory.sample_complexity import NAMES, kappa


def lemma_bounds(sample_complexity: pd.DataFrame) -> pd.DataFrame:
    """Width of Lemma 5.2 on the measured m̄(ℓ) = Δ̂(ℓ)/f̂(ℓ) and σ̂(ℓ), at the median α̂ of each network.

    Args:
        sample_complexity: rows of one criterion of `learnability.windows.detection.estimate_sample_complexity`, with
            columns architecture, seed and direction.

    Returns:
        A row for each network and direction w with a lag of finite N̂: `architecture`, `seed`, `direction`, `lags`,
        `kappa`, `alignment_range` C_m/c_m, `scale_range` C_σ/c_σ, `bound_decades` log10 C⋆/c⋆,
        `sample_complexity_decades` log10 of the range of N(ℓ) by Eq. 40, and `envelope_decades`, of that of f(ℓ)^{-κ}.
    """
    rows = []
    for names, group in sample_complexity.groupby(NAMES, sort=False):
        finite = group[np.isfinite(group["log_sample_complexity"])]
        if finite.empty:
            continue
        signal, scale, envelope = (finite[name].to_numpy() for name in ("signal", "scale", "envelope"))
        exponent = kappa(float(finite["alpha"].median()))
        ranges = _ratio(signal / envelope), _ratio(scale)
        rows.append(
            {
                **dict(zip(NAMES, names, strict=True)),
                "lags": len(finite),
                "kappa": exponent,
                "alignment_range": ranges[0],
                "scale_range": ranges[1],
                "bound_decades": exponent * np.log10(ranges[0] * ranges[1]),
                "sample_complexity_decades": exponent * np.log10(_ratio(scale / signal)),
                "envelope_decades": exponent * np.log10(_ratio(envelope)),
            }
        )
    columns = (
        "lags",
        "kappa",
        "alignment_range",
        "scale_range",
        "bound_decades",
        "sample_complexity_decades",
        "envelope_decades",
    )
    return pd.DataFrame(rows, columns=[*NAMES, *columns])


def _ratio(values: np.ndarray) -> float:
    return float(values.max() / values.min())


def tabulate(sample_complexity: pd.DataFrame) -> pd.DataFrame:
    """`lemma_bounds` of the reading's own criterion; medians over seeds and directions w."""
    bounds = lemma_bounds(sample_complexity[sample_complexity["chosen"]])
    return bounds.groupby("architecture", sort=False).median().drop(columns=["seed", "direction"]).reset_index()
