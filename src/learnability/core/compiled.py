"""C++ beside the library: compiled at first use for this processor, then cached."""

import ctypes
import hashlib
import logging
import os
import platform
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from learnability.core.errors import InputError, LearnabilityError, in_one_line
from learnability.core.store import cache_folder, is_own_file, private_folder, writing

log = logging.getLogger(__name__)

COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", "-Wno-psabi")
FURTHER = "LEARNABILITY_CXXFLAGS"
"""Variable with further flags; `-O1` where code runs for less time than -O3 takes to compile it."""
SECONDS = 600
"""Time after which a compiler counts as hung."""


def find_compiler() -> str | None:
    """Path of a C++ compiler, or None."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def load(source: Path, **constants: int | str) -> ctypes.CDLL:
    """The library of a C++ source with `constants` defined: from the cache, or compiled in about a second.

    Flags of the variable `LEARNABILITY_CXXFLAGS` come behind this module's, so that they have the last word. The
    cache's key is the source with its headers, the flags, the compiler's version and the processor's features. Its
    place is `cache_folder()`, where the name of a file has the digest of what it holds: half a library would end the
    process. Where nothing can be kept, or the place is not this user's alone, each process compiles its own.

    Raises:
        InputError: without a compiler, or if it fails, or if what it made cannot be loaded.
    """
    further = shlex.split(os.environ.get(FURTHER, ""))
    return load_by_flags(source, (*FLAGS, *further, *(f"-D{name}={value}" for name, value in constants.items())))


@cache
def load_by_flags(source: Path, flags: tuple[str, ...]) -> ctypes.CDLL:
    """The library of a source by all flags of the compiler; see `load`."""
    compiler = find_compiler()
    if compiler is None:
        raise InputError(f"engine 'native' needs a C++ compiler ({', '.join(COMPILERS)}); use engine 'torch'.")
    key = "\0".join([_text(source), *flags, _run(compiler, "--version"), _processor()])
    name = hashlib.sha256(key.encode()).hexdigest()[:24]
    for path in _kept(name):
        with suppress(OSError):
            return ctypes.CDLL(str(path))
    try:
        with TemporaryDirectory() as folder:
            library = Path(folder) / f"{name}.so"
            _run(compiler, *flags, str(source), "-o", str(library))
            return _load_first([*_keep(name, library.read_bytes()), library])
    except OSError as error:
        raise InputError(f"engine 'native' must be compiled and loaded here. Got {in_one_line(error)}.") from error


def _load_first(paths: Sequence[Path]) -> ctypes.CDLL:
    """Load the first library that can be loaded: a folder may be mounted so that nothing in it runs."""
    *candidates, last = paths
    for path in candidates:
        with suppress(OSError):
            return ctypes.CDLL(str(path))
    return ctypes.CDLL(str(last))


def _run(compiler: str, *arguments: str) -> str:
    """The output of the compiler, or `InputError` with its first error."""
    try:
        process = subprocess.run([compiler, *arguments], capture_output=True, text=True, check=False, timeout=SECONDS)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise InputError(f"engine 'native' needs a C++ compiler that runs. Got {in_one_line(error)}.") from error
    if process.returncode:
        lines = [line.strip() for line in process.stderr.splitlines() if line.strip()]
        message = next((line for line in lines if "error" in line), lines[-1] if lines else "no word")
        failure = f"engine 'native' did not compile with {compiler}, exit status {process.returncode}: {message}"
        raise InputError(failure if failure.endswith(".") else f"{failure}.")
    return process.stdout


def _kept(name: str) -> Iterator[Path]:
    """Whole libraries of this name in the cache that nobody else can have put there; damaged ones go."""
    try:
        folder = private_folder(cache_folder().resolve())
        paths = sorted(folder.glob(f"{name}.*.so"))
    except (OSError, InputError):
        return
    for path in paths:
        with suppress(OSError):
            if is_own_file(path) and path.name == _name(name, path.read_bytes()):
                yield path
            else:
                path.unlink()


def _keep(name: str, content: bytes) -> Iterator[Path]:
    """Yield the file that keeps the library for the next process; nothing, with a warning, if it cannot be kept."""
    try:
        path = private_folder(cache_folder().resolve()) / _name(name, content)
        with writing(path) as temporary:
            temporary.write_bytes(content)
    except (OSError, LearnabilityError) as error:
        _say_once(f"Compiled code is not kept, so each process compiles its own: {error}")
    else:
        yield path


@cache
def _say_once(line: str) -> None:
    log.warning(line)


def _name(name: str, content: bytes) -> str:
    return f"{name}.{hashlib.sha256(content).hexdigest()[:24]}.so"


def _text(source: Path) -> str:
    """A source and the headers that it includes by `"…"`, each after what includes it."""
    text = source.read_text(encoding="utf-8")
    return text + "".join(_text(source.parent / name) for name in re.findall(r'^#include "(.+)"', text, re.MULTILINE))


def _processor() -> str:
    """Features of the processor, on which `-march=native` depends."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line for line in lines if line.startswith(("flags", "Features"))), platform.processor())
