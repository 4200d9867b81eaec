"""Name the symbol of so many steps ago."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from learnability.core.streams import numpy_generator
from learnability.tasks import Sequences


@dataclass(frozen=True)
class Recall:
    """x_t shows one of `input_size` symbols, y_t is that of `delay` steps before; earlier targets do not count."""

    input_size: int
    duration: int
    delay: int
    root_seed: int
    seed: int

    @property
    def outputs(self) -> int:
        return self.input_size

    @property
    def loss(self) -> str:
        return "cross_entropy"

    @property
    def dependencies(self) -> Mapping[int, float]:
        return {self.delay: 1.0}

    def generate(self, split: str, count: int) -> Sequences:
        generator = numpy_generator(self.root_seed, self.seed, split, "symbols")
        symbols = generator.integers(self.input_size, size=(count, self.duration))
        mask = np.arange(self.duration) >= self.delay
        inputs = np.eye(self.input_size, dtype=np.float32)[symbols]
        return Sequences(inputs, np.roll(symbols, self.delay, axis=1), np.tile(mask, (count, 1)))
