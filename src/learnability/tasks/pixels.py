"""An image pixel by pixel, in an order that has no meaning, and its class at the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod

import numpy as np
from jaxtyping import Float32, Int64, Shaped

from learnability.core.downloads import LARGEST, Kind
from learnability.core.errors import require
from learnability.core.store import reading
from learnability.core.streams import numpy_generator
from learnability.tasks.classes import Classes, answer_at_end
from learnability.tasks.sequences import Sequences
from learnability.tasks.sources import (
    ARCHIVE_ERRORS,
    Header,
    check_shares,
    check_source,
    locate,
    part,
    read_headers,
    require_enough,
)

KIND = "an .npz file of images x_train, x_test and their classes y_train, y_test"
NPZ = Kind(KIND, b"PK")


@dataclass(frozen=True)
class Pixels(Classes):
    """x_t is pixel π(t) of an image, in [0, 1]; only the target at the last step counts: its class (Le et al. 2015).

    π is a permutation, the same for all images of a seed.

    Args:
        duration: T, pixels of an image: 64 of `digits`, 784 of MNIST.
        source: `digits`, which come with the library, or the path or URL of an .npz file with arrays `x_train`,
            `y_train`, `x_test` and `y_test`, for instance MNIST.
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
        check_source(self.source, self.sha256)
        check_shares(self.shares)

    @property
    def input_size(self) -> int:
        """1: a pixel at a time."""
        return 1

    @property
    def outputs(self) -> int:
        """Number of classes."""
        return int(_read(self.source, self.sha256)[1].max()) + 1

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
        return answer_at_end(images[:count, self.order, None], labels[:count])


@cache
def _read(source: str, sha256: str) -> tuple[Float32[np.ndarray, "image pixel"], Int64[np.ndarray, "image"]]:
    """Images with values in [0, 1] and their classes, the training images first."""
    path = locate(source, sha256, NPZ)
    _check_headers(str(path), read_headers(path, KIND, ("x_train", "x_test", "y_train", "y_test")))
    with reading(path, KIND, *ARCHIVE_ERRORS), np.load(path) as file:
        images, labels = (np.concatenate([file[f"{name}_train"], file[f"{name}_test"]]) for name in "xy")
    values = f"{KIND}, with finite values from 0 on, not all 0"
    limits = {"x": (images.min().item(), images.max().item())}
    require(bool(np.isfinite(images).all() and images.min() >= 0 and images.max() > 0), str(path), values, limits)
    lowest, highest = int(labels.min()), int(labels.max())
    classes = f"{KIND}, from 0 on and below the number of images ({len(images)})"
    require(lowest >= 0 and highest < len(images), str(path), classes, {"y": (lowest, highest)})
    flat: Shaped[np.ndarray, "image pixel"] = images.reshape(len(images), -1)
    return (flat / flat.max()).astype(np.float32), labels.astype(np.int64)


def _check_headers(name: str, headers: Mapping[str, Header]) -> None:
    """Raise `InputError` unless arrays of these shapes and types can be images and their classes."""
    arrays = {array: f"{dtype} {shape}" for array, (shape, dtype) in headers.items()}
    (images, tests), (labels, classes) = (
        [headers[f"{letter}_{part}"] for part in ("train", "test")] for letter in "xy"
    )
    are_numbers = all(dtype.kind in "buif" for _, dtype in (images, tests))
    are_classes = all(dtype.kind in "iu" and len(shape) == 1 for shape, dtype in (labels, classes))
    are_alike = len(images[0]) >= 2 and images[0][1:] == tests[0][1:] and prod(images[0][1:]) > 0
    are_told = (images[0][:1], tests[0][:1]) == (labels[0], classes[0]) and labels[0][0] + classes[0][0] > 0
    require(are_numbers and are_classes and are_alike and are_told, name, KIND, arrays)
    size = sum(prod(shape) * max(dtype.itemsize, 4) for shape, dtype in headers.values())
    require(size <= LARGEST, name, f"images of at most {LARGEST / 2**30:g} GiB", f"{size / 2**30:.1f} GiB")
