"""Data that are not drawn but read: those that come with the library, a file, or what a URL gives."""

import re
import zlib
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from learnability.core.downloads import ANY_FILE, Kind, check_url, fetch
from learnability.core.errors import require, require_one_of
from learnability.core.store import reading

SPLITS = ("training", "validation", "diagnostic")
"""Parts of the data, one after the other; the last is the test set."""

DATA = Path(__file__).parent / "data"
BUILT_IN = {
    "digits": ("digits.npz", "31812474de685645974c46b2ce39f51fa4af1b5eb2c381e0f175abd7901502da"),
    "topics": ("topics.txt.gz", "8b77748f51650b8f1292a2121113c9a12b54e782489d1210f0aacf764f2501a5"),
    "heart": ("heart.npz", "34f2480eda46cc8b5ce45274377052cef1a18a8656e6355ad23acbabcd1f9b1a"),
}
"""Files that come with the library, and their SHA-256: see data/README.md."""

ARCHIVE_ERRORS = (BadZipFile, LookupError, EOFError, RuntimeError, TypeError, AttributeError, MemoryError, zlib.error)
"""Errors that a damaged or encrypted archive raises, or a file of another kind."""
Header = tuple[tuple[int, ...], np.dtype[Any]]
"""Shape and type of an array."""


def check_source(source: str, sha256: str) -> None:
    """Raise `InputError` unless source and checksum are valid; nothing is read.

    Args:
        source: a name in `BUILT_IN`, or a path or URL.
        sha256: 64 hexadecimal digits, of a path or URL.
    """
    requirement = f"the SHA-256 of '{source}', 64 hexadecimal digits"
    require(source in BUILT_IN or bool(re.fullmatch("[0-9a-fA-F]{64}", sha256)), "task.sha256", requirement, sha256)
    if "://" in source:
        check_url("task.source", source)


def check_shares(shares: Sequence[float]) -> None:
    """Raise `InputError` unless there is a share of the data for each of `SPLITS`."""
    is_valid = len(shares) == len(SPLITS) and min(shares) > 0 and sum(shares) < 1 + 1e-9
    require(is_valid, "task.shares", f"above 0, 1 in sum at most, one each of {', '.join(SPLITS)}", list(shares))


def locate(source: str, sha256: str, kind: Kind = ANY_FILE) -> Path:
    """Path of a source's file after its checksum is checked: see `learnability.core.downloads.fetch`."""
    if source in BUILT_IN:
        name, sha256 = BUILT_IN[source]
        source = str(DATA / name)
    return fetch(source, sha256, kind)


def read_headers(path: Path, kind: str, names: Sequence[str]) -> dict[str, Header]:
    """Shapes and types of arrays in an .npz file, of which nothing else is read.

    Raises `InputError` for a file without these arrays, which is not of the kind.
    """
    formats = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    headers = {}
    with reading(path, kind, *ARCHIVE_ERRORS), ZipFile(path) as archive:
        for name in names:
            with archive.open(f"{name}.npy") as file:
                shape, _, dtype = formats[np.lib.format.read_magic(file)](file)
            headers[name] = shape, dtype
    return headers


def part(split: str, total: int, shares: Sequence[float]) -> slice:
    """Select the part of `total` items that belongs to a split.

    Raises `InputError` for an unknown split: data that are read have no further splits.
    """
    require_one_of("split", split, SPLITS)
    ends = [0, *(round(total * share) for share in accumulate(shares))]
    return slice(*ends[SPLITS.index(split) :][:2])


def require_enough(split: str, count: int, available: int) -> None:
    """Raise `InputError` unless a split has as many sequences as are asked for."""
    require(count <= available, f"task.{split}_sequences", f"at most the {available} that there are", count)
