"""Associative recall: pairs of a key and a value are shown, and one key is asked for."""

from dataclasses import dataclass

import numpy as np

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.tasks.classes import Classes, answer_at_end
from learnability.tasks.sequences import Sequences, one_hot


@dataclass(frozen=True)
class Recall(Classes):
    """P pairs at random steps among blanks; at the last step one of their keys alone, whose value is the answer.

    At the step of a pair x_t is its key and its value, both one-hot, side by side (Ba et al. 2016, arXiv 1610.06258,
    have the two one after the other); elsewhere it is 0. The keys of a sequence differ from each other, its values need
    not. At the last step x_T is one of the P keys, each as likely as the others, and y_T its value; no other target
    counts. With noise a normal number of that standard deviation is added to each number of x_t at t < T.

    Args:
        duration: T, steps in a sequence.
        pairs: P.
        keys: in the alphabet of keys, at least P.
        values: V, in the alphabet of values; a guess is right once in V.
        noise_sd: standard deviation of the noise on inputs.
        root_seed, seed: name the streams.

    Raises:
        InputError: for a value outside its range.

    Example:
        >>> task = Recall(duration=6, pairs=2, keys=3, values=4, root_seed=1, seed=0)
        >>> sequences = task.generate("training", 5)
        >>> sequences.inputs.shape, sequences.mask.sum(1).tolist()
        ((5, 6, 7), [1, 1, 1, 1, 1])
    """

    duration: int
    pairs: int
    keys: int
    values: int
    root_seed: int
    seed: int
    noise_sd: float = 0.0

    def __post_init__(self) -> None:
        require(self.pairs >= 1, "task.pairs", "at least 1", self.pairs)
        require(self.keys >= self.pairs, "task.keys", f"at least {self.pairs}, a key for each pair", self.keys)
        require(self.values >= 2, "task.values", "at least 2", self.values)
        require(self.duration > self.pairs, "task.duration", f"above {self.pairs}, the pairs", self.duration)
        require(self.noise_sd >= 0, "task.noise_sd", "at least 0", self.noise_sd)

    @property
    def input_size(self) -> int:
        """Keys and values, side by side."""
        return self.keys + self.values

    @property
    def outputs(self) -> int:
        """V, a score for each value."""
        return self.values

    def generate(self, split: str, count: int) -> Sequences:
        """`count` sequences of a split of any name, always the same ones."""
        generator = numpy_generator(self.root_seed, self.seed, split, "pairs")
        keys = generator.permuted(np.tile(np.arange(self.keys), (count, 1)), axis=1)[:, : self.pairs]
        steps = generator.permuted(np.tile(np.arange(self.duration - 1), (count, 1)), axis=1)[:, : self.pairs]
        values = generator.integers(self.values, size=(count, self.pairs))
        query, rows = generator.integers(self.pairs, size=count), np.arange(count)
        x = np.zeros((count, self.duration, self.input_size), np.float32)
        pairs = np.concatenate([one_hot(keys, self.keys), one_hot(values, self.values)], -1)
        x[rows[:, None], steps] = pairs
        if self.noise_sd:
            noise = numpy_generator(self.root_seed, self.seed, split, "noise").standard_normal(x.shape, np.float32)
            x += np.float32(self.noise_sd) * noise
            x[:, -1] = 0
        x[rows, -1, keys[rows, query]] = 1
        return answer_at_end(x, values[rows, query])
