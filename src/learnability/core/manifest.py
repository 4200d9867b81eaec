"""Digests of files, and what has changed since they were taken.

`python -m learnability.core.manifest FOLDER [RUN]` takes over what is worth keeping of a finished run, if one is named,
and writes the manifests of all that the folder keeps.
"""

import argparse
import hashlib
import shutil
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from learnability.core.errors import InputError, require
from learnability.core.store import is_temporary, read_table, read_tables, write_table, writing

NAME = "manifest.csv"
VOLATILE = "manifest.volatile.csv"
"""Manifest of the files that may differ between equal runs; they are not in `NAME`."""
MEASURED = "measured"
"""Folder of tables of single networks."""
RUN = ["architecture", "optimizer", "seed"]
"""Columns that name a network."""
IDENTITY = ("experiment", "trained_on", *RUN)
"""Columns that name a network or an agent in any study."""
PAGES = ("index.html", "report.html", "report.zip")
"""Pages that show provenance among the rest."""
SUFFIXES = (".csv", ".json", ".md", ".png", ".safetensors")
"""Kinds of files that are kept of a run: no arrays, and each figure and table once."""


def digest(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_table(table: pd.DataFrame) -> str:
    """SHA-256 of the columns and the values of a table, in hexadecimal.

    The order of networks makes no difference, nor does it whether their rows lie in one file or in many.

    Example:
        >>> rows = pd.DataFrame({"seed": [1, 0], "loss": [0.5, 0.25]})
        >>> digest_table(rows) == digest_table(rows[::-1])
        True
    """
    names = [name for name in IDENTITY if name in table]
    rows = table.sort_values(names, kind="stable") if names else table
    result = hashlib.sha256("\n".join(map(str, rows)).encode())
    for _, column in rows.items():
        if pd.api.types.is_numeric_dtype(column):
            result.update(column.to_numpy(dtype="<f8").tobytes())
        else:
            result.update("\n".join(map(str, column)).encode())
    return result.hexdigest()


def is_volatile(path: Path) -> bool:
    """True if a file shows host, versions or time, which differ between equal runs; it is listed apart."""
    return "provenance" in path.name or path.name in (*PAGES, VOLATILE)


def list_files(folder: Path, paths: Iterable[Path], volatile: bool = False) -> pd.DataFrame:
    """A row for each file: path within `folder`, SHA-256, bytes; the latter two are missing where the file is.

    Args:
        volatile: whether those that are (`is_volatile`) are listed, or the others.
    """
    files = sorted(path for path in paths if is_volatile(path) == volatile and path.name != VOLATILE)
    return pd.DataFrame(
        {
            "path": [path.relative_to(folder).as_posix() for path in files],
            "sha256": [digest(path) if path.is_file() else None for path in files],
            "bytes": pd.array([path.stat().st_size if path.is_file() else None for path in files], dtype="Int64"),
        }
    )


def files_below(folder: Path) -> list[Path]:
    """All files that a manifest of `folder` would list, without pages written by hand (`README.md`) and without the
    temporary files of killed writers.
    """
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in (NAME, "README.md"))
    return [path for path in files if not is_temporary(path)]


def differences(folder: Path, leftovers: Collection[Path] = ()) -> Iterator[str]:
    """A line for each file below `folder` that is not as the manifests there say, missing, or in neither.

    Args:
        leftovers: files that may be in none, such as those that nothing reads any more.

    Raises:
        InputError: if there is no manifest, or a file of that name is not one.
    """
    if not (folder / NAME).is_file():
        raise InputError(f"'{folder}' must hold a manifest, which a finished run writes. Got no file {NAME}.")
    digests = _listed(folder / NAME)
    if (folder / VOLATILE).is_file():
        digests |= _listed(folder / VOLATILE)
    else:
        yield f"'{folder / VOLATILE}' is missing."
    for path, expected in digests.items():
        file = folder / path
        if not file.is_file():
            yield f"'{file}' is missing."
        elif digest(file) != expected:
            yield f"'{file}' is not what the manifest says: changed or damaged since."
    manifest_files = {*leftovers, *(folder / path for path in digests)}
    for file in sorted(files_below(folder)):
        if file not in manifest_files and not is_volatile(file):
            yield f"'{file}' is not in the manifest: no job of the finished workflow made it."


def _listed(manifest: Path) -> dict[str, Any]:
    """Digests by path; not a number where a file was missing."""
    table = read_table(manifest)
    for column in ("path", "sha256"):
        require(column in table, str(manifest), f"a manifest with a column {column}", list(table.columns))
    has_paths = table["path"].map(lambda path: isinstance(path, str)).all()
    require(bool(has_paths), str(manifest), "a manifest with a path in each row", list(table["path"][:3]))
    return dict(zip(table["path"], table["sha256"], strict=True))


