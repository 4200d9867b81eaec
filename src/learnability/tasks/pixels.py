"""An image pixel by pixel, in an order that has no meaning, and its class at the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from zipfile import BadZipFile

import numpy as np
from jaxtyping import Float32, Int64, Shaped

from learnability.core.errors import require
from learnability.core.store import reading
from learnability.core.streams import numpy_generator
from learnability.tasks.sequences import Sequences
from learnability.tasks.sources import ReadClasses, check_source, locate, part, require_enough


@dataclass(frozen=True)
class Pixels(ReadClasses):
    """x_t is pixel π(t) of an image, in [0, 1]; only the target at the last step counts: its class (Le et al. 2015).

    π is a permutation, the same for all images of a seed.

    Args:
        duration: T, pixels of an image: 64 of `digits`, 784 of MNIST.
        source: `digits`, which come with the library, or the path or URL of an .npz file with arrays `x_train`,
            `y_train`, `x_test` and `y_test`, as there is one of MNIST.
        sha256: of that file.
        shares: of the images, in order, for training, validation and test (the split `diagnostic`). Those of MNIST are
            50000, 10000 and 10000.
        root_seed, seed: name the stream of π.

    Raises:
        InputError: for a value outside its range; on reading, for a file that is not there, or another.
    """

    duration: int
    root_seed: int
    seed: int
    source: str = "digits"
    sha256: str = ""
    shares: Sequence[float] = (5 / 7, 1 / 7, 1 / 7)

    def __post_init__(self) -> None:
        check_source(self.source, self.sha256, self.shares)

    @property
    def input_size(self) -> int:
        """1: a pixel at a time."""
        return 1

    @property
    def outputs(self) -> int:
        """As many as there are classes."""
        return int(_read(self.source, self.sha256)[1].max()) + 1

    @property
    def baseline(self) -> float:
        """The loss of a guess among the classes, ln 10 for ten."""
        return float(np.log(self.outputs))

    @property
    def order(self) -> Int64[np.ndarray, "time"]:
        """π, from 0 on."""
        return numpy_generator(self.root_seed, self.seed, "order of pixels").permutation(self.duration)

    def generate(self, split: str, count: int) -> Sequences:
        """The first `count` images of a split: "training", "validation" or "diagnostic"."""
        images, labels = _read(self.source, self.sha256)
        pixels = images.shape[1]
        require(self.duration == pixels, "task.duration", f"{pixels}, the pixels of an image", self.duration)
        where = part(split, len(images), self.shares)
        images, labels = images[where], labels[where]
        require_enough(split, count, len(images))
        targets = np.zeros((count, pixels), np.int64)
        targets[:, -1] = labels[:count]
        mask = np.zeros((count, pixels), bool)
        mask[:, -1] = True
        return Sequences(images[:count, self.order, None], targets, mask)


@cache
def _read(source: str, sha256: str) -> tuple[Float32[np.ndarray, "image pixel"], Int64[np.ndarray, "image"]]:
    """Images with values in [0, 1] and their classes, those of training first."""
    path = locate(source, sha256)
    kind = "an .npz file of images x_train, x_test and their classes y_train, y_test"
    with reading(path, kind, BadZipFile, LookupError, EOFError), np.load(path) as file:
        images, labels = (np.concatenate([file[f"{name}_train"], file[f"{name}_test"]]) for name in "xy")
    is_right = images.ndim >= 2 and labels.shape == images.shape[:1] and labels.dtype.kind in "iu" and len(labels) > 0
    require(is_right, str(path), kind, {"x": images.shape, "y": labels.shape})
    flat: Shaped[np.ndarray, "image pixel"] = images.reshape(len(images), -1)
    return (flat / flat.max()).astype(np.float32), labels.astype(np.int64)
