"""A measured series, and its value some steps later."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import prod

import numpy as np
from jaxtyping import Float32

from learnability.core.downloads import LARGEST, Kind
from learnability.core.errors import require, require_one_of
from learnability.core.store import reading
from learnability.tasks.sequences import Sequences
from learnability.tasks.series import Series
from learnability.tasks.sources import (
    ARCHIVE_ERRORS,
    SPLITS,
    Header,
    check_source,
    locate,
    read_headers,
    require_enough,
)

KIND = "an .npz file of numbers training, validation, diagnostic (segment, time)"
NPZ = Kind(KIND, b"PK")


@dataclass(frozen=True)
class Forecast(Series):
    """x_t is a value of a measured series, and y_t = x_{t+h} the value h steps later.

    The series is cut into segments, and a sequence lies within one. Sequences of a split may overlap, splits do not.

    Args:
        duration: T.
        horizon: h.
        source: `heart`, an electrocardiogram at 60 Hz with irregular beats, which comes with the library; or the path
            or URL of an .npz file with arrays `training`, `validation` and `diagnostic` (the test), each of shape
            (segment, time).
        sha256: of that file.
        root_seed, seed: of all tasks; here nothing is drawn.

    Raises:
        InputError: for a value outside its range; on reading, for a file that is not there, or another, or segments
            shorter than T + h.
    """

    horizon: int = 1
    source: str = "heart"
    sha256: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.horizon >= 1, "task.horizon", "at least 1", self.horizon)
        check_source(self.source, self.sha256)

    @property
    def input_size(self) -> int:
        """1: x_t is a scalar."""
        return 1

    @property
    def outputs(self) -> int:
        """0: y_t is a scalar."""
        return 0

    def generate(self, split: str, count: int) -> Sequences:
        """`count` sequences of "training", "validation" or "diagnostic", spread evenly over all places where one fits.

        Sequence i of n starts at place ⌊(i + ½) P/n⌋ of the P places, counted from 0, segment after segment.
        """
        require_one_of("split", split, SPLITS)
        segments = _read(self.source, self.sha256)[split]
        steps = segments.shape[1]
        reach = self.duration + self.horizon
        limit = f"at most {steps}, the steps of a segment of '{split}'"
        require(reach <= steps, "task.duration + task.horizon", limit, reach)
        places = steps - reach + 1
        total = len(segments) * places
        require_enough(split, count, total)
        place = (2 * np.arange(count) + 1) * total // (2 * max(count, 1))
        segment, start = np.divmod(place[:, None], places)
        time = start + np.arange(self.duration)
        return Sequences(segments[segment, time, None], segments[segment, time + self.horizon])


@cache
def _read(source: str, sha256: str) -> Mapping[str, Float32[np.ndarray, "segment time"]]:
    """Segments of each split."""
    path = locate(source, sha256, NPZ)
    _check_headers(str(path), read_headers(path, KIND, SPLITS))
    with (
        reading(path, KIND, *ARCHIVE_ERRORS),
        np.load(path) as file,
        np.errstate(over="ignore"),  # becomes infinite, and is named below
    ):
        parts = {split: file[split].astype(np.float32) for split in SPLITS}
    for split, segments in parts.items():
        values = f"{KIND}, finite in float32"
        require(bool(np.isfinite(segments).all()), str(path), values, f"NaN or infinity in {split}")
    return parts


def _check_headers(name: str, headers: Mapping[str, Header]) -> None:
    """Raise `InputError` unless arrays of these shapes and types can be segments of a series."""
    arrays = {split: f"{dtype} {shape}" for split, (shape, dtype) in headers.items()}
    are_segments = all(dtype.kind in "uif" and len(shape) == 2 and prod(shape) > 0 for shape, dtype in headers.values())
    require(are_segments, name, KIND, arrays)
    size = sum(prod(shape) * max(dtype.itemsize, 4) for shape, dtype in headers.values())
    require(size <= LARGEST, name, f"series of at most {LARGEST / 2**30:g} GiB", f"{size / 2**30:.1f} GiB")
