"""Files: written whole or not at all, read with an error that names the file.

Every writer goes through `writing`: a temporary name in the same folder, then a rename.
"""

import glob
import gzip
import io
import json
import math
import os
import re
import secrets
import socket
import stat
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from learnability.core.errors import InputError, LearnabilityError, in_one_line, require

LARGEST = 2**31 - 4
"""Bytes of an array, or of one record of it, in classic NetCDF."""
DIGITS = 10
"""Digits of floats in tables: more than are known of any, and fewer than rounding on another processor changes."""
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class WritingFailed(LearnabilityError):
    """A file could not be written, for instance on a full disk."""


def cache_folder() -> Path:
    """Folder of files that can be made or fetched again: `$XDG_CACHE_HOME/learnability`, else `~/.cache/learnability`.

    An empty or relative `XDG_CACHE_HOME` counts as none: nothing is ever loaded from the folder one happens to be in.

    Raises:
        InputError: where there is no home either.
    """
    folder = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(folder):
        return Path(folder) / "learnability"
    home = os.path.expanduser("~")
    require(os.path.isabs(home), "XDG_CACHE_HOME", "an absolute path where the user has no home", folder)
    return Path(home) / ".cache" / "learnability"


def private_folder(path: Path) -> Path:
    """The folder at `path`, made if there is none, into which only this user can write.

    One that is this user's is closed to others. What they have put there before is still to be looked at, by
    `is_own_file`.

    Raises:
        InputError: for another user's folder (but root's, to which nobody else writes), a link, a file, or if it cannot
            be made.
    """
    requirement = "a folder of this user's, into which nobody else can write"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
        status = path.lstat()
        require(stat.S_ISDIR(status.st_mode), str(path), requirement, "a file or a link")
        if status.st_uid == os.geteuid() and status.st_mode & OTHERS_WRITE:
            path.chmod(stat.S_IMODE(status.st_mode) & ~OTHERS_WRITE)
            status = path.lstat()
    except OSError as error:
        raise InputError(f"'{path}' must be {requirement}. Got {in_one_line(error)}.") from error
    is_safe = status.st_uid in (os.geteuid(), 0) and not status.st_mode & OTHERS_WRITE
    require(is_safe, str(path), requirement, f"mode {stat.S_IMODE(status.st_mode):o}, of user {status.st_uid}")
    return path


def is_own_file(path: Path | int) -> bool:
    """True if a path, links not followed, or an open file is a regular file of this user's or root's."""
    status = os.fstat(path) if isinstance(path, int) else path.lstat()
    return stat.S_ISREG(status.st_mode) and status.st_uid in (os.geteuid(), 0)


@contextmanager
def writing(path: str | Path, previous: Path | None = None) -> Iterator[Path]:
    """Yield a temporary path that becomes `path` on success and disappears on failure.

    Args:
        previous: where the file that stood at `path` goes; by default it is replaced.

    Raises:
        WritingFailed: naming `path`, which is then as it was.
    """
    path = Path(path)
    mine, name = f".{socket.gethostname()}.", f".{path.name}"
    temporary = path.with_name(f"{mine}{os.getpid()}.{secrets.token_hex(4)}{name}")  # no name that others could link
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for leftover in path.parent.glob(f"{glob.escape(mine)}*{glob.escape(name)}"):
            if not _is_running(leftover.name.removeprefix(mine).removesuffix(name)):
                leftover.unlink(missing_ok=True)  # its writer was killed
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        try:
            yield temporary
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            if previous and path.exists():
                path.replace(previous)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise WritingFailed(f"'{path}' could not be written: {error.strerror or error}.") from error


def is_temporary(path: Path) -> bool:
    """True if a file has a temporary name of `writing`; if no process writes it, its writer was killed."""
    return bool(re.fullmatch(r"\..+\.\d+(\.[0-9a-f]{8})?\..+", path.name))


def _is_running(process: str) -> bool:
    """True if a process of this number runs on this host, or if the text is no number, so that its file stays."""
    try:
        os.kill(int(process.partition(".")[0]), 0)
    except ProcessLookupError:
        return False
    except (ValueError, PermissionError):
        return True
    return True


@contextmanager
def reading(path: str | Path, kind: str, *errors: type[Exception]) -> Iterator[None]:
    """Turn an unreadable file into an `InputError` that names it; `errors` are the format's own.

    Pipes and devices are refused: they may have nothing to say, or no end.
    """
    unreadable: tuple[type[Exception], ...] = (OSError, ValueError, *errors)
    try:
        mode = os.stat(path).st_mode if os.path.exists(path) else stat.S_IFREG
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OSError("a pipe, a socket or a device")
        yield
    except InputError:
        raise
    except unreadable as error:
        raise InputError(f"'{path}' must be {kind}. Got {type(error).__name__}: {error}") from error


def write_dataset(dataset: xr.Dataset, path: str | Path, settings: Mapping[str, Any] | None = None) -> None:
    """Write NetCDF (classic format: the same content gives the same bytes), `settings` as an attribute.

    Raises:
        InputError: for arrays that the format does not hold (`check_size`).
    """
    records = check_size(
        {str(name): (variable.dims, variable.shape, variable.dtype) for name, variable in dataset.variables.items()}
    )
    if settings is not None:
        dataset = dataset.assign_attrs(settings=json.dumps(settings, sort_keys=True, default=list))
    with writing(path) as temporary:
        dataset.to_netcdf(temporary, engine="scipy", unlimited_dims=records)


