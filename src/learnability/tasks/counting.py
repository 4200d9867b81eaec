"""Counting: marks are shown one by one, and their number is asked for."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, Int64

from learnability.core.errors import require
from learnability.core.streams import numpy_generator
from learnability.tasks.classes import Classes, answer_at_end
from learnability.tasks.sequences import Sequences


@dataclass(frozen=True)
class Count(Classes):
    """Marks at random steps among blanks; at the last step their number since the last reset is the answer.

    x_t has three numbers: 1 in the first at a mark, in the second at the reset, and in the third at the last step,
    which asks; elsewhere 0. The reset is at one random step, before which at most M marks stand, and behind which at
    most M. Both numbers of marks are as likely to be 0 as 1, …, M, and their steps are drawn without repetition. y_T is
    the number behind the reset; no other target counts. Without `is_reset` there is no such step, and all marks count.
    With noise a normal number of that standard deviation is added to each number of x_t at t < T.

    Args:
        duration: T, steps in a sequence, from 2 M + 2 on.
        most: M, so that a guess is right once in M + 1.
        is_reset: whether there is a reset.
        noise_sd: standard deviation of the noise on inputs.
        root_seed, seed: name the streams.

    Raises:
        InputError: for a value outside its range.

    Example:
        >>> task = Count(duration=12, most=3, root_seed=1, seed=0)
        >>> sequences = task.generate("training", 5)
        >>> sequences.inputs.shape, sequences.mask.sum(1).tolist()
        ((5, 12, 3), [1, 1, 1, 1, 1])
    """

    duration: int
    most: int
    root_seed: int
    seed: int
    is_reset: bool = True
    noise_sd: float = 0.0

    def __post_init__(self) -> None:
        require(self.most >= 1, "task.most", "at least 1", self.most)
        least = 2 * self.most + 2
        require(self.duration >= least, "task.duration", f"at least {least}, twice `most` and 2", self.duration)
        require(self.noise_sd >= 0, "task.noise_sd", "at least 0", self.noise_sd)

    @property
    def input_size(self) -> int:
        """3: a mark, a reset and the sign that asks, side by side."""
        return 3

    @property
    def outputs(self) -> int:
        """M + 1, a score for each number of marks."""
        return self.most + 1

    def generate(self, split: str, count: int) -> Sequences:
        """`count` sequences of a split of any name, always the same ones."""
        generator = numpy_generator(self.root_seed, self.seed, split, "marks")
        x = np.zeros((count, self.duration, self.input_size), np.float32)
        steps, resets = np.arange(self.duration - 1), np.full(count, -1)
        if self.is_reset:
            resets = generator.integers(self.most, self.duration - 1 - self.most, size=count)
            x[np.arange(count), resets, 1] = 1
            x[..., :-1, 0] += self._marks(steps < resets[:, None], generator)[0]
        marks, numbers = self._marks(steps > resets[:, None], generator)
        x[..., :-1, 0] += marks
        if self.noise_sd:
            noise = numpy_generator(self.root_seed, self.seed, split, "noise").standard_normal(x.shape, np.float32)
            x[:, :-1] += np.float32(self.noise_sd) * noise[:, :-1]
        x[:, -1, 2] = 1
        return answer_at_end(x, numbers)

    def _marks(
        self, is_allowed: Bool[np.ndarray, "sequence step"], generator: np.random.Generator
    ) -> tuple[Float32[np.ndarray, "sequence step"], Int64[np.ndarray, "sequence"]]:
        """1 at 0 to M random steps of those that are allowed, 0 elsewhere; and how many there are."""
        numbers = generator.integers(self.most + 1, size=len(is_allowed))
        order = np.where(is_allowed, generator.random(is_allowed.shape), 2).argsort(1).argsort(1)
        return (order < numbers[:, None]).astype(np.float32), numbers
