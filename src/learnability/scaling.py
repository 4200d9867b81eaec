"""The scaling law of sample needs, as a test of itself (paper Appendix H)."""

import numpy as np
import pandas as pd


def residual(need: pd.DataFrame) -> pd.Series:
    """R(ℓ) = log N̂(ℓ) - κ_α̂ (log σ̂_α(ℓ) - log Δ̂(ℓ)) (Eq. 73), NaN where N̂ = ∞.

    N̂ is the smallest sample size of the grid that suffices; with the closed form in its place R would be a
    function of α̂ alone, whatever the data.

    Args:
        need: rows of `learnability.detection.sample_need`.
    """
    usable = np.isfinite(need["need"]) & (need["scale"] > 0) & (need["signal"] > 0)
    rows = need.where(usable)
    return np.log(rows["need"]) - rows["kappa"] * (np.log(rows["scale"]) - np.log(rows["signal"]))