def check_size(variables: Mapping[str, tuple[Sequence[Hashable], Sequence[int], Any]]) -> list[Hashable]:
    """The dimension along which arrays are written record by record, for one of them is larger than 2 GiB; mostly none.

    Args:
        variables: dimensions, shape and dtype of each array, which need not exist yet.

    Raises:
        InputError: if an array is larger, unless each has the same first dimension and stays below it for one entry.
    """
    sizes = {name: math.prod(shape) * np.dtype(dtype).itemsize for name, (_, shape, dtype) in variables.items()}
    largest = max(sizes, key=sizes.__getitem__, default="")
    if not sizes or sizes[largest] <= LARGEST:
        return []
    first = {tuple(dimensions[:1]) for dimensions, _, _ in variables.values()}
    records = [sizes[name] / max(1, *shape[:1]) for name, (_, shape, _) in variables.items() if shape]
    if len(first) > 1 or () in first or max(records) > LARGEST:
        shape, size = dict(zip(*variables[largest][:2], strict=True)), sizes[largest] / 2**30
        requirement = "take at most 2 GiB in a file, with less along a dimension"
        raise InputError(f"'{largest}' must {requirement}. Got {size:.3g} GiB: {shape}.")
    return [next(iter(first))[0]]


def read_dataset(path: str | Path) -> xr.Dataset:
    """Read a NetCDF file whole, in native byte order."""
    with reading(path, "a NetCDF file", AssertionError, LookupError):
        try:
            with xr.open_dataset(path, engine="scipy") as dataset:
                content = dataset.load()
        except TypeError as error:  # which names a library that would not help
            form = "a NetCDF file of format 3, as xarray.Dataset.to_netcdf(…, engine='scipy') writes it"
            raise InputError(f"'{path}' must be {form}. Got another format.") from error
        return content.map(lambda values: values.astype(values.dtype.newbyteorder("=")), keep_attrs=True)


def write_table(table: pd.DataFrame, path: str | Path, **identity: str | int) -> None:
    """Write tidy CSV, floats in `DIGITS` significant digits; `identity` (the run's names) goes into leading columns.

    Where the name ends in .gz, compressed, equal tables to equal bytes.
    """
    content = _as_csv(identify(table, **identity))
    with writing(path) as temporary:
        temporary.write_bytes(gzip.compress(content, mtime=0) if Path(path).suffix == ".gz" else content)


def as_read(table: pd.DataFrame) -> pd.DataFrame:
    """The table that `read_table` would read if this one were written.

    Example:
        >>> as_read(pd.DataFrame({"share": [1 / 3]}))
              share
        0  0.333333
    """
    return pd.read_csv(io.BytesIO(_as_csv(table)))


def _as_csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False, lineterminator="\n", float_format=_shortened).encode()


def identify(table: pd.DataFrame, **identity: str | int) -> pd.DataFrame:
    """The table with `identity`, the names of a run, in leading columns.

    Example:
        >>> identify(pd.DataFrame({"lag": [1]}), seed=7)
           seed  lag
        0     7    1
    """
    return table.assign(**identity)[[*identity, *table.columns]]


def as_files(tables: Mapping[str, pd.DataFrame], **identity: str | int) -> dict[str, pd.DataFrame]:
    """Tables by the names of CSV files, with `identity` in leading columns.

    Example:
        >>> list(as_files({"noise": pd.DataFrame({"lag": [1]})}, seed=7))
        ['noise.csv']
    """
    return {f"{name}.csv": identify(table, **identity) for name, table in tables.items()}


def _shortened(value: object) -> str:
    return repr(float(f"{value:.{DIGITS}g}"))


def read_table(path: str | Path) -> pd.DataFrame:
    """Read CSV, floats exactly as they were written."""
    with reading(path, "a CSV table"):
        return pd.read_csv(path)


def read_tables(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read tables of the same columns, one under the other."""
    return pd.concat([read_table(path) for path in paths], ignore_index=True)


def read_by_name(paths: Iterable[str | Path]) -> dict[str, pd.DataFrame]:
    """Read tables by the names of their files up to the first dot; networks have files of the same name."""
    files: dict[str, list[str | Path]] = {}
    for path in paths:
        files.setdefault(Path(path).name.partition(".")[0], []).append(path)
    return {name: read_tables(group) for name, group in files.items()}


def write_json(content: Any, path: str | Path) -> None:
    """Write JSON with sorted keys."""
    write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", path)


def read_json(path: str | Path, *keys: str) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        InputError: for a file that is none, or lacks one of `keys`.
    """
    requirement = " with ".join(filter(None, ["a JSON object", ", ".join(keys)]))
    with reading(path, requirement):
        text = Path(path).read_text(encoding="utf-8")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"'{path}' must be {requirement}. Got text that is not JSON: {error}") from error
    is_right = isinstance(content, dict) and set(keys) <= set(content)
    require(is_right, str(path), requirement, sorted(content) if isinstance(content, dict) else content)
    return content


def write_text(text: str, path: str | Path) -> None:
    """Write UTF-8 text."""
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
