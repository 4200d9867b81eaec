"""Symbols to be named after a marker, in the order in which they came: copy and denoise."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int64

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.tasks.sequences import Sequences, one_hot


@dataclass(frozen=True)
class Copy:
    """S symbols at the start, named again after a delay (Hochreiter and Schmidhuber 1997; Arjovsky et al. 2016).

    Class 0 is a blank, 1 … A are the alphabet, and a network sees A + 1 as a marker:

        x = S symbols, T - 1 blanks, the marker, S blanks       one-hot, in A + 2 numbers
        y = T + S blanks, the S symbols                         one of A + 1 classes

    Symbols are independent and uniform. The loss is over all T + 2S steps, accuracy over the last S.

    At another delay the inputs and classes stay what they are, so that a network can be put to a delay that it has not
    learned ("transfer copy"): `measure_accuracy(network, parameters, replace(task, delay=…).generate(…))`.

    Args:
        delay: T, steps from the first symbol to its repetition, less S.
        symbols: S.
        alphabet: A.
        unused: further inputs and classes, behind the others, that never occur.
        root_seed, seed: name the streams.

    Raises:
        InputError: for a value outside its range.
    """

    delay: int
    root_seed: int
    seed: int
    symbols: int = 10
    alphabet: int = 8
    unused: int = 0

    def __post_init__(self) -> None:
        require(self.delay >= 1, "task.delay", "at least 1", self.delay)
        require(self.symbols >= 1, "task.symbols", "at least 1", self.symbols)
        require(self.alphabet >= 2, "task.alphabet", "at least 2", self.alphabet)
        require(self.unused >= 0, "task.unused", "at least 0", self.unused)

    @property
    def duration(self) -> int:
        """T + 2S, steps in a sequence."""
        return self.delay + 2 * self.symbols

    @property
    def input_size(self) -> int:
        """A + 2: the blank, the alphabet, the marker; and those that are not used."""
        return self.alphabet + 2 + self.unused

    @property
    def outputs(self) -> int:
        """A + 1: the blank and the alphabet; and those that are not used."""
        return self.alphabet + 1 + self.unused

    @property
    def loss(self) -> str:
        """The cross-entropy."""
        return "cross_entropy"

    @property
    def dependencies(self) -> Mapping[int, float]:
        """T + S, the lag at which every symbol is repeated."""
        return {self.delay + self.symbols: 1.0}

    @property
    def baseline(self) -> float:
        """S ln A / (T + 2S): the loss of a guess among the alphabet at the last S steps, and of blanks before."""
        return float(self.symbols * np.log(self.alphabet) / self.duration)

    def generate(self, split: str, count: int) -> Sequences:
        """`count` sequences of a split of any name, always the same ones."""
        symbols = numpy_generator(self.root_seed, self.seed, split, "symbols").integers(
            1, self.alphabet + 1, (count, self.symbols)
        )
        classes = np.zeros((count, self.duration), np.int64)
        np.put_along_axis(classes, self._places(split, count), symbols, 1)
        classes[:, self.delay + self.symbols - 1] = self.alphabet + 1
        targets = np.zeros_like(classes)
        targets[:, -self.symbols :] = symbols
        return Sequences(one_hot(classes, self.input_size), targets, scored=targets > 0)

    def _places(self, split: str, count: int) -> Int64[np.ndarray, "sequence symbol"]:
        """Steps at which symbols are shown, increasing."""
        return np.tile(np.arange(self.symbols), (count, 1))


@dataclass(frozen=True)
class Denoise(Copy):
    """`Copy`, but for the places of the symbols: any S of the T + S - 1 before the marker (Jing et al. 2019).

    The others are blanks, here called noise. All sets of places are equally likely. In the public code of the paper on
    recurrence and self-attention 11 inputs stand for the 10 that occur, and 10 classes for the 9: `unused` is 1.
    """

    @property
    def dependencies(self) -> Mapping[int, float]:
        """Empty: the lag of each symbol is random."""
        return {}

    def _places(self, split: str, count: int) -> Int64[np.ndarray, "sequence symbol"]:
        ranks = numpy_generator(self.root_seed, self.seed, split, "places").random(
            (count, self.delay + self.symbols - 1)
        )
        return np.sort(np.argsort(ranks, 1)[:, : self.symbols], 1)
