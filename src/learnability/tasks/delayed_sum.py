"""The paper's task (Eq. 44): a noisy weighted sum of delayed projections of a white input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.tasks.sequences import Sequences


@dataclass(frozen=True)
class DelayedSum:
    """y_t = Σ_k c_k uᵀx_{t-ℓ_k} + ε_t, terms with t ≤ ℓ_k left out (Eq. 44).

    x_t ~ N(0, I_D) and ε_t ~ N(0, noise_sd²), independent over t; u a random unit vector. With an `input_density` p
    below 1, x_t ~ N(0, I_D / p) at a share p of all t, and 0 at the others: white as before, but a state that is to
    hold the last ℓ inputs has p ℓ of them to hold.

    Args:
        input_size: D.
        duration: T, steps in a sequence.
        lags: ℓ_k, steps, distinct and in [1, T).
        coefficients: c_k, one for each lag.
        noise_sd: standard deviation of ε_t.
        root_seed, seed: name the streams. u is shared by all splits of a seed; nothing else is.
        input_density: p, in (0, 1].

    Raises:
        InputError: for a value outside these ranges.
    """

    input_size: int
    duration: int
    lags: Sequence[int]
    coefficients: Sequence[float]
    noise_sd: float
    root_seed: int
    seed: int
    input_density: float = 1.0

    def __post_init__(self) -> None:
        require(len(set(self.lags)) == len(self.lags), "task.lags", "distinct", self.lags)
        for lag in self.lags:
            require(1 <= lag < self.duration, "task.lags", f"in [1, {self.duration})", lag)
        count = len(self.lags)
        require(len(self.coefficients) == count, "task.coefficients", f"{count} values", self.coefficients)
        require(self.noise_sd >= 0, "task.noise_sd", "at least 0", self.noise_sd)
        require(0 < self.input_density <= 1, "task.input_density", "in (0, 1]", self.input_density)

    @property
    def outputs(self) -> int:
        """0: y_t is a scalar."""
        return 0

    @property
    def loss(self) -> str:
        """The squared error."""
        return "squared_error"

    @property
    def dependencies(self) -> Mapping[int, float]:
        """ℓ_k → c_k."""
        return dict(zip(self.lags, self.coefficients, strict=True))

    @property
    def direction(self) -> Float32[np.ndarray, "input"]:
        """u, uniform on the unit sphere."""
        vector = numpy_generator(self.root_seed, self.seed, "direction").standard_normal(self.input_size)
        return (vector / np.linalg.norm(vector)).astype(np.float32)

    def generate(self, split: str, count: int) -> Sequences:
        """`count` sequences of a split ("training", "validation", "diagnostic"), always the same ones."""
        x = numpy_generator(self.root_seed, self.seed, split, "inputs").standard_normal(
            (count, self.duration, self.input_size), dtype=np.float32
        )
        if self.input_density < 1:
            draws = numpy_generator(self.root_seed, self.seed, split, "density").random((count, self.duration, 1))
            x *= np.where(draws < self.input_density, self.input_density**-0.5, 0).astype(np.float32)
        noise = numpy_generator(self.root_seed, self.seed, split, "noise").standard_normal(
            (count, self.duration), dtype=np.float32
        )
        projection = x @ self.direction
        y = np.float32(self.noise_sd) * noise
        for lag, coefficient in zip(self.lags, self.coefficients, strict=True):
            y[:, lag:] += np.float32(coefficient) * projection[:, :-lag]
        return Sequences(x, y)