def write_manifests(folder: Path, paths: Collection[Path]) -> None:
    """Write both manifests of files of a folder."""
    write_table(list_files(folder, paths), folder / NAME)
    write_table(list_files(folder, paths, volatile=True), folder / VOLATILE)


def keep(run: Path, folder: Path) -> None:
    """Take over the kept kinds of files of a finished run to the same places below `folder`.

    Tables of single networks, `measured/{run}/{kind}.csv`, become one compressed table of all networks for each kind,
    `measured/{kind}.csv.gz`, where rows of networks that the run does not have stay.

    Raises:
        InputError: if a file is not as the run's manifest says.
    """
    changes = list(differences(run))
    require(not changes, str(run), "as its manifest says", changes[:3])
    by_name: dict[str, list[Path]] = defaultdict(list)
    for file in sorted(files_below(run)):
        if file.is_relative_to(run / MEASURED):
            by_name[file.name].append(file)
        elif file.suffix in SUFFIXES and NAME.removesuffix(".csv") not in file.name:
            with writing(folder / file.relative_to(run)) as temporary:
                shutil.copyfile(file, temporary)
    for name, files in by_name.items():
        if name.endswith(".csv"):
            _merge(read_tables(files), folder / MEASURED / f"{name}.gz")


def _merge(rows: pd.DataFrame, path: Path) -> None:
    """Put the rows of some networks in place of those that the table at `path` has of them."""
    if path.exists():
        table = read_table(path)
        rows = pd.concat([table[~of_runs(table, rows)], rows], ignore_index=True)
    write_table(rows.sort_values(RUN, kind="stable"), path)


def of_runs(table: pd.DataFrame, others: pd.DataFrame) -> np.ndarray:
    """True for each row of `table` whose network has rows in `others`."""
    return pd.MultiIndex.from_frame(table[RUN]).isin(pd.MultiIndex.from_frame(others[RUN]))


def deviations(stored: pd.DataFrame, found: pd.DataFrame, tolerance: float) -> Iterator[str]:
    """A line for each column of `found` that differs from the column of `stored`.

    Exact transport is in float32, so its last digits depend on the processor and on the order of sums; they say nothing
    where a number is nearly 0 and known far less well than that. κ = α/(α-1), and log N̂ which goes with it, show those
    of α κ - 1 times as large.

    Args:
        tolerance: the largest difference of two numbers, relative to the larger of the stored one, the width of its
            interval (`…_low`, `…_high`) and, in a table of draws, their `scale` / √`sequences`, which are independent
            as t of one are not; κ - 1 times that for `kappa` and `log_sample_complexity`; ten times that for ends of
            intervals, which rest on the outermost few resamples. Infinities and gaps must agree.
    """
    if list(stored.columns) != list(found.columns) or len(stored) != len(found):
        yield f"{found.shape} rows and columns where {stored.shape} are stored"
        return
    for column in stored:
        expected, actual = stored[column], found[column]
        if pd.api.types.is_float_dtype(expected) or pd.api.types.is_float_dtype(actual):
            near = tolerance * _size(stored, str(column))
            agree = np.isclose(actual.astype(float), expected.astype(float), rtol=0, atol=near, equal_nan=True)
        else:
            agree = (expected == actual).to_numpy()
        if not agree.all():
            row = int(np.flatnonzero(~agree)[0])
            counts = f"{(~agree).sum()} of {len(agree)}"
            yield f"{column}: {counts} differ, first {actual[row]} where {expected[row]} is stored"


def _size(table: pd.DataFrame, column: str) -> np.ndarray:
    """Sizes with which differences in a column are compared."""
    sizes, middle = [table[column]], column.removesuffix("_low").removesuffix("_high")
    low, high = f"{middle}_low", f"{middle}_high"
    if low in table and high in table:
        sizes.append(table[high] - table[low])
    if "scale" in table and "sequences" in table:
        sizes.append(table["scale"] / np.sqrt(table["sequences"]))
    finite = np.abs(np.stack([size.to_numpy(dtype=float) for size in sizes]))
    largest = np.where(np.isfinite(finite), finite, 0).max(0)
    if middle in ("kappa", "log_sample_complexity") and "kappa" in table:
        kappa = table["kappa"].to_numpy(dtype=float)
        largest = largest * np.maximum(np.where(np.isfinite(kappa), kappa, 1) - 1, 1)
    return (1 if column == middle else 10) * largest


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("run", type=Path, nargs="?")
    arguments = parser.parse_args()
    folder = arguments.folder
    if arguments.run:
        try:
            keep(arguments.run, folder)
        except InputError as error:
            sys.exit(str(error))
    write_manifests(folder, files_below(folder))
