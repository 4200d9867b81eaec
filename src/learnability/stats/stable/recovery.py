"""Checks of the estimators where the law is known: stable laws, and laws that are not stable."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float

from learnability.core.errors import require
from learnability.stats.stable import ESTIMATORS, StableFit
from learnability.stats.stable.draws import draw
from learnability.stats.stable.goodness import stable_law_test

Estimator = Callable[[Float[np.ndarray, "... draw"]], StableFit]
ALPHAS = tuple(round(1 + step / 10, 1) for step in range(1, 11))
"""1.1, 1.2, …, 2."""


def recovery_table(
    alphas: Sequence[float], draws: int, repetitions: int, generator: np.random.Generator
) -> pd.DataFrame:
    """Recovery of α and of the scale 1 by each estimator, from standard SαS samples; all fit the same samples.

    Args:
        alphas: true tail indices, `ALPHAS` say.
        draws: in a sample.
        repetitions: samples for each α.
        generator: source of the samples.

    Returns:
        A row for each α and estimator: `alpha`, `estimator`; `mean`, `bias` and `sd` of α̂; `scale_mean`, `scale_sd`;
        `clipped`, share of samples.

    Raises:
        InputError: for α outside [0.8, 2], fewer than 20 draws or less than one repetition.
    """
    require(repetitions >= 1, "repetitions", "at least 1", repetitions)
    rows = []
    for alpha in alphas:
        samples = draw(alpha, (repetitions, draws), generator)
        for name, estimator in ESTIMATORS.items():
            fit = estimator(samples)
            rows.append(
                {
                    "alpha": alpha,
                    "estimator": name,
                    "mean": fit.alpha.mean(),
                    "bias": fit.alpha.mean() - alpha,
                    "sd": fit.alpha.std(),
                    "scale_mean": fit.scale.mean(),
                    "scale_sd": fit.scale.std(),
                    "clipped": fit.clipped.mean(),
                }
            )
    return pd.DataFrame(rows)


def _products(weights: Float[np.ndarray, " term"], draws: int, generator: np.random.Generator) -> np.ndarray:
    total = np.zeros(draws)
    for weight in weights.tolist():
        total += weight * generator.standard_normal(draws) * generator.standard_normal(draws)
    return total


REFERENCES: dict[str, Callable[[int, np.random.Generator], np.ndarray]] = {
    "product of two normals": lambda draws, generator: _products(np.ones(1), draws, generator),
    "Laplace": lambda draws, generator: generator.laplace(size=draws),
    "Student t, 3 degrees": lambda draws, generator: generator.standard_t(3, draws),
    "128 products, weights 0.9^k": lambda draws, generator: _products(0.9 ** np.arange(128), draws, generator),
    "normal": lambda draws, generator: generator.standard_normal(draws),
}
"""Laws of finite variance, none but the last stable; weights that decay, as over a window."""


def reference_table(
    draws: int,
    generator: np.random.Generator,
    estimators: Mapping[str, Estimator] = ESTIMATORS,
    repetitions: int = 99,
) -> pd.DataFrame:
    """Estimates of each estimator for `REFERENCES`: an α̂ below 2 does not show infinite variance.

    Args:
        draws: in the sample of each law.
        generator: source of the samples and of the tests.
        estimators: by name.
        repetitions: of the bootstrap behind each p-value.

    Returns:
        A row for each law and estimator: `law`, `estimator`, `alpha`, `scale`, `clipped`, and `statistic` and
        `p_value` of `learnability.stats.stable.goodness.stable_law_test`.

    Raises:
        InputError: for fewer than 20 draws or less than one repetition.
    """
    rows = []
    for law, draw_sample in REFERENCES.items():
        sample = draw_sample(draws, generator)
        for name, estimator in estimators.items():
            fit, test = estimator(sample), stable_law_test(sample, estimator, repetitions, generator)
            numbers = {"alpha": float(fit.alpha), "scale": float(fit.scale), "clipped": bool(fit.clipped)}
            rows.append({"law": law, "estimator": name} | numbers | test._asdict())
    return pd.DataFrame(rows)
