"""Series whose next value is asked for: chaotic ones, and NARMA-10, driven by noise."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float, Float64
from numpy import ndarray

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.tasks.sequences import Sequences


@dataclass(frozen=True)
class Series:
    """A series to be predicted at every step, by the squared error, which depends on the past in an unknown way.

    Args:
        duration: T, steps in a sequence.
        root_seed, seed: name the streams.
    """

    duration: int
    root_seed: int
    seed: int

    def __post_init__(self) -> None:
        require(self.duration >= 1, "task.duration", "at least 1", self.duration)

    @property
    def loss(self) -> str:
        """The squared error."""
        return "squared_error"

    @property
    def dependencies(self) -> Mapping[int, float]:
        """Empty: the lags are not known."""
        return {}


@dataclass(frozen=True)
class Flow(Series, ABC):
    """x_t is the state of an autonomous system, centred and scaled, and y_t = x_{t+1}."""

    TRANSIENT: ClassVar[int]
    """Steps until a sequence is on the attractor."""
    CENTRE: ClassVar[ndarray]
    SPREAD: ClassVar[ndarray]
    """Mean and standard deviation on the attractor, rounded: constants, so that no sequence knows of others."""

    @property
    def input_size(self) -> int:
        """Numbers of the system that are observed."""
        return len(self.CENTRE)

    @property
    def outputs(self) -> int:
        """Numbers of a prediction, as many as of an input."""
        return self.input_size

    @abstractmethod
    def start(self, generator: np.random.Generator, count: int) -> Float64[ndarray, "sequence ..."]:
        """States near the attractor."""

    @abstractmethod
    def advance(self, states: Float64[ndarray, "sequence ..."]) -> Float64[ndarray, "sequence ..."]:
        """States a step later."""

    @abstractmethod
    def observe(self, states: Float64[ndarray, "sequence ..."]) -> Float64[ndarray, "sequence input"]:
        """The part of the states that is observed."""

    def generate(self, split: str, count: int) -> Sequences:
        """`count` sequences of a split, always the same ones."""
        states = self.start(numpy_generator(self.root_seed, self.seed, split, "start"), count)
        for _ in range(self.TRANSIENT):
            states = self.advance(states)
        values = []
        for _ in range(self.duration + 1):
            values.append((self.observe(states) - self.CENTRE) / self.SPREAD)
            states = self.advance(states)
        series = np.stack(values, 1).astype(np.float32)
        return Sequences(series[:, :-1], series[:, 1:])

    def lyapunov_exponent(self, steps: int, count: int) -> float:
        """The largest Lyapunov exponent, nats a step: how fast two starts that are close to each other part.

        By pairs of them, brought back to their first distance after each step (Benettin et al. 1976).

        Args:
            count: of pairs.
        """
        generator = numpy_generator(self.root_seed, self.seed, "exponent")
        states = self.start(generator, count)
        for _ in range(self.TRANSIENT):
            states = self.advance(states)
        axes = tuple(range(1, states.ndim))
        apart = generator.normal(size=states.shape)
        apart *= APART / np.sqrt((apart**2).sum(axes, keepdims=True))
        rates = []
        for _ in range(steps):
            neighbours = self.advance(states + apart)
            states = self.advance(states)
            size = np.sqrt(((neighbours - states) ** 2).sum(axes, keepdims=True))
            apart = (neighbours - states) * APART / size
            rates.append(np.log(size / APART).mean())
        return float(np.mean(rates[steps // 10 :]))


APART = 1e-7
"""Distance of two states of which one asks how fast they part."""


@dataclass(frozen=True)
class Lorenz(Flow):
    """x' = 10 (y - x), y' = x (28 - z) - y, z' = x y - 8/3 z (Lorenz 1963), by Runge and Kutta's fourth order.

    Args:
        step: of time between two values, which is one of the method.
    """

    step: float = 0.02

    TRANSIENT = 500
    CENTRE = np.array([0.0, 0.0, 23.5])
    SPREAD = np.array([7.9, 9.0, 8.6])

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.step > 0, "task.step", "above 0", self.step)

    def start(self, generator: np.random.Generator, count: int) -> Float64[ndarray, "sequence 3"]:
        return self.CENTRE + self.SPREAD * generator.normal(size=(count, 3)) / 10

    def advance(self, states: Float64[ndarray, "sequence 3"]) -> Float64[ndarray, "sequence 3"]:
        first = self._slope(states)
        second = self._slope(states + self.step / 2 * first)
        third = self._slope(states + self.step / 2 * second)
        last = self._slope(states + self.step * third)
        return states + self.step / 6 * (first + 2 * second + 2 * third + last)

    def observe(self, states: Float64[ndarray, "sequence 3"]) -> Float64[ndarray, "sequence 3"]:
        return states

    @staticmethod
    def _slope(states: ndarray) -> ndarray:
        x, y, z = states.T
        return np.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z], -1)


@dataclass(frozen=True)
class MackeyGlass(Flow):
    """x'(t) = 0.2 x(t - τ)/(1 + x(t - τ)¹⁰) - 0.1 x(t) (Mackey & Glass 1977), a value each unit of time.

    Each unit of time is `PARTS` steps of Runge and Kutta's fourth order, in which the delayed value is the mean of its
    neighbours half a step later. Chaotic for a delay of 17.

    Args:
        delay: τ.
    """

    delay: int = 17

    PARTS: ClassVar[int] = 10
    TRANSIENT = 500
    CENTRE = np.array([0.93])
    SPREAD = np.array([0.23])

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.delay >= 1, "task.delay", "at least 1", self.delay)

    def start(self, generator: np.random.Generator, count: int) -> Float64[ndarray, "sequence past"]:
        """Pasts, the latest value last, which do not change with time."""
        return np.repeat(generator.uniform(0.8, 1.2, (count, 1)), self.delay * self.PARTS + 1, 1)

    def advance(self, states: Float64[ndarray, "sequence past"]) -> Float64[ndarray, "sequence past"]:
        step = 1 / self.PARTS
        for _ in range(self.PARTS):
            now, (before, after) = states[:, -1], states[:, :2].T
            between = (before + after) / 2
            first = self._slope(now, before)
            second = self._slope(now + step / 2 * first, between)
            third = self._slope(now + step / 2 * second, between)
            last = self._slope(now + step * third, after)
            later = now + step / 6 * (first + 2 * second + 2 * third + last)
            states = np.concatenate([states[:, 1:], later[:, None]], 1)
        return states

    def observe(self, states: Float64[ndarray, "sequence past"]) -> Float64[ndarray, "sequence 1"]:
        return states[:, -1:]

    @staticmethod
    def _slope(now: ndarray, past: ndarray) -> ndarray:
        return 0.2 * past / (1 + past**10) - 0.1 * now


@dataclass(frozen=True)
class Narma(Series):
    """y_{t+1} = 0.3 y_t + 0.05 y_t Σ_{i<10} y_{t-i} + 1.5 x_t x_{t-9} + 0.1 (Atiya & Parlos 2000).

    x_t is uniform in [0, ½]. Now and then a series has no bounds: one that leaves [-2, 2] is drawn again.
    """

    ORDER: ClassVar[int] = 10

    @property
    def input_size(self) -> int:
        """1: x_t is a scalar."""
        return 1

    @property
    def outputs(self) -> int:
        """0: y_t is a scalar."""
        return 0

    def generate(self, split: str, count: int) -> Sequences:
        """`count` sequences of a split, always the same ones; the target at t is y_{t+1}."""
        generator = numpy_generator(self.root_seed, self.seed, split, "inputs")
        series: list[tuple[ndarray, ndarray]] = []
        while len(series) < count:
            inputs = generator.uniform(0, 0.5, self.duration)
            targets = self.respond(inputs)
            if np.abs(targets).max() <= 2:
                series.append((inputs, targets))
        x, y = (np.stack(part).astype(np.float32) for part in zip(*series, strict=True))
        return Sequences(x[..., None], y)

    def respond(self, inputs: Float[ndarray, "time"]) -> Float[ndarray, "time"]:
        """y_2, …, y_{T+1} for inputs x_1, …, x_T; what lies before the first step is 0."""
        past, x = np.zeros(self.ORDER), np.concatenate([np.zeros(self.ORDER - 1), inputs])
        response = np.empty(len(inputs))
        with np.errstate(over="ignore", invalid="ignore"):
            for t in range(len(inputs)):
                y = past[-1]
                y = 0.3 * y + 0.05 * y * past.sum() + 1.5 * x[t + self.ORDER - 1] * x[t] + 0.1
                past = np.append(past[1:], y)
                response[t] = y
        return np.nan_to_num(response, nan=np.inf, posinf=np.inf, neginf=-np.inf)
