"""The next character of a text."""

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlparse

import numpy as np
from jaxtyping import Int64

from learnability.core.downloads import ANY_FILE, LARGEST, Kind
from learnability.core.errors import require
from learnability.core.store import reading
from learnability.tasks.classes import Classes
from learnability.tasks.sequences import Sequences, one_hot
from learnability.tasks.sources import BUILT_IN, check_shares, check_source, locate, part, require_enough

GZIP = Kind("a text in UTF-8, compressed", b"\x1f\x8b")


@dataclass(frozen=True)
class Characters(Classes):
    """x_t is a character of a text, one-hot, and y_t the one that follows; a sequence is T in a row (Mikolov 2012).

    Sequences follow one another in the text and do not overlap. To train on long ones in chunks, as language models
    are, say `training.truncation`: the state is carried from chunk to chunk, but for what `Cell.carried` drops. With a
    duration of a 128th of the training text, 128 training sequences, all in a batch, and chunks of 150, that is the
    training of the paper on recurrence and self-attention.

    Args:
        duration: T.
        source: `topics`, the help texts of Python 3.11, which come with the library; or the path or URL of a text in
            UTF-8, compressed if its name ends in .gz.
        sha256: of that file.
        spaced: whether blanks stand between characters and mean nothing, as in the Penn Treebank by character, where
            `_` is a space.
        shares: of the text, in order, for training, validation and test (the split `diagnostic`).
        root_seed, seed: of all tasks; here nothing is drawn.

    Raises:
        InputError: for a value outside its range; on reading, for a file that is not there, or another.
    """

    duration: int
    root_seed: int
    seed: int
    source: str = "topics"
    sha256: str = ""
    spaced: bool = False
    shares: Sequence[float] = (0.9, 0.05, 0.05)

    def __post_init__(self) -> None:
        require(self.duration >= 1, "task.duration", "at least 1", self.duration)
        check_source(self.source, self.sha256)
        check_shares(self.shares)

    @property
    def characters(self) -> str:
        """The characters of the text, in order; the place of a character is its class."""
        return _read(self.source, self.sha256, self.spaced)[0]

    @property
    def input_size(self) -> int:
        """Number of characters."""
        return len(self.characters)

    @property
    def outputs(self) -> int:
        """Number of characters."""
        return len(self.characters)

    @property
    def baseline(self) -> float:
        """-Σ p ln p over the shares p of characters in the training text: the loss of these shares, said at each t."""
        _, counts = np.unique(self._text("training"), return_counts=True)
        shares = counts / counts.sum()
        return float(-(shares * np.log(shares)).sum())

    def generate(self, split: str, count: int) -> Sequences:
        """The first `count` sequences of a split: "training", "validation" or "diagnostic"."""
        text = self._text(split)
        require_enough(split, count, (len(text) - 1) // self.duration)
        inputs, targets = (text[start:][: count * self.duration].reshape(count, -1) for start in (0, 1))
        return Sequences(one_hot(inputs, self.input_size), targets)

    def _text(self, split: str) -> Int64[np.ndarray, "character"]:
        _, text = _read(self.source, self.sha256, self.spaced)
        return text[part(split, len(text), self.shares)]


@cache
def _read(source: str, sha256: str, spaced: bool) -> tuple[str, Int64[np.ndarray, "character"]]:
    """The characters that occur, and the text as places among them."""
    is_compressed = urlparse(source).path.endswith(".gz") if "://" in source else source.endswith(".gz")
    path = locate(source, sha256, GZIP if is_compressed or source in BUILT_IN else ANY_FILE)
    with reading(path, "a text in UTF-8", EOFError, zlib.error):
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            content = file.read(LARGEST + 1)
        require(len(content) <= LARGEST, str(path), f"a text of at most {LARGEST / 2**30:g} GiB", "a larger one")
        text = content.decode()
    text = text.replace(" ", "") if spaced else text
    require(len(set(text)) > 1, str(path), "a text of more than one character", text[:20])
    points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    alphabet, places = np.unique(points, return_inverse=True)
    return "".join(map(chr, alphabet)), places.astype(np.int64)
