"""Hill's estimator of the tail index (Hill 1975), of both tails about the median.

    1/α̂ = (1/k) Σ_{i≤k} log(r_i / r_{k+1}),      σ̂ = (q75 - q25) / ν_c(α̂)

r_1 ≥ r_2 ≥ … are the distances from the median, ν_c(α) the interquartile range of the standard law.
"""

import numpy as np
from jaxtyping import Float

from learnability.core.errors import require
from learnability.stats.stable.law import TAIL_INDEX_RANGE
from learnability.stats.stable.mcculloch import StableFit, fit_stable, interquartile_range


def fit_hill(sample: Float[np.ndarray, "... draw"], share: float = 0.05) -> StableFit:
    """Fit α along the last axis from the k = max(10, ⌈share · draws⌉) largest distances, σ from the quartiles.

    A check of the tail alone, biased upwards for stable laws: their tails are power laws only far out. On 3000 draws
    with share 0.05 it gives 1.11 at α = 1.1 and 1.64 at 1.5; from 1.8 on it exceeds 2, is put at 2 and `clipped`.
    α̂ below 0.8 is put at 0.8 and `clipped`. Shift- and scale-equivariant. Degenerate also where r_{k+1} = 0.

    Args:
        sample: draws along the last axis.
        share: of the draws in the tails, in (0, 1/2].

    Raises:
        InputError: for fewer than 20 draws or a share out of range.
    """
    require(0 < share <= 0.5, "share", "in (0, 0.5]", share)
    start = fit_stable(sample)
    count = max(10, int(np.ceil(share * sample.shape[-1])))
    deviations = np.where(start.degenerate[..., None], 0.0, sample) - np.nan_to_num(start.location)[..., None]
    distances = np.abs(deviations)
    distances.partition(-count - 1, axis=-1)
    least = distances[..., -count - 1]
    degenerate = start.degenerate | (least == 0)
    least = np.where(degenerate, np.nan, least)
    slope = np.log(distances[..., -count:] / least[..., None]).mean(-1)
    # 1/slope, without a division by zero for equal distances.
    low, high = TAIL_INDEX_RANGE
    alpha = 1 / np.clip(slope, 1 / high, 1 / low)
    is_clipped = (slope < 1 / high) | (slope > 1 / low)
    location = np.where(degenerate, np.nan, start.location)
    return StableFit(alpha, start.spread / interquartile_range(alpha), location, start.spread, is_clipped, degenerate)
