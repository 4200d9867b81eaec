"""Random draws for tests of the theory."""

import numpy as np
import pandas as pd

from learnability.windows.readings import DetectionOptions

OPTIONS = DetectionOptions(criterion="fano", family_wise=0, draws=100, sample_sizes=[25, 100, 400, 1600, 6400])


def generator(seed=0):
    return np.random.default_rng(seed)


def noise_table(alpha=1.6, seed=0, lags=12):
    rng = generator(seed)
    lag = 4 * np.arange(1, lags + 1)
    envelope = 3 * np.exp(-lag / 20.0)
    return pd.DataFrame(
        {
            "lag": lag,
            "mean": envelope * rng.uniform(0.5, 1, lags),
            "signal": envelope * rng.uniform(0.5, 1, lags),
            "alpha": alpha,
            "scale": rng.uniform(1, 2, lags),
            "envelope": envelope,
            "architecture": "diag_gate",
            "seed": seed,
            "direction": 0,
        }
    )
