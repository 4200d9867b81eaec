"""Properties that tasks have in common whose targets are classes, and sequences with one answer at their end."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from jaxtyping import Float32, Int64

from learnability.tasks.sequences import Sequences


class Classes(ABC):
    """A task whose targets are classes, at lags that are not known or are random in each sequence."""

    @property
    @abstractmethod
    def outputs(self) -> int:
        """Number of classes, a score for each."""

    @property
    def loss(self) -> str:
        """The cross-entropy, in nats."""
        return "cross_entropy"

    @property
    def dependencies(self) -> Mapping[int, float]:
        """Empty: no lag is the same in all sequences."""
        return {}

    @property
    def baseline(self) -> float:
        """The loss of a guess among the classes, ln 10 for ten."""
        return float(np.log(self.outputs))


def answer_at_end(
    inputs: Float32[np.ndarray, "sequence time input"], answers: Int64[np.ndarray, "sequence"]
) -> Sequences:
    """Sequences whose class at the last step is the only target that counts."""
    targets = np.zeros(inputs.shape[:2], np.int64)
    targets[:, -1] = answers
    mask = np.zeros(inputs.shape[:2], bool)
    mask[:, -1] = True
    return Sequences(inputs, targets, mask)
